// node driven.mjs ADDRESS CHROMIUM MODULES PICTURES NATIVE [NAME …]    does with the built page what a person would do.
// It prints a line of JSON for each scenario. NATIVE: a JSON file with the energies of a native run, by time;
// NAME: the scenarios that are run, all by default.
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { SOON, cell, choose, go, openDocument, pick } from "./acts.mjs";
import { LAPTOP, PHONE, READY, address, axe, browser, contentOf, drop, equations, native, opened, picture, plain, run, scenario, until } from "./harness.mjs";
import { links } from "./linked.mjs";
import { mended } from "./mended.mjs";
import { workers } from "./offline.mjs";
import { lectures, numbers } from "./taught.mjs";

let letPythonCome;
const page = await opened("", {}, new Promise((come) => (letPythonCome = come)));

async function shown(page, quantity) {
  await choose(page, quantity);
  return equations(page);
}


scenario("the page opens on an arm with its torques, and the zoo's equations show before Python is ready", async () => {
  const torque = () => page.locator(".torque output").nth(1).innerText();
  await page.waitForFunction(() => /N m/.test(document.querySelector(".torque output")?.innerText), null, SOON);
  const before = await torque();
  const angle = () => page.locator(".slider output").first().innerText();
  await page.evaluate(() => {
    window.torques = new Set(); // all that are shown: on a busy machine some would pass between two looks
    const output = document.querySelectorAll(".torque output")[1];
    const see = () => window.torques.add(output.innerText);
    new MutationObserver(see).observe(output, { subtree: true, childList: true, characterData: true });
  });
  const leaves = () => page.waitForFunction((before) => [...window.torques].some((each) => each !== before), before, SOON);
  await page.click('[data-try="move"]'); // moves it to and fro
  await leaves();
  await until(async () => (await torque()) === before);
  await page.evaluate(() => window.torques.clear());
  await page.click('[data-try="move"]');
  await leaves();
  await page.locator(".slider input").nth(1).fill("0"); // in the middle of the movement, which it ends
  await until(async () => (await torque()) === "0 N m");
  const held = await angle();
  await page.waitForTimeout(300);
  assert.equal(await angle(), held);
  await page.click('[data-try="change"]');
  assert.deepEqual(await page.evaluate(() => JSON.parse(document.activeElement.dataset.place)), ["link", 1, "dh", "a"]);
  assert.equal(await page.inputValue(cell("link", 1, "dh", "a")), "L");
  await go(page, "equations");
  await page.waitForSelector(".equations .term", SOON);
  assert.match(await equations(page), /M11=/);
  assert.equal(await page.locator(READY).count(), 0);
  const moving = () => page.evaluate(() => document.getAnimations().filter((each) => each.playState === "running").length);
  await until(async () => (await moving()) === 0); // else each frame would hold Python up
});

scenario("Python is ready soon after its files have come", async () => {
  letPythonCome();
  await page.waitForSelector(READY, SOON);
  const text = await page.innerText(".pill");
  return { pill: text };
});

scenario("an edited cell changes the equations, and undo brings them back", async () => {
  await page.waitForSelector(READY, SOON);
  await go(page, "equations");
  const before = await shown(page, "M");
  await go(page, "robot");
  await page.fill(cell("link", 1, "dh", "a"), "3*L");
  await page.waitForTimeout(400);
  await picture(page, "robot");
  await go(page, "equations");
  await until(async () => ![before, ""].includes(await equations(page)));
  await picture(page, "equations");
  await page.keyboard.press("Control+z");
  await until(async () => (await equations(page)) === before);
});

scenario("nonsense is told at its cell, with the remedy", async () => {
  await go(page, "robot");
  const place = cell("link", 0, "mass");
  await page.fill(place, "m1 +* 2");
  await page.waitForSelector(`${place}[aria-invalid="true"]`, SOON);
  assert.match(await page.innerText("#mistake"), /where a value is expected/);
  await picture(page, "mistake");
  await page.fill(place, "m1 + load");
  await page.click("#mistake button", SOON); // declares the symbol
  await page.waitForSelector(cell("symbols", "load", "value"), SOON);
  assert.equal(await page.locator("[aria-invalid]").count(), 0);
  await page.fill(place, "-1");
  await page.waitForSelector(`${place}[aria-invalid="true"]`, SOON);
  assert.match(await page.innerText("#mistake"), /negative/);
  await page.fill(place, "m1");
  await page.waitForFunction(() => !document.querySelector("[aria-invalid]"), null, SOON);
});

