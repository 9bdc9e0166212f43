// Runs Python with sgf_lark; all files are in the folder of this page.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = begin();

async function begin() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: "./pyodide/", checkAPIVersion: false }),
    fetch("python.zip").then((response) => response.arrayBuffer()),
  ]);
  const folder = "/lib/sgf_lark";
  python.unpackArchive(archive, "zip", { extractDir: folder });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(folder)})`);
  return python.pyimport("sgf_lark.playground.operations");
}

self.onmessage = async ({ data: { id, operation, body } }) => {
  try {
    const operations = await ready;
    self.postMessage({ id, answer: operations.answer_text(operation, body) });
  } catch (error) {
    self.postMessage({ id, failure: String(error.message ?? error) });
  }
};
