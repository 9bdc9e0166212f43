// Connects the editor, the panels and the backend (the server, or Python in the browser).

import { call, longest } from "./backend.js";
import * as comparison from "./comparison.js";
import * as editor from "./editor.js";
import * as graph from "./graph.js";
import * as link from "./link.js";
import * as panels from "./panels.js";
import * as parser from "./parser.js";
import * as splitters from "./splitters.js";
import * as tour from "./tour.js";
import { language, learn, storeSetting, storedSetting, textOf, speak, word } from "./words.js";

const PANELS = ["editor", "board", "values", "tree", "diagram", "rules"];
const KINDS = ["punctuation", "ident", "unknown", "text", "point", "other", "damage"];
const SEVERITIES = ["style", "warning", "error"];
const PROFILES = ["strict", "interchange", "archive"];
// Of longer texts, in code units, the parse tree takes a while: it waits until typing rests.
const LONG = 30_000;
const REST = 300;
const THEMES = { auto: "light dark", light: "light", dark: "dark" };
const byId = (id) => document.getElementById(id);

let start = {};
let summary = { diagnostics: [], counts: { error: 0, warning: 0, style: 0 }, codes: {} };
let selection = null;
// Where the text is from: the number of its example, or a function that gives its title; and the
// text as it was loaded.
const OWN = { example: null, title: () => word("own"), text: "" };
let source = OWN;
let theme = storedSetting("theme") in THEMES ? storedSetting("theme") : "auto";
let profile = PROFILES.includes(storedSetting("profile")) ? storedSetting("profile") : "strict";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => theme === "dark" || (theme === "auto" && systemDark.matches);

// --- Requests -----------------------------------------------------------------------------

// At most one request is pending; parts that are wanted meanwhile are requested next.
let wanted = new Set();
let item = -1;
let isAsking = false;
// Whether what the panels show is of an earlier text: the text is long, or there was no answer.
let isOutdated = false;

function ask(...parts) {
  if (isOutdated) return;
  parts.forEach((part) => wanted.add(part));
  if (!isAsking) answerAll();
}

async function answerAll() {
  isAsking = true;
  while (wanted.size) {
    const parts = [...wanted];
    wanted = new Set();
    const text = editor.text(), [from, to] = editor.selection(), [first, last] = editor.seen();
    if (text.length > start.limit) {
      notice(word("tooLarge", { limit: start.limit }));
      busy(0);
      continue;
    }
    const answer = await send("inspect", { parts, text, language, profile, start: from, end: to, item, first, last, dark: isDark() });
    if (answer.error && text === editor.text()) {
      showUnchecked();
      wanted = new Set();
      leaveUnchecked(word("unanswered"));
      byId("loading").hidden = true;
      continue;
    }
    // An answer is dropped if the text has changed since, because its offsets are outdated.
    if (text === editor.text()) take(answer, text);
  }
  isAsking = false;
}

let pending = 0;

function busy(step) {
  pending += step;
  document.body.setAttribute("aria-busy", pending > 0);
}

// The answer; null after an error.
async function request(operation, values) {
  const answer = await send(operation, values);
  return answer.error ? null : answer;
}

// The answer, which may name an error; the user is notified of that.
async function send(operation, values) {
  busy(1);
  try {
    const answer = await call(operation, values);
    notice(answer.error === "too-large" ? word("tooLarge", { limit: answer.limit })
      : answer.error ? word("failed", { reason: answer.reason }) : "");
    return answer;
  } catch (error) {
    notice(word("failed", { reason: error.message }));
    byId("loading").hidden = true;
    return { error: "failed" };
  } finally {
    // Requests that follow from the answer start before this.
    setTimeout(() => busy(-1));
  }
}

// Asks about a text that has changed; about a long one when typing rests, and about one that takes
// seconds only if that is demanded.
function refresh(isDemanded) {
  const { length } = editor.text();
  const waits = length > longest && length <= start.limit && !isDemanded;
  leaveUnchecked(waits ? word("onDemand", { length, limit: longest }) : "");
  if (isOutdated) return;
  // Where an answer takes long, the diagnostics are requested first.
  const isSlow = longest < Infinity;
  const parts = isSlow ? ["terminals"] : ["summary", "terminals"];
  if (isSlow) ask("summary");
  if (length <= LONG) ask(...parts, "selection");
  later(length > LONG ? () => (ask(...parts), ask("selection")) : null);
}

