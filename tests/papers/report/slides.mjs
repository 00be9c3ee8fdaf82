// Goes through slides as a lecturer does: node slides.mjs MODULES CHROMIUM FILE …
// Prints for each file how many slides there are, which of them have no room for a part, and where the keys lead.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, executablePath, ...files] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/any.js`)("playwright-core");
const KEYS = ["End", "PageUp", "Home", "ArrowRight", " ", "n", "ArrowRight", "ArrowLeft", "Home"];

/** Returns what reaches beyond the slide that is shown, and the equations on it. */
function seen() {
  const slide = document.querySelector(".now"), body = slide.querySelector(".body"), box = body.getBoundingClientRect();
  const parts = [...body.querySelectorAll("p, td, math, figure, svg, img")].map((each) => [each, each.getBoundingClientRect()]);
  const outside = parts.filter(([, { width, right, bottom }]) => width && (right > box.right + 2 || bottom > box.bottom + 2));
  return { outside: outside.map(([each]) => each.outerHTML.slice(0, 80)), numbers: [...slide.querySelectorAll(".number")].map((each) => each.textContent) };
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const results = [];
for (const file of files) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(".shown .now", { timeout: 120_000 });
  const count = await page.evaluate(() => document.querySelectorAll(".slide").length);
  const outside = [], numbers = [], places = [];
  for (let k = 0; k < count; k++) {
    const one = await page.evaluate(seen);
    outside.push(...one.outside);
    numbers.push(...one.numbers.filter(Boolean));
    await page.keyboard.press("PageDown");
  }
  for (const key of KEYS) {
    await page.keyboard.press(key);
    places.push(await page.evaluate(() => [location.hash, document.querySelectorAll(".now .hidden").length]));
  }
  await page.keyboard.press("?");
  const helped = await page.evaluate(() => document.querySelector("#keys").open);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const pages = pdf.match(/\/Type\s*\/Page\b/g).length, boxes = [...new Set(pdf.match(/\/MediaBox\s*\[[^\]]*\]/g))];
  results.push({ count, outside, numbers, places, helped, errors, pages, boxes });
  await page.close();
}
await browser.close();
console.log(JSON.stringify(results));
