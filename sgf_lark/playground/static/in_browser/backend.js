// Sends requests to Python in a worker of this page, so that typing is never blocked.

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
  return new Promise((resolve, reject) => {
    waiting.set(++count, { resolve, reject });
    worker.postMessage({ id: count, operation, body: JSON.stringify(request) });
  });
}