// Shows that the text is not checked until that is demanded, and why; without a reason, no more.
function leaveUnchecked(reason) {
  isOutdated = reason !== "";
  byId("demand").hidden = !isOutdated;
  byId("demand-about").textContent = reason;
  for (const element of document.querySelectorAll("#problems, #fix-all, .panel:not(#panel-editor)")) element.inert = isOutdated;
  if (isOutdated) showUnchecked();
}

// The counts and marks of an earlier text are worse than none.
function showUnchecked() {
  byId("counts").textContent = word("unchecked");
  byId("counts").className = "quiet";
  editor.unmark();
}

let timer = 0;

// Does something when typing rests, in place of what was to be done before.
function later(action) {
  if (timer) busy(-1);
  clearTimeout(timer);
  timer = 0;
  if (!action) return;
  busy(1);
  timer = setTimeout(() => {
    timer = 0;
    action();
    busy(-1);
  }, REST);
}

function notice(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

// --- Results ------------------------------------------------------------------------------

function take(answer, text) {
  byId("loading").hidden = true;
  document.body.classList.remove("waiting");
  if (answer.terminals) {
    editor.mark(Object.fromEntries([
      ...SEVERITIES.map((severity) => [severity, answer.marks.filter((found) => found[2] === severity)]),
      ...KINDS.map((kind) => [kind, answer.terminals.filter((found) => found[2] === kind)]),
    ]));
  }
  if (answer.summary) {
    summary = answer.summary;
    panels.problems(summary.diagnostics, summary.counts, { choose, fix: editor.edit, fixAll, compare });
    tour.check(text, summary);
  }
  if (answer.selection) {
    selection = answer.selection;
    showSelection();
  }
}

function showSelection() {
  const [from, to] = selection.span, [first, last] = selection.nodeSpan ?? [0, -1];
  // An item of several nodes, such as the whole collection, would color the text all over.
  const isInNode = first <= from && to <= last;
  editor.mark({ node: selection.nodeSpan ? [selection.nodeSpan] : [], item: isInNode ? [selection.span] : [] });
  panels.tree(selection.tree, selection.item, choose);
  panels.values(selection.values, selection.span, ([from, to]) => select(from, to));
  panels.board(selection, choosePoint);
  panels.comment(selection.texts);
  panels.path(selection.path, choose);
  graph.show(selection.graph, selection.node, chooseNode);
  const value = selection.values.find((found) => found.span[0] <= from && to <= found.span[1]);
  panels.diagram(start.structure, start.values, selection.path, value?.rules ?? [], chooseSymbol);
  panels.explanation(selection.explanation);
  parser.follow(editor.selection()[0]);
  for (const button of byId("moves").querySelectorAll("button")) button.setAttribute("aria-disabled", goal(button.dataset.go) == null);
}

// --- Selection: a choice in any panel selects a part of the text -----------------------------

function select(from, to, chosen = -1) {
  item = chosen;
  editor.select(from, to);
  ask("selection");
}

function choose(found) {
  const [from, to] = found.span ?? [found.start, found.end];
  select(from, to, found.item ?? -1);
}

async function choosePoint(point) {
  const answer = await request("point", { text: editor.text(), language, profile, node: selection.node, point });
  if (answer?.span) select(...answer.span);
}

async function chooseSymbol(name) {
  const answer = await request("production", { text: editor.text(), language, profile, item: selection.item, name });
  if (answer?.span) select(...answer.span, answer.item);
}

async function chooseNode(node) {
  const answer = await request("node", { text: editor.text(), language, profile, node });
  if (answer) select(answer.span[0], answer.span[0]);
}

const fixed = (unsafe) => request("fix", { text: editor.text(), language, profile, unsafe });

async function fixAll() {
  const answer = await fixed(false);
  // Where nothing is safe for the whole text, the comparison says why.
  if (answer?.count) editor.change(answer.text);
  else if (answer) compare();
}

function compare() {
  comparison.show(byId("dialog"), editor.text(), narrow.matches, { ask: fixed, apply: editor.change });
}

function problem(step) {
  const [here] = editor.selection(), all = summary.diagnostics;
  const next = step > 0 ? all.find((found) => found.start > here) ?? all[0]
    : all.findLast((found) => found.start < here) ?? all.at(-1);
  if (next) choose(next);
}

// The offset of the node to which a step leads; null if there is no such node.
const goal = (where) => selection?.moves[where] ?? null;

function go(where) {
  const found = goal(where);
  if (found != null) select(found, found);
}

// --- Keys, tabs, settings -------------------------------------------------------------------

const ALT_KEYS = {
  ArrowLeft: () => go("previous"), ArrowRight: () => go("next"), ArrowDown: () => go("sibling"), KeyK: showKeys,
};

function keys(event) {
  const panel = PANELS[Number(event.code.replace("Digit", "")) - 1];
  if (event.key === "F8") problem(event.shiftKey ? -1 : 1);
  else if (event.altKey && !event.ctrlKey && panel) focusPanel(panel);
  else if (event.altKey && !event.ctrlKey && ALT_KEYS[event.code]) ALT_KEYS[event.code]();
  else return;
  event.preventDefault();
}

function boardKeys(event) {
  const where = { ArrowLeft: "previous", ArrowRight: "next", ArrowDown: "sibling", Home: "first", End: "last" }[event.key];
  if (!where || event.altKey) return;
  event.preventDefault();
  go(where);
}

function focusPanel(name) {
  openTab(name);
  const panel = byId(`panel-${name}`);
  if (name === "editor") editor.focus();
  else (panel.querySelector("[aria-selected=true], #board, tbody button, nav [aria-current=true]") ?? panel).focus();
}

function showDialog(title, ...content) {
  byId("dialog").replaceChildren(panels.make("h2", {}, title), ...content,
    panels.make("form", { method: "dialog" }, panels.make("button", {}, word("close"))));
  byId("dialog").className = "";
  byId("dialog").setAttribute("aria-label", title);
  byId("dialog").showModal();
}

function showKeys() {
  const rows = [["Alt+1 … 6", "keyPanels"], ["Alt+← →", "keyNodes"], ["Alt+↓", "keySibling"], ["F8, Shift+F8", "keyProblems"], ["↑ ↓ ← →", "keyTree"], ["Ctrl+F", "keyFind"], ["Alt+K", "keys"]];
  showDialog(word("keys"),
    panels.make("dl", {}, ...rows.flatMap(([key, text]) => [panels.make("dt", {}, key), panels.make("dd", {}, word(text))])));
}

// --- Links ----------------------------------------------------------------------------------

async function showLink() {
  const url = new URL(location.href);
  url.hash = await link.encode(editor.text());
  history.replaceState(null, "", url);
  let isCopied = true;
  await navigator.clipboard.writeText(url.href).catch(() => { isCopied = false; });
  const address = panels.make("input", { readOnly: true, value: url.href, "aria-label": word("link") });
  showDialog(word("link"), panels.make("p", {}, word("linkAbout")), address,
    panels.make("p", { role: "status", className: isCopied ? "good" : "quiet" },
      word(isCopied ? "linkCopied" : "linkCopy", { length: url.href.length })));
  address.select();
}

// Loads the text that the address carries; false if it carries none.
async function openLink() {
  if (!link.isLink(location.hash)) return false;
  const text = await link.decode(location.hash, start.limit);
  if (text === null) notice(word("linkDamaged", { limit: start.limit }));
  else load(text, 0, { title: () => word("linked") });
  return text !== null;
}

function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of byId("tabs").children) {
    const isOpen = tab.dataset.opens === name;
    tab.setAttribute("aria-selected", isOpen);
    tab.tabIndex = isOpen ? 0 : -1;
  }
  panels.showSelected();
}

