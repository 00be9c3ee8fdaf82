// What is shown to a class: terms in numbers, a lecture, a sheet of paper. The page has the equations of two_link.
import assert from "node:assert/strict";
import { SOON, choose } from "./acts.mjs";
import { picture, scenario, until } from "./harness.mjs";

export function numbers(page) {
  scenario("a slider's move shows each term in numbers, which add up to the entry", async () => {
    const number = (text) => parseFloat(text.replace("=", "").replaceAll("−", "-"));
    const read = async () => {
      const cells = await page.locator('.equations [data-name="G1"]').evaluate((cell) => [...cell.querySelectorAll(".term")].map((each) => each.dataset.value ?? ""));
      return { terms: cells.map(number), total: number(await page.innerText('.equations [data-name="G1"] .total')) };
    };
    await page.click('[data-do="numbers"]');
    await page.waitForSelector(".equations .total", SOON);
    const before = await read();
    for (let k = 0; k < 3; k++) await page.locator(".live .slider input").nth(1).press("PageUp");
    await until(async () => (await read()).total !== before.total);
    const { terms, total } = await read();
    assert.equal(terms.length, 2);
    assert.match(await page.innerText('.equations [data-name="G1"] .total'), /\d N m$/);
    assert.ok(Math.abs(terms[0] + terms[1] - total) < 0.02, `${terms} make ${total}`);
    assert.equal(terms[0], before.terms[0]); // g1 c1, which the second joint does not turn
    await picture(page, "numbers");
    await page.click('[data-do="numbers"]');
    assert.equal(await page.locator(".equations .total, .term[data-value]").count(), 0);
  });
}

export function lectures(page) {
  scenario("a lecture shows quantities and walks through a route by keys", async () => {
    await choose(page, "M");
    await page.click('[data-do="lecture"]');
    await page.waitForSelector(".lecture .equations .term", SOON);
    assert.ok((await page.locator(".lecture .content").evaluate((content) => parseFloat(getComputedStyle(content).fontSize))) > 24, "large letters");
    const head = (pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".lecture .head").innerText), pattern, SOON);
    await page.keyboard.press("ArrowRight");
    await head("Coriolis matrix");
    await page.keyboard.press("r");
    await head("Newton–Euler");
    await page.keyboard.press("PageDown");
    await page.waitForSelector(".lecture table.read", SOON);
    await picture(page, "lecture-table");
    await page.keyboard.press("PageDown");
    await page.waitForFunction(() => /propagated outward/.test(document.querySelector(".lecture .content").innerText), null, SOON);
    const [, last] = (await page.innerText(".lecture .count")).split(" / ");
    for (let k = 2; k < Number(last); k++) await page.keyboard.press("PageDown");
    await page.waitForFunction(() => /where this route ends/.test(document.querySelector(".lecture .content").innerText), null, SOON);
    await picture(page, "lecture-end");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector(".lecture"), null, SOON);
    await page.locator(".equations-view > div > .bar select").nth(1).selectOption("composite");
  });

  scenario("a sheet of paper has the arm, its picture, its equations and the certificate", async () => {
    await page.evaluate(() => (window.print = () => (window.isPrinted = true)));
    await page.click('[data-do="print"]');
    await page.waitForFunction(() => window.isPrinted, null, SOON);
    const sheet = page.locator(".sheet-of-paper");
    assert.match(await sheet.locator("h1").textContent(), /two-link arm/);
    assert.match(await sheet.textContent(), /mass matrix.*Coriolis matrix.*gravity torques.*identities proved/s);
    assert.ok((await sheet.locator("img").getAttribute("src")).length > 5000);
    const paper = await page.pdf({ preferCSSPageSize: true });
    assert.equal(paper.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1, "one page of A4");
    assert.equal(await sheet.count(), 0);
  });
}
