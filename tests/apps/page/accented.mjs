// node accented.mjs PAGE SENTENCES SITE ADDRESS CHROMIUM MODULES    prints what the page's tabs say in the language xx, as JSON.
// SENTENCES: a file of all languages, which the page in the folder SITE is given; ADDRESS: where that is served.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { SOON, go } from "./acts.mjs";

const [page, sentences, site, address, executablePath, modules] = process.argv.slice(2);
const require = createRequire(resolve(modules, "any.js"));
const { build } = require("esbuild"), { chromium } = require("playwright-core");
const given = { name: "given", setup: ({ onResolve }) => {
  onResolve({ filter: /languages\.json$/ }, () => ({ path: sentences }));
  onResolve({ filter: /\/widget\.ts$/ }, () => ({ path: "./widget.js", external: true }));
} };
await build({ entryPoints: [join(page, "src/main.ts")], outdir: site, bundle: true, format: "esm", splitting: true, charset: "utf8", plugins: [given], logLevel: "warning" });

// formulas, code and what is typed have no language; a choice of languages has all of them; the places in an answer are
// told by the Python within the page, which has no such folder
const NEUTRAL = "math, td.where, code, pre, textarea, script, noscript, style, output, button[lang], .brand, .term, .scale";
const FEW = 20; // what the frame of the page says has fewer texts
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
const opened = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
await opened.goto(`${address}#lang=xx`);
const texts = () => opened.evaluate((neutral) => {
  const said = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); ) if (node.data.trim() && !node.parentElement.closest(neutral)) said.push(node.data.trim());
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (!each.closest(neutral)) said.push(...["aria-label", "title", "placeholder"].map((name) => each.getAttribute(name) ?? "").filter(Boolean));
  }
  return [...new Set(said)];
}, NEUTRAL);

/** What a tab says once it has been filled: Python may be ready between two answers, and the tab still grows. */
async function filled() {
  for (let last = [], until = Date.now() + SOON.timeout; Date.now() < until; ) {
    await opened.waitForSelector('[data-python="ready"]', SOON);
    const now = await texts();
    if (now.length > FEW && JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
    await opened.waitForTimeout(500);
  }
  return await texts();
}

const said = {};
for (const view of await opened.locator("[data-view]").evaluateAll((all) => all.map((each) => each.dataset.view))) {
  await go(opened, view);
  said[view] = await filled();
}
console.log(JSON.stringify(said));
await browser.close();
