// The panels: each shows its part of the answer, and calls back when something is chosen.

import { word } from "./words.js";

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const byId = (id) => document.getElementById(id);

// An SVG of an answer as an element. It is parsed as a document of its own, so that no script
// in it runs.
function drawing(source) {
  return document.importNode(new DOMParser().parseFromString(source, "image/svg+xml").documentElement, true);
}

// --- Problems ---------------------------------------------------------------------------

export function problems(diagnostics, counts, { choose, fix, fixAll, compare }) {
  const list = byId("problems");
  list.replaceChildren(...diagnostics.map((found) => make("li", { className: found.severity },
    make("button", { className: "problem", onclick: () => choose(found) },
      make("span", { className: "severity" }, word(found.severity)), " ",
      make("code", {}, found.code), ` ${found.message} `,
      make("span", { className: "place" }, `${found.line}:${found.column}`)),
    found.edits && make("button", { className: "fix", title: found.fix ?? "", onclick: () => fix(found.edits) }, word("applyFix")))));
  const total = counts.error + counts.warning + counts.style;
  byId("counts").textContent = total
    ? word("counts", counts) + (total > diagnostics.length ? ` ${word("shown", { count: diagnostics.length })}` : "")
    : word("valid");
  byId("counts").className = counts.error ? "error" : counts.warning ? "warning" : "good";
  byId("fix-all").hidden = !diagnostics.some((found) => found.edits);
  byId("fix-all").onclick = fixAll;
  byId("compare").hidden = !diagnostics.some((found) => found.fix);
  byId("compare").onclick = compare;
}

// --- Parse tree -------------------------------------------------------------------------

// The folded items, by their paths: the index among its siblings of each item on the way to one.
// They stay folded while the text after them is edited.
const folded = new Set();
let drawn = { lines: [], selected: -1, choose: () => {} };

export function tree(lines, selected, choose) {
  drawn = { lines, selected, choose };
  setPaths(lines);
  // Whatever is selected is shown.
  const chosen = lines.find((line) => line.item === selected && line.name);
  if (chosen) for (const path of ancestors(chosen.path)) folded.delete(path);
  draw();
}

// Gives each line its path. A line for several items has the path of the first of them.
function setPaths(lines) {
  const counts = [];
  const indexes = [];
  for (const line of lines) {
    counts.length = line.depth + 1;
    indexes[line.depth] = counts[line.depth] ?? 0;
    indexes.length = line.depth + 1;
    line.path = indexes.join("/");
    counts[line.depth] = indexes[line.depth] + (line.left ?? 1);
  }
}

