// Parses files of Swift, Kotlin and Dart, and names each place that is no such language:
//
//     node --liftoff-only parse.mjs FILE...
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { Language, Parser } from "web-tree-sitter";

const names = { ".swift": "swift", ".kt": "kotlin", ".kts": "kotlin", ".dart": "dart" };
const find = createRequire(import.meta.url).resolve;

await Parser.init();
const parsers = {};
for (const file of process.argv.slice(2)) {
  const name = names[extname(file)];
  if (!parsers[name]) {
    const grammar = find(`tree-sitter-wasms/out/tree-sitter-${name}.wasm`);
    parsers[name] = new Parser().setLanguage(await Language.load(grammar));
  }
  const tree = parsers[name].parse(await readFile(file, "utf8"));
  const nodes = [tree.rootNode];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.isError || node.isMissing) {
      const { row, column } = node.startPosition;
      console.log(`${file}:${row + 1}:${column + 1}: ${node.text.slice(0, 80)}`);
      process.exitCode = 1;
    } else if (node.hasError) {
      nodes.push(...node.children);
    }
  }
}