function makeTabs() {
  byId("tabs").replaceChildren(...PANELS.map((name) => panels.make("button", {
    role: "tab", "data-opens": name, "data-word": name, "aria-controls": `panel-${name}`, onclick: () => openTab(name),
  })));
  byId("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...byId("tabs").children];
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    openTab(next.dataset.opens);
    next.focus();
  });
}

// Panels side by side are regions; on narrow screens they are tab panels.
const narrow = matchMedia("(max-width: 760px)");

function takeRoles() {
  for (const panel of document.querySelectorAll(".panel")) panel.setAttribute("role", narrow.matches ? "tabpanel" : "region");
}

function showChoices() {
  speak(language);
  editor.speak(word("editor"), language === "zh" ? start.phrases : {});
  byId("profile").replaceChildren(...PROFILES.map((name) => panels.make("option", { value: name }, word(`profile_${name}`))));
  byId("profile").value = profile;
  byId("language").textContent = language === "zh" ? "English" : "中文";
  byId("language").lang = language === "zh" ? "en" : "zh-Hans";
  byId("theme").textContent = `${{ auto: "◐", light: "○", dark: "●" }[theme]} ${word(`theme_${theme}`)}`;
  document.documentElement.style.colorScheme = THEMES[theme];
  byId("examples").replaceChildren(panels.make("option", { value: "", hidden: true }),
    ...start.examples.map((example, index) => panels.make("option", { value: index }, textOf(example, "title"))));
  showSource();
}