scenario("a URDF is dropped, and a robot is downloaded", async () => {
  const [urdf] = await Promise.all([page.waitForEvent("download"), page.selectOption(".robot > .bar select >> nth=1", "urdf")]);
  const text = await contentOf(urdf);
  assert.match(text, /<robot name=/);
  await drop(page, "arm.urdf", text);
  await page.waitForSelector(cell("link", 0, "joint", "axis", 2), SOON);
  assert.equal(await page.inputValue('.tables select >> nth=0'), "tree");
});

scenario("a term names its links", async () => {
  await pick(page, "two_link");
  await go(page, "equations");
  await shown(page, "G");
  await page.waitForSelector(".term[data-links]", SOON);
  await page.focus(".term[data-links]");
  assert.match(await page.innerText("#tip"), /link 1/);
  await picture(page, "term");
});

numbers(page);

scenario("every quantity, form and route is shown", async () => {
  for (const quantity of ["christoffel", "C", "B", "C2", "tau", "K", "P", "T", "J_tool", "M"]) assert.ok(await shown(page, quantity), quantity);
  const [form, route] = [page.locator(".equations-view > div > .bar select").nth(0), page.locator(".equations-view > div > .bar select").nth(1)];
  const normal = () => page.waitForFunction(() => !document.querySelector(".waiting") && !document.querySelector(".proved"), null, SOON);
  await form.selectOption("normal");
  await normal();
  const texts = new Set();
  for (const each of ["composite", "newton_euler", "energy"]) {
    await route.selectOption(each);
    await page.waitForTimeout(300);
    await normal();
    texts.add(await equations(page));
  }
  assert.equal(texts.size, 1); // all routes give the same
  await form.selectOption("sums");
  await page.waitForSelector(".proved", SOON);
  await route.selectOption("composite");
  await page.waitForSelector(".proved", SOON);
});

