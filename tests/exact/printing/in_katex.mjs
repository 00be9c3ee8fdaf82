// node in_katex.mjs BROWSER FILE    parses the formulas of a JSON file with KaTeX; ends with 1 where it knows one not.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [browser, file] = process.argv.slice(2);
const require = createRequire(resolve(browser, "package.json"));
const katex = require("katex");
for (const formula of JSON.parse(readFileSync(file, "utf8"))) {
  try {
    katex.renderToString(formula, { displayMode: true, throwOnError: true, strict: "error", maxExpand: Infinity });
  } catch (error) {
    console.log(`${error.message}\n${formula.slice(0, 500)}`);
    process.exitCode = 1;
  }
}