// Shows in the box of examples what the editor holds.
function showSource() {
  const box = byId("examples"), isEdited = editor.text() !== source.text;
  const title = source.title?.() ?? textOf(start.examples[source.example], "title");
  box.options[0].textContent = isEdited && source.text ? word("edited", { title }) : title;
  box.value = isEdited ? "" : source.example ?? "";
}

function chooseLanguage() {
  speak(language === "zh" ? "en" : "zh");
  showChoices();
  tour.draw();
  ask("summary", "selection");
}

function chooseProfile() {
  profile = byId("profile").value;
  storeSetting("profile", profile);
  ask("summary", "terminals", "selection");
}

function chooseTheme() {
  const names = Object.keys(THEMES);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  storeSetting("theme", theme);
  showChoices();
  ask("selection");
}

function load(text, place, from) {
  editor.load(text);
  source = { ...from, text: editor.text() };
  showSource();
  select(place, place);
}

// The address carries a text no longer when another one is loaded.
function leaveLink() {
  if (link.isLink(location.hash)) history.replaceState(null, "", location.pathname + location.search);
}

function loadExample() {
  const number = Number(byId("examples").value), example = start.examples[number];
  tour.close();
  leaveLink();
  load(example.sgf, Math.max(0, example.sgf.indexOf(example.at ?? "")), { example: number });
}

async function openFile() {
  const [file] = byId("open").files;
  byId("open").value = "";
  if (!file) return;
  if (file.size > start.limit) return notice(word("tooLarge", { limit: start.limit }));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const answer = await request("load", { base64 });
  if (!answer) return;
  tour.close();
  leaveLink();
  load(answer.text, 0, { title: () => file.name });
}

// --- Start ------------------------------------------------------------------------------------

function typed(isReplaced) {
  item = -1;
  if (!editor.text()) source = OWN;
  // Another text is not the one of the lesson.
  if (isReplaced) tour.close();
  showSource();
  refresh(false);
}

function moved() {
  const [from, to] = editor.selection(), [first, last] = selection?.span ?? [-1, -1];
  if (item >= 0 && from === first && to === last) return;
  item = -1;
  ask("selection");
}

async function begin() {
  document.documentElement.style.colorScheme = THEMES[theme];
  makeTabs();
  start = await call("begin", {});
  learn(start.words);
  byId("loading").textContent = word("loading");
  showChoices();
  openTab("editor");
  tour.begin(start.lessons, (text, place, number) => {
    leaveLink();
    load(text, place, { title: () => word("tourText", { number }) });
  });
  panels.treeKeys(choose);
  parser.begin({ ask: (place) => request("trace", { text: editor.text(), language, profile, ...place }), show: (span) => editor.mark({ token: span ? [span] : [] }) });
  splitters.begin();
  editor.listen({ typed, moved, scrolled: () => editor.text().length >= 8000 && ask("terminals") });
  document.addEventListener("keydown", keys);
  byId("board").addEventListener("keydown", boardKeys);
  byId("moves").addEventListener("click", (event) => event.target.dataset.go && go(event.target.dataset.go));
  byId("examples").addEventListener("change", loadExample);
  byId("open").addEventListener("change", openFile);
  byId("tour-open").addEventListener("click", () => (tour.isOpen() ? tour.close() : (openTab("editor"), tour.open())));
  byId("keys-open").addEventListener("click", showKeys);
  byId("link-open").addEventListener("click", showLink);
  byId("demand-check").addEventListener("click", () => refresh(true));
  addEventListener("hashchange", () => link.isLink(location.hash) && (tour.close(), openLink()));
  byId("language").addEventListener("click", chooseLanguage);
  byId("theme").addEventListener("click", chooseTheme);
  byId("profile").addEventListener("change", chooseProfile);
  narrow.addEventListener("change", takeRoles);
  takeRoles();
  systemDark.addEventListener("change", () => ask("selection"));
  if (await openLink()) return;
  byId("examples").value = "0";
  loadExample();
}

begin().catch((error) => {
  byId("loading").textContent = error.message;
});
