// The steps of the LALR(1) parser, one by one: its stack, the token, and the items of its state,
// with what may follow them. The reason for the action is marked.

import { make } from "./panels.js";
import { word } from "./words.js";

const panel = document.getElementById("parser"), button = document.getElementById("parser-open");
let ask = async () => null;
let show = () => {};
let current = null;

export function begin(found) {
  ({ ask, show } = found);
  button.addEventListener("click", () => open(panel.hidden));
}

async function open(isOpen) {
  panel.hidden = !isOpen;
  button.setAttribute("aria-pressed", isOpen);
  for (const id of ["path", "diagram"]) document.getElementById(id).hidden = isOpen;
  if (isOpen) await go({ start: place });
  else show(null);
}

let place = 0;

// Goes to the step that reads what is selected.
export function follow(start) {
  place = start;
  if (!panel.hidden) go({ start });
}

async function go(where) {
  const answer = await ask(where);
  if (!answer) return;
  current = answer;
  show(answer.span);
  draw();
}

function draw() {
  const { step, count, more, state, stack, cut, terminal, text, action, target, production, expected, items } = current;
  const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.to : null;
  const to = (sign, name, number) => make("button", {
    "data-to": name, "aria-label": word(name), title: word(name), onclick: () => go({ step: number }),
    "aria-disabled": number < 0 || number >= count || number === step,
  }, sign);
  const done = word(`step_${action}`, { target, production, expected: expected.join(" ") });
  panel.replaceChildren(
    make("div", { className: "bar" },
      to("«", "stepFirst", 0), to("‹", "stepBack", Math.max(step - 1, 0)), to("›", "stepOn", Math.min(step + 1, count - 1)), to("»", "stepLast", count - 1),
      make("span", {}, word("stepOf", { step: step + 1, count: more ? `${count}+` : count }))),
    make("p", {}, make("b", {}, word("stack")), " ", make("code", {}, `${cut ? "… " : ""}${stack.join(" ")}`)),
    make("p", {}, make("b", {}, word("token")), " ", make("code", {}, `${terminal} ${text}`)),
    make("p", { role: "status" }, make("b", {}, word("action")), ` ${done}`),
    make("p", {}, make("b", {}, word("state", { state }))),
    make("ul", {}, ...items.map((item) => make("li", { className: `${item.is_kernel ? "kernel" : ""} ${item.is_reason ? "reason" : ""}` },
      make("code", {}, item.text), make("small", {}, ` ${word("then")} `), make("code", {}, item.lookaheads)))));
  if (focused) panel.querySelector(`[data-to=${focused}]`)?.focus();
}
