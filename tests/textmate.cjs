// Tokenizes lines with the tokenizer of VS Code: a JSON array of texts on standard input, and on
// standard output for each text its tokens as [text, innermost scope].
// Usage: node textmate.cjs GRAMMAR FOLDER, where FOLDER has the npm packages.

const fs = require("fs");
const path = require("path");
const [grammarPath, folder] = process.argv.slice(2);
const load = (name) => require(require.resolve(name, { paths: [path.resolve(folder)] }));
const oniguruma = load("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = load("vscode-textmate");

async function main() {
  const entry = require.resolve("vscode-oniguruma", { paths: [path.resolve(folder)] });
  await oniguruma.loadWASM(fs.readFileSync(path.join(path.dirname(entry), "onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () =>
      parseRawGrammar(fs.readFileSync(grammarPath, "utf8"), "grammar.json"),
  });
  const grammar = await registry.loadGrammar("source.sgf");
  const answers = JSON.parse(fs.readFileSync(0, "utf8")).map((text) => {
    let stack = INITIAL;
    return text.split("\n").flatMap((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      return tokens.map((token) => [
        line.slice(token.startIndex, token.endIndex),
        token.scopes[token.scopes.length - 1],
      ]);
    });
  });
  process.stdout.write(JSON.stringify(answers));
}

main();
