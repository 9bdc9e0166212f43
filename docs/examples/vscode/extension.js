// The extension: starts the language server, and shows the board beside the text.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

// The board is asked for when the cursor has rested for this many milliseconds.
const DELAY = 60;

let client;
let panel;
let timer;

function settings() {
  const section = vscode.workspace.getConfiguration("sgf-lark");
  const language = section.get("language");
  const ofEditor = vscode.env.language.startsWith("zh") ? "zh" : "en";
  return {
    profile: section.get("profile"),
    language: language === "auto" ? ofEditor : language,
    select: section.get("select"),
    ignore: section.get("ignore"),
    fixOnSave: section.get("fixOnSave"),
    maxDiagnostics: section.get("maxDiagnostics"),
    pictures: true,
  };
}

async function activate(context) {
  const [command, ...args] = vscode.workspace.getConfiguration("sgf-lark").get("command");
  client = new LanguageClient(
    "sgf-lark",
    "SGF",
    { command, args },
    {
      documentSelector: [{ language: "sgf" }],
      initializationOptions: settings(),
    },
  );
  const register = (name, action) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  register("sgf-lark.showBoard", () => showBoard(context));
  register("sgf-lark.applyFixes", async () => {
    const editor = sgfEditor();
    if (editor) await execute("sgf-lark.fixAll", [editor.document.uri.toString()]);
  });
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sgf-lark")) {
        client.sendNotification("workspace/didChangeConfiguration", { settings: settings() });
      }
    }),
    vscode.window.onDidChangeTextEditorSelection(follow),
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.window.onDidChangeActiveColorTheme(follow),
    vscode.workspace.onDidChangeTextDocument(follow),
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `The SGF language server could not be started with "${command}": ${error.message}. ` +
        'Install it with: pip install "sgf-lark[lsp]"',
    );
  }
}

function sgfEditor() {
  const editor = vscode.window.activeTextEditor;
  if (editor && editor.document.languageId === "sgf") return editor;
  return vscode.window.visibleTextEditors.find((each) => each.document.languageId === "sgf");
}

function execute(command, args) {
  return client.sendRequest("workspace/executeCommand", { command, arguments: args });
}

function place(editor) {
  const { line, character } = editor.selection.active;
  return [editor.document.uri.toString(), { line, character }];
}

function showBoard(context) {
  if (panel) {
    panel.reveal(undefined, true);
  } else {
    panel = vscode.window.createWebviewPanel(
      "sgf-lark.board",
      "Board",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false },
    );
    panel.onDidDispose(() => (panel = undefined), undefined, context.subscriptions);
  }
  follow();
}

function follow() {
  if (!panel) return;
  clearTimeout(timer);
  timer = setTimeout(update, DELAY);
}

async function update() {
  const editor = sgfEditor();
  if (!panel || !editor) return;
  const kinds = vscode.ColorThemeKind;
  const kind = vscode.window.activeColorTheme.kind;
  const theme = kind === kinds.Dark || kind === kinds.HighContrast ? "dark" : "light";
  const board = await execute("sgf-lark.board", [...place(editor), theme]);
  if (panel && board) panel.webview.html = page(board);
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

function page(board) {
  const captured = board.captured || {};
  const facts = board.svg
    ? `<p>Move ${board.move}, ${board.toMove} to play. Captured: B ${captured.B}, W ${captured.W}</p>`
    : "<p>This game has no board.</p>";
  // Nothing is loaded, and no script runs: a file cannot do anything in here.
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Board</title>
<style>svg { max-width: 100%; max-height: 75vh; height: auto } pre { white-space: pre-wrap }</style>
</head><body>${board.svg || ""}${facts}<pre>${escaped(board.comment)}</pre></body></html>`;
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate, page };