scenario("an equation is copied", async () => {
  const seen = {}, words = { latex: "LaTeX", sympy: "SymPy", matlab: "MATLAB", c: "C" };
  for (const [language, word] of Object.entries(words)) {
    await page.locator(".equations-view > div > .bar select").nth(3).selectOption(language);
    await page.waitForFunction((end) => document.querySelector(".messages")?.innerText.endsWith(end), ` of ${word}.`, SOON);
    seen[language] = await page.evaluate(() => navigator.clipboard.readText());
  }
  assert.match(seen.latex, /M_\{11\} &=/);
  assert.match(seen.sympy, /M = Matrix\(/);
  assert.match(seen.matlab, /^M = \[/m);
  assert.match(seen.c, /mass_matrix\(/);
});

scenario("a notation gives its letters to equations and their numbers, to the checker and to reports, and stays in the address", async () => {
  const notation = page.locator(".equations-view > div > .bar select").nth(2), list = ".equations-view .sheet";
  await shown(page, "M");
  await notation.selectOption("akb");
  await page.waitForSelector(`${list} [data-name="a11"]`, SOON);
  assert.match(await notation.getAttribute("title"), /SC23/);
  await page.click('[data-do="numbers"]');
  await page.waitForSelector(`${list} [data-name="a11"] .total`, SOON);
  await page.click('[data-do="numbers"]');
  assert.equal(plain(await page.innerText('[data-quantity="C"] i')), "Vm");
  await go(page, "check");
  await page.waitForFunction(() => /^a\d+ = .*C/.test(document.querySelector(".check textarea").value), null, SOON);
  await page.locator(".check select").first().selectOption("uicker");
  await page.waitForFunction(() => /^D\d+ = .*c/.test(document.querySelector(".check textarea").value), null, SOON);
  await go(page, "report");
  await page.frameLocator(".report iframe").locator("section").first().waitFor(SOON);
  assert.match(plain(await page.frameLocator(".report iframe").locator("body").textContent()), /τ=Dq/);
  assert.match(page.url(), /notation=uicker/);
  await go(page, "equations");
  await page.waitForSelector(`${list} [data-name="D11"]`, SOON);
  await picture(page, "notation");
  await notation.selectOption("");
  await page.waitForSelector(`${list} [data-name="M11"]`, SOON);
});

scenario("the steps of two routes stand side by side", async () => {
  await page.click(".steps > summary");
  await page.check('.steps input[value="energy"]');
  await page.click(".steps .bar button");
  await page.waitForSelector(".steps .columns > section:nth-child(2) .equation", SOON);
  await picture(page, "steps");
  await page.click(".steps > summary");
});

lectures(page);

scenario("PUMA's equations are proved, and the certificate opens", async () => {
  await pick(page, "puma560");
  await go(page, "equations");
  await page.waitForSelector('.pill[data-python="ready"]', SOON);
  await page.click('[data-do="prove"]');
  await page.waitForSelector(".proof details.holds", SOON);
  const line = await page.innerText(".proof summary");
  assert.match(line, /identities proved/);
  await page.click(".proof summary");
  await picture(page, "proof");
  return { line };
});

scenario("Python is stopped in the middle, and answers again", async () => {
  await pick(page, "xarm7");
  await go(page, "equations");
  await page.waitForSelector('.pill[data-python="ready"]', SOON);
  await page.locator(".equations-view > div > .bar select").nth(0).selectOption("sums");
  await page.click(".equations-view > div > .sheet button.main", SOON); // long: derived when it is asked for
  await page.waitForSelector('.pill[data-python="busy"] button', SOON);
  await page.click(".pill button");
  await page.waitForSelector('.pill[data-python="starting"]', SOON);
  await pick(page, "two_link");
  await go(page, "equations");
  assert.match(await shown(page, "G"), /G1=/);
});

scenario("a later edit wins over one that is still derived", async () => {
  await go(page, "robot");
  for (const gravity of ["-2*g", "-3*g", "-5*g", "-7*g"]) await page.fill(cell("gravity", 1), gravity);
  await page.waitForTimeout(300);
  await go(page, "equations");
  await page.waitForFunction(() => /7/.test(document.querySelector(".equations-view > div > .sheet")?.innerText ?? ""), null, SOON);
});

scenario("a slider moves the arm", async () => {
  await pick(page, "spatial_2r");
  await go(page, "arm");
  await page.waitForSelector("canvas.arm", SOON);
  await page.waitForTimeout(500);
  const before = await page.locator("canvas.arm").screenshot();
  const pose = await page.innerText(".pose");
  await page.focus('.slider input[data-joint="1"]');
  for (let k = 0; k < 5; k++) await page.keyboard.press("PageUp");
  await page.waitForTimeout(500);
  assert.ok(!before.equals(await page.locator("canvas.arm").screenshot()));
  assert.notEqual(await page.innerText(".pose"), pose);
  await picture(page, "arm");
});

scenario("the homework's motion has the energies of the native run", async () => {
  await go(page, "motion");
  await page.waitForSelector('[data-do="run"]:enabled', SOON);
  const given = JSON.parse(readFileSync(native, "utf8"));
  const degrees = (angle) => String((angle * 180) / Math.PI);
  for (const [k, value] of given.q.entries()) await page.locator('[data-field="q"]').nth(k).fill(degrees(value));
  for (const [k, value] of given.qd.entries()) await page.locator('[data-field="qd"]').nth(k).fill(degrees(value));
  await page.fill('[data-field="damping"]', String(given.damping));
  await page.keyboard.press("Tab");
  await page.waitForSelector('[data-do="run"]:enabled', SOON);
  await page.click('[data-do="run"]');
  await page.waitForTimeout(2500);
  await page.click('[data-do="run"]');
  await picture(page, "motion");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click('[data-do="csv"]')]);
  const [heads, ...rows] = (await contentOf(csv)).trim().split(/\r?\n/).map((line) => line.split(","));
  const column = (name) => heads.findIndex((head) => head.replaceAll('"', "").startsWith(name));
  let compared = 0, worst = 0;
  for (const row of rows) {
    const k = Math.round(Number(row[column("t ")]) / given.step);
    if (k >= given.K.length) break;
    for (const [name, exact] of [["K ", given.K[k]], ["P ", given.P[k]]]) worst = Math.max(worst, Math.abs(Number(row[column(name)]) - exact));
    compared += 1;
  }
  assert.ok(compared > 50, `${compared} samples`);
  assert.ok(worst < 1e-6, `energies differ by ${worst} J`);
  return { compared, worst };
});

scenario("a motion starts in the pose of the Arm tab, and ends at a joint's limit", async () => {
  const link = 'dh = {theta = "q1", d = 0, a = 1, alpha = 0}\nmass = 1\njoint = {limits = [-1, 2]}';
  await go(page, "robot");
  await drop(page, "short.toml", `name = "short"\nconvention = "dh"\ngravity = [0, -9.81, 0]\n[[link]]\n${link}\n`);
  await page.waitForFunction(() => document.querySelector('[data-place=\'["name"]\']')?.value === "short", null, SOON);
  await go(page, "arm");
  await page.waitForFunction(() => document.querySelectorAll(".slider").length === 1, null, SOON);
  await page.locator(".slider input").press("PageUp");
  const angle = (await page.locator(".slider output").innerText()).replace("°", "");
  await go(page, "motion");
  await page.waitForFunction((angle) => document.querySelector('[data-field="q"]')?.value === angle, angle, SOON);
  await page.fill('[data-field="q"]', "-60");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => /begins beyond its lower limit/.test(document.querySelector(".motion [role=status]")?.innerText), null, SOON);
  await page.click(".motion-fields details button");
  assert.equal(await page.inputValue('[data-field="q"]'), angle);
  await page.click('[data-do="run"]:enabled', SOON);
  await page.waitForFunction(() => /q1 reached its lower limit at 0\.\d+ s/.test(document.querySelector(".motion [role=status]")?.innerText), null, SOON);
  assert.ok(await page.isDisabled('[data-do="run"]'));
  await picture(page, "limit");
});

