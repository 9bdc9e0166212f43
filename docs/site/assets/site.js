// A browser starts the playground only from a server.
if (location.protocol === "file:") document.documentElement.dataset.fromFiles = "";

// Names and keyboard access for what the theme adds to a page when it runs.
function complete() {
  document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((buttons) => {
    buttons.setAttribute("aria-label", buttons.parentElement.id || "code");
  });
  for (const scrolled of document.querySelectorAll(".md-typeset__scrollwrap, .grammar .diagram, .grammar .table")) {
    if (scrolled.scrollWidth > scrolled.clientWidth) scrolled.tabIndex = 0;
  }
}
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
addEventListener("load", complete);
addEventListener("resize", complete);

// A hyphen in a query excludes the term after it. Inside a word it separates, as in the index:
// move-with-setup, UTF-8.
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") message.data = message.data.replace(/(\S)-(?=\S)/g, "$1 ");
  post.call(this, message, ...more);
};
