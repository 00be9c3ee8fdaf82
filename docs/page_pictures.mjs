// Takes the site's pictures of the page, each with an arm in it, into docs/_static/page:
//     node docs/page_pictures.mjs ADDRESS CHROMIUM NAME …          ADDRESS is what `qddot page` prints
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [address, executablePath, ...names] = process.argv.slice(2);
const docs = dirname(fileURLToPath(import.meta.url)), folder = join(docs, "_static", "page");
const { chromium } = createRequire(join(docs, "..", ".venv", "browser", "node_modules", "any.js"))("playwright-core");
const SIZE = { width: 960, height: 600 }, QUALITY = 60;
const POSE = [0.4, 0.5, -0.6, 0.5, 0.4, 0.3, 0.2], POSES = { ur5: [0.4, -1.1, 0.9, -0.4, 0.4, 0.3] }; // a UR5 stands on the floor

/** Moves the sliders, each as far as its joint goes. */
function move(pose) {
  document.querySelectorAll('input[type="range"]').forEach((slider, k) => {
    slider.value = String(pose[k % pose.length]);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const name of names) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, serviceWorkers: "block" });
    const page = await context.newPage();
    await page.addInitScript(() => localStorage.setItem("qddot.welcomed", "yes")); // the arm, not the introduction above it
    await page.goto(`${address}#robot=${name}&view=arm&lang=en`);
    await page.waitForSelector('[data-python="ready"]', { timeout: 90_000 });
    await page.waitForSelector("canvas");
    await page.evaluate(move, POSES[name] ?? POSE);
    await page.evaluate(() => (document.querySelector(".pill").lastChild.textContent = "Ready")); // the number of seconds depends on this machine
    await page.waitForFunction(() => /\d/.test(document.querySelector(".torque output")?.innerText ?? ""));
    await page.waitForTimeout(500); // until the arm stands still
    const { data } = await (await context.newCDPSession(page)).send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
    await context.close();
  }
}
await browser.close();