scenario("a motion may begin where a slider ends", async () => {
  await pick(page, "puma560_akb");
  await go(page, "arm");
  for (let k = 0; k < 6; k++) await page.locator(".slider input").first().press("PageUp");
  await go(page, "motion");
  await page.click('[data-do="run"]:enabled', SOON);
});

scenario("a wrong formula is judged", async () => {
  await pick(page, "two_link");
  await go(page, "check");
  await page.waitForFunction(() => /G2 = /.test(document.querySelector(".check textarea").value), null, SOON); // an example
  await page.click('[data-do="check"]');
  await page.waitForSelector(".judged tr.different", SOON);
  assert.equal(await page.locator(".judged tr.equal").count(), 3);
  await page.fill(".check textarea", "M22 = m2*l**2/3\nM12 = m2*l**2/3 + m2*l**2*sin(q2)/2");
  await page.click('[data-do="check"]');
  await page.waitForFunction(() => document.querySelectorAll(".judged tbody tr").length === 2, null, SOON);
  assert.equal(await page.locator(".judged tr.equal").count(), 1);
  assert.match(await page.innerText(".judged tr.different"), /sin|cos/);
  await picture(page, "check");
  await page.click(".marking summary");
  await page.fill('[data-field="points"]', "M = 6, G = 3");
  await page.selectOption(".marking select", "1");
  await page.click('[data-do="check"]');
  await page.waitForSelector(".points", SOON);
  assert.match(await page.innerText(".judgement"), /missing: M11, G1, G2.*2 of 9 points.*Points: 2 of 9/s);
  await picture(page, "marked");
  await page.fill('[data-field="points"]', "M = many");
  await page.click('[data-do="check"]');
  await page.waitForFunction(() => /many.* points for M/.test(document.querySelector(".judgement .mistake")?.innerText), null, SOON);
  await page.fill('[data-field="points"]', "");
  await page.selectOption(".marking select", "0");
  await page.fill(".check textarea", "M22 = (");
  await page.click('[data-do="check"]');
  await page.waitForSelector(".judgement .mistake", SOON);
});

scenario("formulas stand beside an answer as they are read while it is typed, and what is not read with its reason", async () => {
  const area = page.locator(".check textarea"), rows = page.locator(".read-as tbody tr");
  await area.fill("");
  await area.pressSequentially("M_{22} = \\frac{m_2 l^2}{3}\nM12 = m9*l\nG2 = l*tau1/m2", { delay: 5 });
  await until(async () => (await page.locator(".read-as .unread").count()) > 0 && (await rows.count()) === 3);
  assert.match(await area.inputValue(), /m9\*l\nG2 = l\*tau1\/m2$/);
  assert.match(plain(await rows.first().innerText()), /^M22.*m2l2.*line1,column/);
  assert.match(await page.innerText(".read-as .unread"), /M12.*not read: no 'm9' in this arm.*Your names: m9/s);
  await picture(page, "read-as");
  await page.setViewportSize(PHONE);
  await picture(page, "read-as-phone");
  await page.setViewportSize(LAPTOP);
  await page.click('[lang="zh"]');
  await page.fill(".check textarea", "M12 = m9*l\nM22 = m2*l**2/3");
  await page.waitForFunction(() => /未读取：该机械臂中没有 'm9'/.test(document.querySelector(".read-as .unread")?.innerText), null, SOON);
  assert.match(await page.innerText(".read-as thead"), /读作/);
  await picture(page, "read-as-chinese");
  await page.click('[lang="en"]');
  await page.locator(".check .choice input").first().fill("m9 = m2");
  await until(async () => (await rows.count()) === 0 || (await page.locator(".read-as .unread").count()) === 0);
});

