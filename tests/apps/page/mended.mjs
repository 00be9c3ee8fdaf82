// What stood in the way of people who used the page for an hour: each scenario holds one of it mended.
import assert from "node:assert/strict";
import { deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { SOON, cell, choose, go, pick } from "./acts.mjs";
import { NEVER, READY, drop, faults, opened, picture, scenario, until } from "./harness.mjs";

const fragment = (robot) => `r=${deflateRawSync(Buffer.from(JSON.stringify(robot)), { level: 9 }).toString("base64url")}`;
const visited = (page, hash) => page.evaluate((hash) => (location.hash = hash), hash);
const MASS = cell("link", 0, "mass");
const heading = (page) => page.innerText("header h1");
const IN_A_TAB_BEHIND = { ...SOON, polling: 100 }; // where no picture is drawn
const message = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".messages")?.innerText ?? ""), pattern.source, IN_A_TAB_BEHIND);

// A quantity that ends Python at once, as an arm that ends its stack would after a while.
const ENDING = 'const text = JSON.stringify; JSON.stringify = (value) => { if (value?.name === "christoffel") throw new RangeError("Maximum call stack size exceeded"); return text(value); };\n';

/** Registers the scenarios; all but the last ones go on with the page of a visit. */
export function mended(visit) {
  let page;

  scenario("a link with odd content, and an arm that nobody knows, are told in sentences", async () => {
    page = visit.page;
    await visited(page, `${fragment({ name: 5, convention: { a: 1 }, link: [{}] })}&view=robot`);
    await page.click("dialog.ask button.main", SOON);
    await page.waitForSelector(".whole.mistake", SOON);
    assert.match(await page.innerText(".whole.mistake"), /^convention is .* expected dh, mdh/s);
    await visited(page, "robot=nosuch&view=robot");
    await message(page, /No arm is called “nosuch”; these are: acrobot/);
  });

  scenario("a cell in which the cursor stands writes into no other robot", async () => {
    await visited(page, "robot=two_link");
    await page.waitForSelector(MASS, SOON);
    await page.waitForSelector(READY, SOON);
    await page.focus(cell("link", 1, "dh", "a"));
    await page.keyboard.type("9");
    await drop(page, "tree.toml", 'name = "tree"\nconvention = "tree"\n[[link]]\nmass = 1\njoint = {type = "revolute"}\n');
    await page.waitForFunction(() => document.querySelector('[data-place=\'["name"]\']')?.value === "tree", null, SOON);
    await page.waitForTimeout(400);
    assert.equal(await page.locator("[aria-invalid], .whole.mistake:visible").count(), 0);
  });

  scenario("an arm with a spherical or a free joint is refused by a sentence that says where it works", async () => {
    for (const type of ["spherical", "free"]) {
      await drop(page, `${type}.toml`, `name = "${type}"\nconvention = "tree"\n[[link]]\nname = "ball"\nmass = 1\njoint = {type = "${type}"}\n`);
      await message(page, new RegExp(`the ${type} joint of link 'ball' has quasi-velocities[^]*use qddot derive on your own machine`));
      assert.equal(await heading(page), "tree");
    }
    assert.equal(await page.locator(".whole.mistake:visible").count(), 0);
    await pick(page, "two_link");
  });

  scenario("what students type is read, and slips are corrected by a press", async () => {
    await pick(page, "two_link");
    const theta = cell("link", 0, "dh", "theta"), length = cell("link", 0, "dh", "d");
    for (const [place, texts] of [[theta, ["q1 + π/2", "q1 + 90°"]], [length, ["½", "L₁", "０．５", "（l）", "l²·3"]]]) {
      for (const text of texts) {
        await page.fill(place, text);
        if (text.endsWith("L₁")) {
          await page.waitForFunction(() => /contain a coordinate: q1 and L1.*declare L1/s.test(document.querySelector("#mistake")?.innerText ?? ""), null, SOON);
          await page.click("#mistake button"); // declares L1
        }
        await page.waitForFunction(() => !document.querySelector("[aria-invalid]"), null, SOON);
      }
    }
    for (const [slip, meant] of [["0,5", "0.5"], ["10cm", "0.1"], ["3 l", "3*l"], ["½ l", "(1/2)*l"]]) {
      await page.fill(length, slip);
      await page.waitForFunction((meant) => document.querySelector("#mistake button")?.innerText === `Write ${meant}`, meant, SOON);
      await page.click("#mistake button");
      assert.equal(await page.inputValue(length), meant);
    }
    await page.fill(length, "λ");
    await page.waitForFunction(() => document.querySelector("#mistake button")?.innerText === "Declare λ", null, SOON);
    await page.click("#mistake button");
    await page.waitForSelector(cell("symbols", "λ", "value"), SOON);
  });

  scenario("the heading follows the title, and says that a robot was edited", async () => {
    assert.equal(await heading(page), "Planar two-link arm of uniform rods (edited)");
    await page.fill(cell("title"), "My arm");
    await page.waitForFunction(() => document.querySelector("header h1").innerText === "My arm (edited)", null, SOON);
  });

  scenario("a reload keeps what was edited, and drafts stay when another robot is opened", async () => {
    await until(async () => /[#&]r=/.test(page.url()));
    await page.route("**/worker.js.bin", async (route) => route.fulfill({ body: gzipSync(ENDING + gunzipSync(await (await route.fetch()).body())) }));
    await page.reload();
    await page.waitForSelector(MASS, SOON);
    assert.equal(await page.inputValue(cell("link", 0, "dh", "d")), "λ");
    await page.waitForSelector(READY, SOON);
    await pick(page, "planar_2r");
    const kept = page.locator(".robot optgroup option", { hasText: "My arm" });
    await page.selectOption(".robot > .bar select >> nth=0", await kept.first().getAttribute("value"));
    await page.waitForFunction((place) => document.querySelector(place)?.value === "λ", cell("link", 0, "dh", "d"), SOON);
  });

  scenario("the address has the tab and the quantity, and Back goes to the tab before", async () => {
    await pick(page, "planar_2r");
    await go(page, "equations");
    await page.evaluate(() => { // the second before the address has followed the first
      for (const which of ['[data-quantity="G"]', '[data-view="arm"]']) document.querySelector(which).click();
    });
    await page.locator(".slider input").first().press("PageUp", SOON);
    await until(async () => /robot=planar_2r&view=arm&pose=0\.\d+/.test(page.url()));
    await page.goBack();
    await page.waitForSelector('[data-quantity="G"][aria-pressed="true"]', SOON);
    assert.match(page.url(), /view=equations&quantity=G/);
    await page.goBack();
    await page.waitForSelector(MASS, SOON);
    await page.goForward();
    await page.waitForSelector('[data-quantity="G"]', SOON);
  });

  scenario("a matrix stands with its zeros, and its terms have the colours of their links", async () => {
    await pick(page, "spatial_2r");
    await go(page, "equations");
    await choose(page, "M");
    assert.equal(await page.locator(".matrix .cells > *").count(), 4);
    assert.equal(await page.locator(".matrix .zero").count(), 2);
    await page.waitForSelector(".matrix .term[style*='--link-1']", SOON);
    assert.match(await page.innerText(".hint"), /colours of the links/);
    await pick(page, "two_link");
    await go(page, "equations");
    await page.waitForSelector(".matrix .term[style] mfrac", SOON);
    const room = () => page.locator(".matrix .term[style]:has(mfrac)").evaluateAll((all) => Math.min(...all.map((term) =>
      term.getBoundingClientRect().bottom - 2 - Math.max(...[...term.querySelectorAll("mfrac")].map((each) => each.getBoundingClientRect().bottom)))));
    assert.ok((await room()) >= 0, "the line lies below the fractions");
  });

  scenario("errors of a pasted file stand in the dialog", async () => {
    await go(page, "robot");
    await page.click(".robot > .bar button >> nth=1");
    await page.fill("dialog textarea", "[[link]");
    await page.click("dialog button.main");
    await page.waitForSelector("dialog .messages .warning", SOON);
    await picture(page, "paste");
    await page.click("dialog button >> nth=-1");
  });

  scenario("Check marks the line that it cannot read, and speaks of the page", async () => {
    await pick(page, "two_link");
    await go(page, "check");
    await page.fill(".check textarea", "M22 = m2*l**2/3\nM12 = alert + 2");
    await page.click('[data-do="check"]');
    await page.waitForSelector(".judged tr", SOON);
    assert.match(await page.innerText(".judgement"), /under Your names: alert = …/);
    assert.doesNotMatch(await page.innerText(".judgement"), /rename|command line/);
    assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), "M12 = alert + 2");
    await page.fill(".check textarea", "P = m1*g*l*sin(θ1)/2");
    await page.fill(".check input", "θ1 = q1");
    await page.click('[data-do="check"]');
    await page.waitForFunction(() => /different|✗/.test(document.querySelector(".judgement").innerText), null, SOON);
    assert.doesNotMatch(await page.innerText(".judgement"), /does not occur/);
    await page.fill(".check textarea", "hello");
    await page.click('[data-do="check"]');
    await page.waitForSelector(".judgement .mistake", SOON);
    assert.doesNotMatch(await page.innerText(".judgement"), /file|folder/);
  });

  scenario("mistakes, findings and titles are Chinese, too", async () => {
    await page.click('[lang="zh"]');
    await go(page, "robot");
    assert.equal(await heading(page), "均质杆平面两连杆机械臂");
    assert.match(await page.innerText(".tables"), /I 的参考点/);
    assert.equal(await page.locator(`${cell("link", 0, "inertia", "about")} option:checked`).innerText(), "伪惯性矩阵");
    await page.fill(MASS, "-1");
    await page.waitForFunction(() => /质量 -1 为负.*应为 不小于零/s.test(document.querySelector("#mistake")?.innerText ?? ""), null, SOON);
    await page.fill(MASS, "m1");
    await page.fill(cell("gravity", 1), "0");
    await page.waitForFunction(() => /没有重力/.test(document.querySelector(".findings")?.innerText ?? ""), null, SOON);
    await page.click('[lang="en"]');
    await page.waitForFunction(() => /no gravity/.test(document.querySelector(".findings")?.innerText ?? ""), null, SOON);
  });

  scenario("a printed motion has its numbers and no controls, and the bars of torques have their colours", async () => {
    await pick(page, "two_link");
    await go(page, "motion");
    await page.waitForSelector('[data-do="run"]:enabled', SOON);
    await until(async () => (await page.innerText(".ledger tr:last-child td:last-child")) === "0");
    await page.emulateMedia({ media: "print" });
    for (const gone of [".scrub", ".controls select", ".stage > .note", "button"]) assert.equal(await page.locator(`.motion ${gone}:visible`).count(), 0, gone);
    assert.ok(await page.isVisible(".ledger"));
    await page.emulateMedia({ media: "screen" });
    await go(page, "arm");
    await page.waitForSelector(".torque i", SOON);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".torque i").first().evaluate((bar) => getComputedStyle(bar).printColorAdjust), "exact");
    await page.emulateMedia({ media: "screen" });
    await go(page, "robot");
  });

  scenario("no two fields have one name, and no table is cut off on a screen of 1440 pixels or a phone", async () => {
    const names = await page.locator(".robot input, .robot select:not(.bar select)").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
    const named = names.filter(Boolean);
    assert.deepEqual(named.filter((name, k) => named.indexOf(name) !== k), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    const cut = (nth) => page.locator(".tables .scroll").nth(nth).evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.ok((await cut(1)) <= 0, "the masses");
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok((await cut(0)) <= 0, "the rows of DH");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  scenario("a question that is too much for Python ends it, is told, and Python begins again", async () => {
    await pick(page, "two_link");
    await go(page, "equations");
    await page.click('[data-quantity="christoffel"]');
    await page.waitForSelector(".equations-view .mistake:has-text('it has ended and begins again')", SOON);
    await pick(page, "planar_2r");
    await go(page, "equations");
    await choose(page, "G");
  });

  scenario("two tabs that edit one draft keep both", async () => {
    await go(page, "robot");
    await page.fill(MASS, "7");
    await until(() => page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("qddot.draft.") && /"mass":"7"/.test(localStorage[name]))));
    const other = await page.context().newPage();
    await other.route("**/worker.js.bin", () => NEVER);
    await other.goto(page.url().replace(/#.*/, "")); // opens the latest draft
    await go(other, "robot");
    await other.waitForFunction((place) => document.querySelector(place)?.value === "7", MASS, SOON);
    await other.fill(MASS, "8");
    await message(page, /both are kept as drafts/);
    const masses = await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("qddot.draft.")).map((name) => JSON.parse(localStorage[name]).robot.link[0].mass));
    assert.ok(masses.includes("7") && masses.includes("8"), masses.join());
    await page.context().close();
  });

  scenario("a link and a draft of an older version of the page open", async () => {
    const robot = { name: "older", convention: "dh", gravity: [0, "-g", 0], symbols: { g: 9.81 }, link: [{ dh: { theta: "q1", d: 0, a: 2, alpha: 0 }, mass: 3 }] };
    const other = await opened(`#${fragment(robot)}&tab=equations`, {}, NEVER); // a word that means nothing any more
    await other.waitForFunction((place) => document.querySelector(place)?.value === "3", MASS, SOON);
    assert.equal(await heading(other), "older");
    await other.evaluate((robot) => localStorage.setItem("qddot.robot", JSON.stringify({ ...robot, name: "kept before" })), robot);
    await other.goto(other.url().replace(/#.*/, "?older"));
    await go(other, "robot");
    await other.waitForFunction(() => document.querySelector("header h1")?.innerText === "kept before", null, SOON);
    await other.context().close();
  });

  scenario("a browser that keeps nothing, or whose storage is full, is told of once, and the page works", async () => {
    const other = await opened("", {}, NEVER);
    await go(other, "robot");
    await other.waitForSelector(MASS, SOON);
    await other.evaluate(() => {
      for (let size = 2 ** 22; size > 8; ) {
        try {
          localStorage.setItem(`full ${size} ${localStorage.length}`, "x".repeat(size));
        } catch {
          size = Math.floor(size / 2);
        }
      }
    });
    await other.fill(MASS, "m1 + 2");
    await message(other, /keeps nothing of the page/);
    await other.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
    });
    await other.reload();
    await go(other, "robot");
    await other.fill(MASS, "m1 + 1", SOON);
    await message(other, /keeps nothing of the page/);
    await go(other, "equations");
    await other.context().close();
  });
}
