// The variations of the game tree as a graph: a row for each branch, a column for each depth.
// Only the visible part is drawn, as there may be thousands of nodes.

const STEP = 16;
const MARGIN = STEP;
const box = document.getElementById("graph");
const picture = document.getElementById("graph-picture");
const space = document.getElementById("graph-space");
let branches = [];
let current = null;
let choose = () => {};

const x = (depth) => MARGIN + depth * STEP;
const y = (row) => MARGIN + row * STEP;

// Each branch: the number of its first node, its depth, its row, the row of its parent, letters.
export function show(found, node, chosen) {
  [branches, current, choose] = [found ?? [], node, chosen];
  box.hidden = branches.length === 0 || (branches.length === 1 && branches[0][4].length < 2);
  if (box.hidden) return;
  const depth = Math.max(...branches.map(([, start, , , letters]) => start + letters.length));
  space.style.width = `${x(depth)}px`;
  space.style.height = `${y(branches.length)}px`;
  // Not higher than needed, and room for a scroll bar.
  box.style.height = `${Math.min(y(branches.length) + 12, 144)}px`;
  const place = placeOf(current);
  if (place) reveal(...place);
  draw();
}

function placeOf(node) {
  const branch = branches.findLast(([first]) => first <= node);
  return branch && [x(branch[1] + node - branch[0]), y(branch[2])];
}

function reveal(left, top) {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
  if (left < scrollLeft + STEP || left > scrollLeft + clientWidth - STEP) box.scrollLeft = left - clientWidth / 2;
  if (top < scrollTop + STEP || top > scrollTop + clientHeight - STEP) box.scrollTop = top - clientHeight / 2;
}

function make(tag, properties) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  return element;
}

function draw() {
  const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = box;
  const first = Math.floor((left - MARGIN) / STEP) - 1, last = Math.ceil((left + width) / STEP);
  const lines = [], nodes = [];
  for (const [number, start, row, parent, letters] of branches) {
    const end = start + letters.length - 1;
    if (start - 1 > last || end < first || y(parent) > top + height || y(row) < top - STEP) continue;
    if (start > 0 && row > 0) lines.push(`M${x(start - 1)} ${y(parent)}V${y(row) - STEP / 2}L${x(start)} ${y(row)}`);
    lines.push(`M${x(Math.max(start, first))} ${y(row)}H${x(Math.min(end, last))}`);
    if (y(row) > top + height + STEP) continue;
    for (let depth = Math.max(start, first); depth <= Math.min(end, last); depth++) {
      const node = number + depth - start, kind = { B: "black", W: "white" }[letters[depth - start]] ?? "other";
      if (node === current) nodes.push(make("circle", { cx: x(depth), cy: y(row), r: 7.5, class: "here" }));
      nodes.push(make("circle", { cx: x(depth), cy: y(row), r: kind === "other" ? 3 : 5, class: kind }));
    }
  }
  picture.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
  picture.replaceChildren(make("path", { d: lines.join("") }), ...nodes);
}

function click(event) {
  const view = picture.getBoundingClientRect();
  const depth = Math.round((event.clientX - view.left + box.scrollLeft - MARGIN) / STEP);
  const row = Math.round((event.clientY - view.top + box.scrollTop - MARGIN) / STEP);
  const branch = branches[row];
  const node = branch && branch[0] + depth - branch[1];
  if (branch && depth >= branch[1] && depth < branch[1] + branch[4].length) choose(node);
}

box.addEventListener("scroll", draw, { passive: true });
picture.addEventListener("click", click);
new ResizeObserver(() => branches.length && draw()).observe(box);
