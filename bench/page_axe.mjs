// node bench/page_axe.mjs ADDRESS CHROMIUM MODULES PICTURES    what axe finds on the page: six tabs and its dialogs, in two
// languages, two colour schemes and three widths. ADDRESS: of `qddot page`; MODULES: a folder with playwright-core and axe-core.
// Prints a line of JSON for each width, and each that it finds; keeps a picture of each.
import { SOON, go } from "../tests/apps/page/acts.mjs";
import { READY, axe, browser, faults, opened, picture } from "../tests/apps/page/harness.mjs";

const WIDTHS = [390, 1024, 1440];
const VIEWS = ["robot", "arm", "equations", "motion", "check", "report"];
const say = (told) => console.log(JSON.stringify(told));

/** Brings each tab to where it has something to show. */
const ACTS = {
  robot: (page) => page.waitForSelector(".findings li, .findings p", SOON),
  arm: (page) => page.waitForSelector(".torque output:not(:empty)", SOON),
  async equations(page) {
    if (!(await page.locator('[data-do="numbers"][aria-pressed="true"]').count())) await page.click('[data-do="numbers"]');
    await page.waitForSelector(".equations .total", SOON);
    await page.click('[data-do="prove"]');
    await page.waitForSelector(".proof details.holds", SOON);
    await page.click(".proof summary");
  },
  motion: (page) => page.waitForSelector('[data-do="run"]:enabled', SOON),
  async check(page) {
    await page.waitForFunction(() => document.querySelector(".check textarea").value, null, SOON);
    await page.click('[data-do="check"]');
    await page.waitForSelector(".judged tr", SOON);
    await page.click(".marking summary");
  },
  report: (page) => page.waitForSelector(".files li", SOON),
};

const DIALOGS = {
  async help(page) {
    await page.click(".tools button >> nth=0");
  },
  async paste(page) {
    await go(page, "robot");
    await page.click(".robot > .bar button >> nth=1");
  },
  async lecture(page) {
    await go(page, "equations");
    await page.click('[data-do="lecture"]');
    await page.waitForSelector(".lecture .equations .term", SOON);
  },
};

let sum = 0;
for (const lang of ["en", "zh"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      const page = await opened(`#robot=spatial_2r&view=arm&lang=${lang}`, { viewport: { width, height: 850 }, colorScheme });
      await page.waitForSelector(READY, SOON);
      const found = [];
      const look = async (name) => {
        await page.waitForTimeout(250);
        await picture(page, `axe-${width}-${lang}-${colorScheme}-${name}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) found.push({ name, wide });
        for (const { id, nodes } of (await axe(page)).violations) found.push({ name, id, html: nodes[0].html.slice(0, 200), why: nodes[0].any[0]?.message });
      };
      for (const view of VIEWS) {
        await go(page, view);
        await ACTS[view](page);
        await look(view);
      }
      for (const [name, open] of Object.entries(DIALOGS)) {
        await open(page);
        await look(name);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector("dialog[open]"), null, SOON);
      }
      sum += found.length;
      say({ lang, colorScheme, width, found, faults: faults.splice(0) });
      await page.context().close();
    }
  }
}
say({ found: sum });
await browser.close();
