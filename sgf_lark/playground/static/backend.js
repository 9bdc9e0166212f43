// Asks the server that the page came from. An exported page has another file of this
// name, which asks Python in the browser.

export async function call(operation, request) {
  const response = await fetch(`api/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  return response.json();
}
