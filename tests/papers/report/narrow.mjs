// Looks at reports on a phone: node narrow.mjs MODULES CHROMIUM REPORT …
// Prints how wide each page is, and of each picture its room, how large it is drawn, and whether its end is reached.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, executablePath, ...files] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/any.js`)("playwright-core");

/** Returns the width of the page, and for each picture that is shown the pixels for a point of it and the width of its box. */
function measured() {
  const pictures = [...document.querySelectorAll("figure svg")].filter((each) => each.getBoundingClientRect().width);
  return {
    page: document.documentElement.scrollWidth,
    pictures: pictures.map((each) => {
      const box = each.closest("[tabindex]");
      box.scrollLeft = 1e6;
      const [edge, right] = [box, each].map((part) => part.getBoundingClientRect().right);
      return { scale: each.getScreenCTM().a, room: box.clientWidth, reached: right <= edge + 1 };
    }),
  };
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
const seen = [];
for (const file of files) {
  await page.goto(pathToFileURL(file).href);
  seen.push(await page.evaluate(measured));
}
await browser.close();
console.log(JSON.stringify(seen));