scenario("a report is built and opens; an exam has its solution", async () => {
  await go(page, "report");
  await page.selectOption(".report .bar select >> nth=0", "exam");
  await page.selectOption(".report .bar select >> nth=1", "zh");
  await page.click('[data-do="report"]');
  await page.waitForSelector(".files li:nth-child(2)", SOON);
  const popup = await openDocument(page, 2);
  assert.ok((await popup.locator("math").count()) > 20);
  assert.match(await popup.innerText("h1"), /[\u4e00-\u9fff]/);
  await picture(popup, "report");
  await popup.close();
});

const visit = {};
links(page, visit);

scenario("the page speaks Chinese", async () => {
  await go(page, "robot");
  await page.click('[lang="zh"]');
  assert.equal(await page.getAttribute("html", "lang"), "zh");
  assert.match(await page.innerText("nav"), /机器人.*方程/s);
  await go(page, "equations");
  await page.waitForSelector(".equations .term", SOON);
  await picture(page, "chinese");
  await page.click('[lang="en"]');
});

scenario("axe finds nothing, light or dark, on a laptop or a phone", async () => {
  await page.evaluate(() => window.scrollTo(0, 0));
  const found = [];
  for (const [size, name] of [[LAPTOP, "laptop"], [PHONE, "phone"]]) {
    await page.setViewportSize(size);
    for (const theme of size === PHONE ? ["light"] : ["light", "dark"]) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      for (const view of await page.locator("nav [data-view]").evaluateAll((all) => all.map((each) => each.dataset.view))) {
        await go(page, view);
        await page.waitForTimeout(250);
        await picture(page, `${name}-${theme}-${view}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) found.push(`${name} ${view}: ${wide} pixels too wide`);
        const { violations } = await axe(page, theme === "dark" ? { runOnly: ["cat.color"] } : {}); // nothing but colours is another
        found.push(...violations.map((each) => `${name} ${theme} ${view}: ${each.id} ${each.nodes[0].html.slice(0, 150)} ${each.nodes[0].any[0]?.message ?? ""}`));
      }
    }
  }
  await page.setViewportSize(LAPTOP);
  assert.deepEqual(found, []);
});

workers();

scenario("a notebook shows an arm with its sliders, and plays a run", async () => {
  const { widgets } = JSON.parse(readFileSync(native, "utf8"));
  const other = await browser.newPage({ viewport: { width: 900, height: 1000 } });
  await other.goto(`${address}licences.txt`); // under the page's policy, without the page
  await other.setContent("<main></main>");
  await other.evaluate(async (widgets) => {
    const { default: widget } = await import("/widget.js");
    window.shown = widgets.map((handed) => {
      const listeners = {}, bytes = (numbers) => new DataView(Float64Array.from([0, ...numbers]).buffer, 8);
      const values = { ...handed, times: bytes(handed.times), samples: bytes(handed.samples) };
      const model = { get: (name) => values[name], set: (name, value) => (values[name] = value), save_changes: () => (values.saved = true), on: (event, heard) => (listeners[event] = heard), off: (event) => delete listeners[event] };
      const el = document.querySelector("main").appendChild(document.createElement("div"));
      return { values, listeners, el, end: widget.render({ model, el }) };
    });
  }, widgets);
  const drawn = async (nth) => (await other.waitForTimeout(300), other.locator("canvas").nth(nth).screenshot());
  const [arm, run] = [await drawn(0), await drawn(1)], pose = () => other.locator(".pose").innerText();
  const before = await pose();
  await other.locator(".slider input").nth(1).press("PageUp");
  assert.ok(!arm.equals(await drawn(0)));
  assert.notEqual(await pose(), before);
  const moved = await other.evaluate(() => window.shown[0].values);
  assert.ok(moved.saved && moved.q[1] !== widgets[0].q[1]);
  await other.evaluate(() => {
    window.shown[0].values.q = window.shown[0].values.q.map(() => 0);
    window.shown[0].listeners["change:q"]();
  });
  assert.equal(await other.locator(".slider output").nth(1).innerText(), "0.0°");
  assert.match(await other.locator(".note").last().innerText(), /到达上限/);
  await other.locator('[data-do="run"]').click();
  await until(async () => /^0\.[3-9]/.test(await other.locator(".controls output").innerText()));
  await other.locator('[data-do="run"]').click();
  assert.ok(!run.equals(await drawn(1)));
  await picture(other, "widget");
  await other.locator(".scrub").fill("1000");
  assert.equal(await other.locator(".controls output").innerText(), `${widgets[1].times.at(-1).toFixed(2)} s`);
  assert.deepEqual(await other.evaluate(() => (window.shown.forEach(({ end }) => end()), Object.keys(window.shown[0].listeners))), []);
  await other.close();
});

mended(visit);
await run(page);
