// Sends requests to the server of the page. An exported page has another file of this name,
// which sends them to Python in the browser.

// Longer texts are only checked on demand. There are none: the server is fast enough.
export const longest = Infinity;

export async function call(operation, request) {
  const response = await fetch(`api/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  return response.json();
}
