// node bench/page.mjs ADDRESS CHROMIUM MODULES [MINUTES [PICTURES]]    times what the page does, then uses it as long.
// ADDRESS: of `qddot page`; MODULES: a folder with playwright-core. Memory is what the processes of the browser's pages
// hold (Pss). Prints a line of JSON for each figure.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { SOON, cell, choose, go, pick } from "../tests/apps/page/acts.mjs";

const [address, executablePath, modules, minutes = "0", pictures] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "any.js"))("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
const ROBOTS = ["spatial_2r", "elbow_3r", "puma560_akb", "rp", "franka_panda", "two_link", "ur5"];
const say = (figure) => console.log(JSON.stringify(figure));

/** Megabytes that the pages and workers of this browser hold. */
function memory() {
  const parents = new Map(); // of the machine's processes, by their ids
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(id, /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]);
    } catch {} // it has ended
  }
  const ours = (id) => id === String(process.pid) || (parents.has(id) && ours(parents.get(id)));
  let sum = 0;
  for (const id of [...parents.keys()].filter(ours)) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) continue;
      sum += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]);
    } catch {}
  }
  return Math.round(sum / 1024);
}

/** Lets the page and its workers collect their garbage, since memory before that depends on when they last did. */
async function collected(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.detach();
}

async function seconds(work) {
  const begun = performance.now();
  await work();
  return Number(((performance.now() - begun) / 1000).toFixed(3));
}

/** Counts, in a page, the frames in which WebGL drew anything. */
function counting() {
  globalThis.framesDrawn = 0;
  let drew = false;
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...given) {
      if (!drew) {
        drew = true;
        setTimeout(() => ((globalThis.framesDrawn += 1), (drew = false)));
      }
      return draw.apply(this, given);
    };
  }
}

async function opened(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(SOON.timeout);
  await page.addInitScript(counting);
  await page.goto(address);
  return page;
}

const ready = (page) => page.locator('.pill[data-python="ready"]').first().waitFor(SOON);
/** Waits until the browser has kept Python's memory for the next visit. */
async function kept(page) {
  const isKept = () => page.evaluate(async () => !!(await caches.match("memory")));
  for (const end = Date.now() + SOON.timeout; Date.now() < end && !(await isKept()); ) await page.waitForTimeout(200);
}

// a handle of a node would keep its whole list in memory, so that nothing here waits by one
const still = (page) => page.waitForFunction(() => !document.querySelector(".waiting") && !!document.querySelector(".equations .term"), null, SOON);

/** Seconds from the change of a cell until the equations, which are looked at then, have changed. */
async function edited(page, selector, value) {
  const shown = ".equations-view > div > .sheet"; // with the constants, in which most edits show
  const before = await page.innerText(shown);
  await go(page, "robot");
  await page.waitForTimeout(500);
  const spent = await page.evaluate(async ([selector, value, shown, before]) => {
    const field = document.querySelector(selector);
    field.value = value;
    const begun = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    document.querySelector('[data-view="equations"]').click();
    while (document.querySelector(".waiting") || document.querySelector(shown).innerText === before) await new Promise(requestAnimationFrame);
    return (performance.now() - begun) / 1000;
  }, [selector, value, shown, before]);
  return Number(spent.toFixed(3));
}

async function figures(page) {
  await pick(page, "elbow_3r");
  await go(page, "equations");
  await still(page);
  await ready(page);
  const edits = [];
  for (const mass of ["2*m2", "3*m2", "4*m2"]) edits.push(await edited(page, cell("link", 1, "mass"), mass));
  say({ "edit of a 3R shown, s (median of three)": edits.sort((a, b) => a - b)[1] });
  await pick(page, "puma560");
  await go(page, "equations");
  await ready(page);
  const form = page.locator(".equations-view > div > .bar select").nth(0);
  await choose(page, "T");
  await form.selectOption("normal");
  await still(page);
  for (const quantity of ["M", "G"]) say({ [`PUMA's ${quantity} in normal form, s`]: await seconds(() => choose(page, quantity)) });
  say({
    "PUMA's proof, s": await seconds(async () => {
      await page.click('[data-do="prove"]');
      await page.locator(".proof details.holds").first().waitFor(SOON);
    }),
  });
  await form.selectOption("sums");
  for (const quantity of ["M", "C", "G"]) {
    await page.click('[data-quantity="T"]'); // so that nothing of this form is left in view
    await still(page);
    say({
      [`PUMA's textbook form of ${quantity}, s`]: await seconds(async () => {
        await page.click(`[data-quantity="${quantity}"]`);
        const ask = page.locator(".equations-view > div > .sheet button.main"), made = page.locator(`.proved`);
        await ask.or(made).first().waitFor(SOON);
        if (await ask.count()) await ask.click();
        await made.first().waitFor(SOON);
        await still(page);
      }),
    });
    if (pictures) await page.screenshot({ path: `${pictures}/${quantity}.png` });
  }
  say({ "memory with the PUMA, MB": memory() });
  await collected(page);
  say({ "memory with the PUMA after its garbage is collected, MB": memory() });
}

