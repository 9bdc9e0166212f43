// Sends requests to Python in a worker of this page, so that typing is never blocked.

// Longer texts, in code units, are only checked on demand: Python takes seconds for them.
export const longest = 20480;

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let count = 0;

worker.onmessage = ({ data: { id, answer, failure } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (failure) reject(new Error(failure));
  else resolve(JSON.parse(answer));
};

export function call(operation, request) {
  // This answer never changes; it was written when the page was exported.
  if (operation === "begin") return fetch("begin.json").then((response) => response.json());
  return new Promise((resolve, reject) => {
    waiting.set(++count, { resolve, reject });
    worker.postMessage({ id: count, operation, body: JSON.stringify(request) });
  });
}
