// The guided tour: the reader edits texts until they are valid.

import { make } from "./panels.js";
import { storeSetting, storedSetting, textOf, word } from "./words.js";

const panel = document.getElementById("tour");
let lessons = [];
let current = 0;
let load = () => {};
let isDone = false;

export function begin(all, loader) {
  [lessons, load] = [all, loader];
  current = Math.min(Number(storedSetting("lesson")) || 0, lessons.length - 1);
}

export const isOpen = () => !panel.hidden;

export function open() {
  panel.hidden = false;
  start(current);
}

export function close() {
  panel.hidden = true;
}

function start(number) {
  [current, isDone] = [number, false];
  storeSetting("lesson", number);
  load(lessons[number].start, 1, number + 1);
  draw();
}

// Checks whether the lesson is done: only style diagnostics, none of the lesson's rules broken,
// and the subject of the lesson still in the text.
export function check(text, summary) {
  if (!isOpen()) return;
  const lesson = lessons[current];
  isDone = !summary.counts.error && !summary.counts.warning
    && lesson.codes.every((code) => !summary.codes[code])
    && lesson.keep.every((part) => text.includes(part));
  draw();
}

export function draw() {
  if (!isOpen()) return;
  const lesson = lessons[current], isLast = current === lessons.length - 1;
  const hint = panel.querySelector("details")?.open && panel.dataset.lesson === String(current);
  panel.dataset.lesson = current;
  const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.does : null;
  panel.replaceChildren(
    make("h2", {}, `${word("lesson", { number: current + 1, total: lessons.length })} ${textOf(lesson, "title")}`),
    ...textOf(lesson, "text").split("\n\n").map((part) => make("p", {}, part)),
    make("details", { open: Boolean(hint) }, make("summary", { "data-does": "hint" }, word("hint")), make("p", {}, textOf(lesson, "hint")),
      make("button", { onclick: () => load(lesson.solution, 0, current + 1), "data-does": "solution" }, word("solution"))),
    make("p", { role: "status", className: isDone ? "good" : "quiet" }, isDone ? word(isLast ? "tourDone" : "lessonDone") : word("lessonOpen")),
    make("div", { className: "bar" },
      make("button", { disabled: current === 0, onclick: () => start(current - 1), "data-does": "back" }, word("back")),
      make("button", { disabled: isLast, className: isDone ? "main" : "", onclick: () => start(current + 1), "data-does": "forward" }, word("forward")),
      make("button", { onclick: () => start(current), "data-does": "again" }, word("again")),
      make("span", { className: "spring" }),
      make("button", { onclick: close, "data-does": "close" }, word("close"))));
  if (focused) panel.querySelector(`[data-does=${focused}]`)?.focus();
}
