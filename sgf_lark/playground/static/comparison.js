// The fixed text beside the text, with the differences; on narrow screens below each other.

import { EditorState, EditorView, MergeView, unifiedMergeView } from "./codemirror.js";
import { common, phrases } from "./editor.js";
import { make } from "./panels.js";
import { word } from "./words.js";

// Fills the dialog and shows it. `ask` gets the fixed text and the number of fixes, with unsafe
// ones or without; `apply` takes the fixed text.
export async function show(dialog, text, isNarrow, { ask, apply }) {
  const host = make("div", { id: "comparison" }), about = make("p", { role: "status", className: "quiet" });
  const unsafe = make("input", { type: "checkbox" });
  const button = make("button", { className: "main" }, word("apply"));
  const shadow = host.attachShadow({ mode: "open" });
  let fixed = text;
  async function draw() {
    const answer = await ask(unsafe.checked);
    if (!answer) return;
    fixed = answer.text;
    about.textContent = answer.count ? word("fixes", { count: answer.count }) : word(unsafe.checked ? "noFixes" : "noSafeFixes");
    button.disabled = fixed === text;
    shadow.replaceChildren();
    if (fixed === text) return; // two equal texts say nothing
    const readOnly = [...common, phrases, EditorState.readOnly.of(true)];
    const named = (name) => EditorView.contentAttributes.of({ "aria-label": word(name), tabindex: "0" });
    const collapseUnchanged = { margin: 2, minSize: 4 };
    if (isNarrow) {
      const merged = unifiedMergeView({ original: text, mergeControls: false, collapseUnchanged });
      new EditorView({ doc: fixed, extensions: [...readOnly, named("fixed"), merged], root: shadow, parent: shadow });
    } else {
      new MergeView({
        a: { doc: text, extensions: [...readOnly, named("before")] },
        b: { doc: fixed, extensions: [...readOnly, named("fixed")] },
        root: shadow, parent: shadow, collapseUnchanged,
      });
    }
  }
  unsafe.addEventListener("change", draw);
  button.addEventListener("click", () => {
    dialog.close();
    apply(fixed);
  });
  dialog.replaceChildren(
    make("h2", {}, word("compare")),
    make("div", { className: "bar" }, make("label", {}, unsafe, ` ${word("alsoUnsafe")}`), about),
    host,
    make("form", { method: "dialog", className: "bar" }, button, make("button", {}, word("close"))));
  button.type = "button";
  dialog.className = "wide";
  dialog.setAttribute("aria-label", word("compare"));
  dialog.showModal();
  await draw();
}
