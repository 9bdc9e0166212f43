// The editor: a textarea, and below it a layer with the same text in colors and underlines.
//
// The layer is one text node. Colors are ranges in it (CSS Custom Highlight API), so that no
// element is created for each token, and the ranges move along when text is typed.

const box = document.getElementById("editor");
const area = document.getElementById("text");
const layer = document.getElementById("layer");
const shown = layer.appendChild(document.createTextNode("\n"));

export const text = () => area.value;
// The selection that was made while the focus was elsewhere: Chromium does not keep it then.
let kept = null;
export const selection = () => kept ?? [area.selectionStart, area.selectionEnd];
export const focus = () => area.focus();

// The lengths of the common prefix and the common suffix of two texts.
function difference(old, now) {
  let start = 0, end = 0;
  const most = Math.min(old.length, now.length);
  while (start < most && old.charCodeAt(start) === now.charCodeAt(start)) start++;
  while (end < most - start && old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end)) end++;
  return [start, end];
}

// Copies the typed text to the layer: only the changed part, so that other ranges stay.
export function follow() {
  const old = shown.data, now = area.value + "\n";
  if (old === now) return false;
  const [start, end] = difference(old, now);
  shown.replaceData(start, old.length - start - end, now.slice(start, now.length - end));
  return true;
}

// Highlights spans, [start, end] in code units, under a name that style.css defines.
export function mark(name, spans, priority = 0) {
  if (!globalThis.CSS?.highlights) return;
  const highlight = new Highlight(...spans.map(range));
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
}

function range([start, end]) {
  const found = document.createRange(), length = shown.length - 1;
  // An empty span, such as a missing bracket, is shown at the adjacent character.
  if (start === end) start < length ? end++ : start--;
  found.setStart(shown, Math.max(Math.min(start, length), 0));
  found.setEnd(shown, Math.max(Math.min(end, length), 0));
  return found;
}

export function select(start, end) {
  area.setSelectionRange(start, end);
  kept = document.activeElement === area ? null : [start, end];
  reveal(start);
}

function reveal(start) {
  const place = range([start, start + 1]).getBoundingClientRect(), view = box.getBoundingClientRect();
  if (place.top < view.top || place.bottom > view.bottom) {
    box.scrollTop += place.top - view.top - view.height / 3;
  }
}

// The visible part of the text, and as much around it. Each highlighted range costs time, even
// if it is not visible.
export function seen() {
  const length = area.value.length;
  if (length < 8000) return [0, length];
  const view = box.getBoundingClientRect(), [from, to] = [offsetAt(view.top), offsetAt(view.bottom)];
  const around = Math.max(2000, to - from);
  return [Math.max(0, from - around), Math.min(length, to + around)];
}

// The offset of the first character below a vertical position on the screen.
function offsetAt(height) {
  let low = 0, high = area.value.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (range([middle, middle + 1]).getBoundingClientRect().bottom <= height) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Replaces text in a way that can be undone, unless the text is so long that browsers would
// take seconds for that.
function replace(start, end, replacement) {
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, end);
  const isSmall = replacement.length + end - start < 10000;
  const isDone = isSmall && (replacement
    ? document.execCommand("insertText", false, replacement)
    : start === end || document.execCommand("delete"));
  if (!isDone) {
    area.setRangeText(replacement, start, end, "end");
    area.dispatchEvent(new Event("input"));
  }
}

// Replaces the whole text by one edit of the changed part.
export function change(now) {
  const old = area.value, [start, end] = difference(old, now);
  if (old !== now) replace(start, old.length - end, now.slice(start, now.length - end));
}

export function load(content) {
  replace(0, area.value.length, content);
  box.scrollTop = 0;
}

export function listen({ typed, moved, scrolled }) {
  area.addEventListener("input", typed);
  area.addEventListener("focus", () => {
    if (kept) area.setSelectionRange(...kept);
    kept = null;
  });
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === area) moved();
  });
  box.addEventListener("scroll", scrolled, { passive: true });
}
