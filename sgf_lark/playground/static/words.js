// The texts of the page in two languages, and the stored settings.

let words = {};
// A link to the page can ask for a language: ?lang=zh
const asked = new URLSearchParams(location.search).get("lang");
export let language = ["en", "zh"].includes(asked)
  ? asked
  : storedSetting("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");

export function storedSetting(key) {
  try {
    return localStorage.getItem(`sgf_lark.${key}`);
  } catch {
    return null; // storage is switched off
  }
}

export function storeSetting(key, value) {
  try {
    localStorage.setItem(`sgf_lark.${key}`, value);
  } catch {
    // Storage is switched off: the setting lasts until the page is closed.
  }
}

export function learn(table) {
  words = table;
}

export function speak(chosen) {
  language = chosen;
  storeSetting("language", chosen);
  document.documentElement.lang = chosen === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", word(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = word(element.dataset.label);
  }
}

// A text of the page; {name} in it is replaced by an entry of `values`.
export function word(key, values = {}) {
  const found = words[key]?.[language] ?? key;
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// The text of an object in the language of the page: its entry `key`, or `key` with "_zh".
export const textOf = (object, key) => (language === "zh" ? object[`${key}_zh`] : object[key]) ?? "";