function ancestors(path) {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function draw() {
  const { lines, selected, choose } = drawn;
  const list = byId("tree"), hadFocus = list.contains(document.activeElement);
  const base = Math.max(0, (lines.find((line) => line.item === selected)?.depth ?? 0) - 12);
  const shown = lines.filter((line) => !ancestors(line.path).some((path) => folded.has(path)));
  list.replaceChildren(...shown.map((line) => {
    const isSelected = line.item === selected && line.name;
    const element = make("li", {
      role: "treeitem", tabIndex: isSelected ? 0 : -1, "aria-level": line.depth + 1,
      "aria-selected": Boolean(isSelected), className: line.damage ? "damage" : "",
      onclick: () => line.item !== undefined && choose(line),
    });
    element.style.setProperty("--depth", Math.max(0, line.depth - base));
    element.line = line;
    if (line.left) element.append(make("i", {}, word("left", { count: line.left })));
    else element.append(twist(element, lines), make("span", {}, line.name), line.text == null ? "" : make("code", {}, line.text));
    return element;
  }));
  if (hadFocus) list.querySelector("[aria-selected=true]")?.focus({ preventScroll: true });
  showSelected();
}

// The sign that folds and unfolds an item; it sets whether its element is expanded.
function twist(element, lines) {
  const { line } = element;
  if (!line.inner) return make("b", { className: "twist", "aria-hidden": "true" });
  element.ariaExpanded = isOpen(line, lines);
  return make("b", {
    className: "twist", "aria-hidden": "true",
    onclick: (event) => {
      event.stopPropagation();
      fold(line, isOpen(line, lines));
    },
  }, isOpen(line, lines) ? "▾" : "▸");
}

// Of a long tree, the items inside most others are not there until one is selected.
const hasInner = (line, lines) => lines[lines.indexOf(line) + 1]?.depth > line.depth;
const isOpen = (line, lines) => hasInner(line, lines) && !folded.has(line.path);

function fold(line, isFolded) {
  const { lines, selected, choose } = drawn;
  if (isFolded) folded.add(line.path);
  else folded.delete(line.path);
  const chosen = lines.find((found) => found.item === selected && found.name);
  const hidesChosen = isFolded && chosen && ancestors(chosen.path).includes(line.path);
  if (hidesChosen || (!isFolded && !hasInner(line, lines))) choose(line);
  else draw();
}

// Scrolls to the selected item; also called when the panel appears, as a hidden one cannot scroll.
export function showSelected() {
  show(byId("tree"), byId("tree").querySelector("[aria-selected=true]"));
}

export function treeKeys(choose) {
  byId("tree").addEventListener("keydown", (event) => {
    const item = event.target.closest("li");
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    const step = { ArrowRight: "false", ArrowLeft: "true" }[event.key];
    if (item && isPlain && step && item.ariaExpanded === step) {
      event.preventDefault();
      fold(item.line, event.key === "ArrowLeft");
      return;
    }
    const goal = item && {
      ArrowDown: () => item.nextElementSibling,
      ArrowUp: () => item.previousElementSibling,
      ArrowRight: () => item.nextElementSibling?.line.depth > item.line.depth ? item.nextElementSibling : null,
      ArrowLeft: () => parent(item),
      Home: () => item.parentElement.firstElementChild,
      End: () => item.parentElement.lastElementChild,
    }[event.key]?.();
    if (!goal || !isPlain) return;
    event.preventDefault();
    goal.focus();
    if (goal.line.item !== undefined) choose(goal.line);
  });
}

function parent(item) {
  let above = item.previousElementSibling;
  while (above && above.line.depth >= item.line.depth) above = above.previousElementSibling;
  return above;
}

// Scrolls a panel to an element in it, without scrolling the page.
function show(panel, element) {
  if (!element) return;
  const place = element.getBoundingClientRect(), view = panel.getBoundingClientRect();
  if (place.top < view.top || place.bottom > view.bottom) panel.scrollTop += place.top - view.top - view.height / 3;
}

// --- Values -----------------------------------------------------------------------------

export function values(readings, [start, end], choose) {
  const head = ["property", "type", "raw", "result"].map((key) => make("th", { scope: "col" }, word(key)));
  const rows = readings.map((reading) => {
    const isHere = reading.span[0] <= start && end <= reading.span[1];
    return make("tr", { className: isHere ? "here" : "", onclick: () => choose(reading.span) },
      make("td", {}, make("button", { className: "link", title: reading.name }, reading.ident), " ", make("small", {}, reading.name)),
      make("td", {}, reading.type),
      make("td", {}, make("code", {}, reading.raw)),
      make("td", { className: reading.fits ? "" : "damage" }, reading.result));
  });
  byId("values").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

// --- Board ------------------------------------------------------------------------------

export function board(answer, choose) {
  const panel = byId("board");
  const about = byId("board-about");
  if (!answer.board) {
    panel.replaceChildren(make("p", { className: "quiet" }, word(answer.noBoard)));
    about.textContent = "";
    return;
  }
  const side = word(answer.toMove === "B" ? "black" : "white");
  const { B: black, W: white } = answer.captured;
  about.textContent = word("boardAbout", { move: answer.move, side }) + (black + white ? word("captured", { black, white }) : "");
  const picture = drawing(answer.board);
  picture.setAttribute("preserveAspectRatio", "xMidYMin");
  const lit = new Set(answer.points);
  for (const point of picture.querySelectorAll("[data-point]")) point.classList.toggle("lit", lit.has(point.dataset.point));
  panel.replaceChildren(picture);
  panel.onclick = (event) => {
    const place = event.target.closest("[data-point]");
    if (place) choose(place.dataset.point);
  };
}

// The name and the comment of the node, beside the board.
export function comment(texts) {
  const { N: name, C: text } = texts;
  byId("comment").hidden = !name && !text;
  byId("comment").replaceChildren(...[name && make("h3", {}, name), text && make("p", {}, text)].filter(Boolean));
}

// --- Diagram ----------------------------------------------------------------------------

export function path(entries, choose) {
  byId("path").replaceChildren(...entries.map((entry, index) =>
    make("button", { className: "link", "aria-current": index === entries.length - 1 ? "true" : "false", onclick: () => choose(entry) }, entry.name)));
}

// The diagrams of the structure, with the path to the selection highlighted, and of the value.
export function diagram(structure, values, entries, rules, choose) {
  const panel = byId("diagram"), names = entries.map((entry) => entry.name);
  const current = names.findLast((name) => name in structure);
  const figures = [...Object.entries(structure), ...rules.map((name) => [name, values[name]])]
    .filter(([, source]) => source).map(([name, source]) => {
      const picture = drawing(source);
      const after = names[names.indexOf(name) + 1];
      for (const symbol of picture.querySelectorAll("[data-symbol]")) {
        symbol.classList.toggle("lit", names.includes(name) && symbol.dataset.symbol === after);
      }
      return make("figure", { className: name === current ? "current" : names.includes(name) || rules.includes(name) ? "lit" : "" },
        make("figcaption", {}, make("button", { className: "link", "data-symbol": name, disabled: rules.includes(name) }, name)), picture);
    });
  panel.replaceChildren(...figures);
  panel.onclick = (event) => {
    const place = event.target.closest("[data-symbol]");
    if (place && !place.disabled) choose(place.dataset.symbol);
  };
  show(panel, panel.querySelector(".current"));
}

// --- Explanation ------------------------------------------------------------------------

export function explanation(entries) {
  byId("explanation").replaceChildren(...entries.map((entry) => make("article", { className: entry.severity ?? entry.kind },
    make("h3", {}, entry.title),
    ...entry.texts.map((text) => make("p", {}, text)),
    ...entry.facts.map(([label, text]) => make("p", {}, make("b", {}, label), ` ${text}`)))));
}
