// Links that carry the text. It is in the fragment, which browsers do not send to servers:
// "#sgf=" and the text in UTF-8, compressed (deflate) and in Base64 for URLs.

const KEY = "#sgf=";

export const isLink = (fragment) => fragment.startsWith(KEY);

export async function encode(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return KEY + letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The text of a fragment; null if there is none in it, or if it has more than `limit` bytes.
export async function decode(fragment, limit) {
  const decoder = new TextDecoder();
  let text = "", size = 0;
  try {
    const letters = fragment.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    // Few bytes can be compressed from very many: the stream is not read on above the limit.
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > limit) return null;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}
