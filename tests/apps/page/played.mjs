// node played.mjs ADDRESS FILE CHROMIUM MODULES    plays with the arm of a page of the site, which is served and on disk.
// The page has one arm, two_link. It prints nothing and ends with 0 where all is as it should be.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { SOON } from "./acts.mjs";

const [address, file, executablePath, modules] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "any.js"))("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
const page = await browser.newPage(), asked = [], faults = [];
page.on("request", (request) => asked.push(request.url()));
page.on("pageerror", (error) => faults.push(error.message));
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
const button = page.locator("button[data-page]"), unserved = page.locator("p.unserved");

await page.goto(address);
await button.waitFor(SOON);
assert.equal(await unserved.isVisible(), false);
assert.deepEqual(asked.filter((url) => url.includes("/page/index.html")), [], "the page is not loaded by itself");
await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
await button.click();
const frame = page.frameLocator("figure.play iframe");
await frame.locator('[data-python="ready"]').waitFor(SOON);
await frame.locator('[data-view="arm"][aria-current="page"]').waitFor(SOON);
assert.match(await frame.locator("h1").innerText(), /^Planar two-link arm/);
assert.equal(await frame.locator('input[type="range"]').count(), 2);
assert.equal(await frame.locator("html").getAttribute("lang"), "en");
assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
assert.equal(await page.locator(".stage img").count(), 0, "the picture has made room");
assert.deepEqual(faults, []);

const alone = await page.locator("figure.play a").getAttribute("href");
await page.goto(new URL(alone.replace("lang=en", "lang=zh"), address).href);
await page.locator('html[lang="zh"] [data-view="arm"][aria-current="page"]').waitFor(SOON);

await page.goto(pathToFileURL(file).href);
await unserved.waitFor(SOON);
assert.match(await unserved.innerText(), /qddot page two_link/);
assert.equal(await button.isVisible(), false);
await browser.close();
