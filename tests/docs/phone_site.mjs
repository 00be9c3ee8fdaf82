// Looks at pages of a built site as a phone shows them: node phone_site.mjs MODULES CHROMIUM PAGE …
// Prints what lies beyond the right edge of the screen in each page and cannot be pushed into sight.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, executablePath, ...files] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/any.js`)("playwright-core");

/** Returns the elements that are cut: those beyond the edge that no part of the article scrolls, as it does tables. */
function cut() {
  const scrolls = (element) => element && !element.matches(".bd-article-container")
    && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const unseen = ".katex-mathml *, .katex-mathml, .katex svg *"; // mathematics for readers of screens, and the tails of its roots
  const shown = [...document.querySelectorAll("main *")]
    .filter((element) => !element.matches(unseen) && element.getBoundingClientRect().width > 1);
  return shown
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement))
    .map((element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`);
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
const seen = {};
for (const file of files) {
  await page.goto(pathToFileURL(file).href);
  seen[file] = await page.evaluate(cut);
}
await browser.close();
console.log(JSON.stringify(seen));