/** Frames that are drawn in a second while ten arms of seven joints move. */
async function frames(page) {
  await pick(page, "franka_panda");
  await go(page, "motion");
  await page.locator('[data-do="run"]:enabled').first().waitFor(SOON);
  await page.fill('[data-field="arms"]', "10");
  await page.keyboard.press("Tab");
  await page.uncheck('label:has-text("joint limits") input'); // at one of which the Panda begins
  await page.locator('[data-do="run"]:enabled').first().waitFor(SOON);
  await page.click('[data-do="run"]');
  await page.locator("canvas.arm").scrollIntoViewIfNeeded();
  await page.waitForTimeout(1000);
  const drawn = await page.evaluate(async () => {
    const before = framesDrawn;
    await new Promise((resolve) => setTimeout(resolve, 4000));
    return framesDrawn - before;
  });
  if (pictures) await page.screenshot({ path: `${pictures}/ten.png` });
  await page.click('[data-do="run"]');
  say({ "frames drawn a second, ten arms of 7 joints": drawn / 4 });
}

/** Chooses a quantity, which of a long arm is derived only when somebody asks for it. */
async function derived(page, quantity) {
  await page.click(`[data-quantity="${quantity}"]`);
  const offer = page.locator(".equations-view > div > .sheet button.main");
  await offer.or(page.locator(".equations .term")).first().waitFor(SOON);
  if (await offer.count()) await offer.click();
  await still(page);
}

/** What somebody does in a minute: another arm, its equations, a slider, a motion, a judgement. */
async function used(page, turn) {
  await pick(page, ROBOTS[turn % ROBOTS.length]);
  await go(page, "equations");
  await ready(page);
  for (const quantity of ["M", "G"]) await derived(page, quantity);
  await go(page, "arm");
  await page.locator("canvas.arm").first().waitFor(SOON);
  await page.focus(".slider input >> nth=0");
  for (let k = 0; k < 3; k++) await page.keyboard.press("PageUp");
  await go(page, "motion");
  await page.locator('[data-do="run"]:enabled').first().waitFor(SOON);
  await page.click('[data-do="run"]');
  await page.waitForTimeout(3000);
  if (await page.isEnabled('[data-do="run"]')) await page.click('[data-do="run"]'); // a limit may have ended the motion
  await go(page, "check");
  await page.fill(".check textarea", "G1 = 0");
  await page.click('[data-do="check"]');
  await page.locator(".judged tr").first().waitFor(SOON);
}

const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
for (const start of ["cold", "warm"]) {
  const page = await opened(context);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  const spent = await seconds(() => ready(page));
  say({ [`first paint, ${start}, s`]: Number((paint / 1000).toFixed(3)), [`Python ready, ${start}, s`]: spent });
  if (start === "cold") await kept(page);
  if (start === "warm") {
    await figures(page);
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${address}?again`);
    await ready(page);
    await frames(page);
    const begun = performance.now();
    for (let turn = 0, worst = 0; performance.now() < begun + 60_000 * Number(minutes); turn += 1) {
      await used(page, turn);
      worst = Math.max(worst, memory());
      if (turn % 5 === 0) say({ turn, minute: Number(((performance.now() - begun) / 60_000).toFixed(1)), "memory, MB": memory(), "most, MB": worst });
      await page.waitForTimeout(2000);
    }
  }
  await page.close();
}
await browser.close();
