// The words of the page in two languages, and the choices that are remembered.

let words = {};
export let language = remembered("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");

export function remembered(key) {
  try {
    return localStorage.getItem(`sgf_lark.${key}`);
  } catch {
    return null; // storage is switched off
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`sgf_lark.${key}`, value);
  } catch {
    // Then it is forgotten when the page is closed.
  }
}

export function learn(table) {
  words = table;
}

export function speak(chosen) {
  language = chosen;
  remember("language", chosen);
  document.documentElement.lang = chosen === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", word(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = word(element.dataset.label);
  }
}

// A word of the page; {name} in it stands for an entry of `values`.
export function word(key, values = {}) {
  const found = words[key]?.[language] ?? key;
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// What an object says in the language of the page: `key`, or `key` and "_zh".
export const said = (object, key) => (language === "zh" ? object[`${key}_zh`] : object[key]) ?? "";
