// Handles between the panels, to drag or to move with the arrow keys; a double click undoes that.

import { storeSetting, storedSetting } from "./words.js";

const grid = document.getElementById("panels");
const AXES = { x: "gridTemplateColumns", y: "gridTemplateRows" };
const LEAST = 90;

// The sizes of the tracks in pixels, as they are.
const sizes = (axis) => getComputedStyle(grid)[AXES[axis]].split(" ").map(parseFloat);

function set(axis, found) {
  grid.style.setProperty(`--${axis}`, found ? found.map((size) => `minmax(0, ${size.toFixed(1)}fr)`).join(" ") : "");
  if (!found) grid.style.removeProperty(`--${axis}`);
  storeSetting(`tracks.${axis}`, found ? found.join(" ") : "");
  tell();
}

// Tells assistive programs where each handle is, in percent of the two tracks beside it.
function tell() {
  for (const handle of document.querySelectorAll(".splitter")) {
    const tracks = sizes(handle.dataset.axis), before = Number(handle.dataset.before);
    handle.ariaValueNow = Math.round((100 * tracks[before]) / (tracks[before] + tracks[before + 1])) || 50;
  }
}

// Moves the border after the tracks `before` by some pixels.
function move(axis, before, start, step) {
  const found = [...start], room = [found[before] + step, found[before + 1] - step];
  if (Math.min(...room) < Math.min(LEAST, start[before], start[before + 1])) return;
  [found[before], found[before + 1]] = room;
  set(axis, found);
}

export function begin() {
  for (const axis of Object.keys(AXES)) {
    const stored = storedSetting(`tracks.${axis}`)?.split(" ").map(Number) ?? [];
    if (stored.length === sizes(axis).length && stored.every((size) => size > 0)) set(axis, stored);
  }
  for (const handle of document.querySelectorAll(".splitter")) {
    const { axis, before } = handle.dataset, index = Number(before);
    handle.addEventListener("pointerdown", (event) => {
      const start = sizes(axis), at = axis === "x" ? event.clientX : event.clientY;
      handle.setPointerCapture(event.pointerId);
      const drag = (now) => move(axis, index, start, (axis === "x" ? now.clientX : now.clientY) - at);
      handle.addEventListener("pointermove", drag);
      handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", drag), { once: true });
      event.preventDefault();
    });
    handle.addEventListener("keydown", (event) => {
      const step = { x: { ArrowLeft: -20, ArrowRight: 20 }, y: { ArrowUp: -20, ArrowDown: 20 } }[axis][event.key];
      if (!step || event.altKey) return;
      event.preventDefault();
      move(axis, index, sizes(axis), step);
    });
    handle.addEventListener("dblclick", () => set(axis, null));
  }
  tell();
}
