// What the page uses of CodeMirror: codemirror.js is made from this file.
export { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
export { history, historyKeymap, redo, standardKeymap, undo } from "@codemirror/commands";
export { openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { MergeView, diff, unifiedMergeView } from "@codemirror/merge";
