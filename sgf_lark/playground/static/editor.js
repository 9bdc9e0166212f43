// The editor: CodeMirror, with the colors and underlines that the page asks for.
//
// It is in a shadow root, so that its style sheets need no exception in the policy of the page.

import {
  Compartment, Decoration, EditorState, EditorView, StateEffect, StateField, diff, drawSelection,
  highlightSpecialChars, history, historyKeymap, keymap, lineNumbers, search, searchKeymap,
  standardKeymap,
} from "./codemirror.js";

const host = document.getElementById("editor");
const shadow = host.attachShadow({ mode: "open", delegatesFocus: true });

// --- Colors and underlines -----------------------------------------------------------------

// The names of marks. What comes later is inside what comes before.
const NAMES = [
  "node", "item", "token", "punctuation", "ident", "unknown", "text", "point", "other", "damage",
  "style", "warning", "error",
];
const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => ({}),
  update(found, transaction) {
    if (transaction.docChanged) {
      found = Object.fromEntries(Object.entries(found).map(([name, set]) => [name, set.map(transaction.changes)]));
    }
    for (const effect of transaction.effects) if (effect.is(setMarks)) found = { ...found, ...effect.value };
    return found;
  },
  provide: (field) => NAMES.map((name) => EditorView.decorations.from(field, (found) => found[name] ?? Decoration.none)),
});

const underline = (color, line) => ({ textDecoration: `underline ${line} var(--${color})`, textDecorationSkipInk: "none" });
export const THEME = {
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--text)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "0" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--chosen)" },
  ".mark-node": { backgroundColor: "var(--here)" },
  ".mark-item": { backgroundColor: "var(--item)" },
  ".mark-token": { outline: "2px solid var(--accent)" },
  ".mark-punctuation": { color: "var(--quiet)" },
  ".mark-ident": { color: "var(--ident)" },
  ".mark-unknown": { color: "var(--warning)" },
  ".mark-text": { color: "var(--value-text)" },
  ".mark-point": { color: "var(--value-point)" },
  ".mark-other": { color: "var(--value-other)" },
  ".mark-damage": { color: "var(--error)" },
  ".mark-style": underline("style", "dotted 2px"),
  ".mark-warning": underline("warning", "wavy 1.5px"),
  ".mark-error": { ...underline("error", "wavy 2px"), backgroundColor: "color-mix(in srgb, var(--error) 12%, transparent)" },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": { font: "inherit", color: "inherit", background: "var(--panel)", border: "1px solid var(--line)" },
};

// The options of all editors of the page.
export const common = [lineNumbers(), highlightSpecialChars(), EditorView.lineWrapping, EditorView.theme(THEME)];

// --- The text -------------------------------------------------------------------------------

// Texts that change with the language.
const words = new Compartment();
let listener = { typed() {}, moved() {}, scrolled() {} };

// Where typing replaces a selection, Chromium would insert an element with an inline style, which the
// policy of the page forbids.
const replacing = EditorView.domEventHandlers({
  beforeinput(event, target) {
    if (event.inputType !== "insertText" || !event.data || target.composing || target.state.selection.main.empty) return false;
    target.dispatch(target.state.update(target.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true }));
    return true;
  },
});

// Whether a user replaced all of the text: pasted over it, or dropped another one.
function replacesAll(transaction) {
  const { length } = transaction.startState.doc;
  let isAll = false;
  transaction.changes.iterChanges((from, to) => { isAll ||= from === 0 && to === length; });
  return isAll && transaction.newDoc.length > 0 && ["input.paste", "input.drop"].some((name) => transaction.isUserEvent(name));
}

const view = new EditorView({
  root: shadow,
  parent: shadow,
  state: EditorState.create({
    extensions: [
      ...common, history(), drawSelection(), search({ top: true }), marks, replacing, words.of([]),
      keymap.of([...standardKeymap, ...historyKeymap, ...searchKeymap]),
      EditorView.contentAttributes.of({ id: "text", autocapitalize: "off", autocomplete: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) listener.typed(update.transactions.some(replacesAll));
        else if (update.transactions.some((each) => each.isUserEvent("select"))) listener.moved();
        else if (update.viewportChanged) listener.scrolled();
      }),
    ],
  }),
});

// The text as a string, which takes a while to be made of a long one.
let known = { doc: null, text: "" };
export function text() {
  const { doc } = view.state;
  if (known.doc !== doc) known = { doc, text: doc.toString() };
  return known.text;
}

export function selection() {
  const { from, to } = view.state.selection.main;
  return [from, to];
}

export const focus = () => view.focus();

// Shows spans, [start, end] in code units: an object with the spans of each name.
export function mark(spans) {
  const sets = Object.entries(spans).map(([name, found]) => {
    const decoration = Decoration.mark({ class: `mark-${name}` });
    const ranges = found.map(wide).filter(([from, to]) => from < to).map(([from, to]) => decoration.range(from, to));
    return [name, Decoration.set(ranges, true)];
  });
  view.dispatch({ effects: setMarks.of(Object.fromEntries(sets)) });
}

// An empty span, such as a missing bracket, is shown at the adjacent character.
function wide([start, end]) {
  const { length } = view.state.doc;
  if (start === end) start < length ? end++ : start--;
  return [Math.max(Math.min(start, length), 0), Math.max(Math.min(end, length), 0)];
}

// The texts that are marked with a name.
export function marked(name) {
  const found = [];
  view.state.field(marks)[name]?.between(0, view.state.doc.length, (from, to) => { found.push(text().slice(from, to)); });
  return found;
}

export const unmark = () => mark(Object.fromEntries(NAMES.map((name) => [name, []])));

export function select(start, end) {
  const [from, to] = [start, end].map((place) => Math.min(place, view.state.doc.length));
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }) });
}

// The part of the text that is drawn, and as much around it; of a short text all.
export function seen() {
  // Of a long line, too, only a part is drawn; of a text that is empty, or hidden, no part at all.
  const { length } = view.state.doc, drawn = view.visibleRanges;
  if (length < 8000 || !drawn.length) return [0, Math.min(length, 8000)];
  return [Math.max(0, drawn[0].from - 2000), Math.min(length, drawn.at(-1).to + 2000)];
}

// Applies edits, each [start, end, text] of the text as it is. They can be undone.
export function edit(edits) {
  view.dispatch({ changes: edits.map(([from, to, insert]) => ({ from, to, insert })), userEvent: "input" });
  view.focus();
}

// Replaces the text by edits of the parts that differ.
export function change(now) {
  const old = text();
  edit(diff(old, now, { scanLimit: 500 }).map((each) => [each.fromA, each.toA, now.slice(each.fromB, each.toB)]));
}

export function load(content) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: content }, selection: { anchor: 0 }, scrollIntoView: true });
}

export function listen(found) {
  listener = found;
}

// The texts of CodeMirror in the language of the page.
export let phrases = EditorState.phrases.of({});

// Sets the name of the editor, and the texts of its search panel.
export function speak(label, table) {
  phrases = EditorState.phrases.of(table);
  view.dispatch({ effects: words.reconfigure([EditorView.contentAttributes.of({ "aria-label": label }), phrases]) });
}
