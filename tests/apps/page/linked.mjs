// Links carry robots, and nothing else: no script, no bomb, and no loss of what somebody has edited.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { SOON, cell, choose, go, openDocument } from "./acts.mjs";
import { NEVER, READY, opened, scenario } from "./harness.mjs";

/** visit: gets the page of somebody who visits by a link; it stays open, since Python's start takes most of a visit. */
export function links(page, visit) {
  scenario("a link carries the robot to a second tab, and asks before it replaces a saved one", async () => {
    await go(page, "robot");
    await page.fill(cell("link", 1, "dh", "a"), "5*l");
    await page.waitForTimeout(300);
    await page.click(".robot button.link");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith(location.origin), null, SOON);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.length < 1500, `${link.length} letters`);
    const second = await opened(link.slice(link.indexOf("#")), {}, NEVER);
    await second.waitForSelector(cell("link", 1, "dh", "a"), SOON);
    assert.equal(await second.inputValue(cell("link", 1, "dh", "a")), "5*l");
    await second.fill(cell("link", 1, "dh", "a"), "9*l");
    await second.waitForTimeout(300);
    await second.evaluate((fragment) => (location.hash = `${fragment}&again`), link.slice(link.indexOf("#")));
    await second.waitForSelector("dialog.ask", SOON);
    await second.click("dialog.ask button >> nth=1");
    assert.equal(await second.inputValue(cell("link", 1, "dh", "a")), "9*l");
    await second.context().close();
    return { letters: link.length };
  });

  scenario("scripts in names and links stay texts; a link that unpacks to too much is refused", async () => {
    const evil = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    const robot = { name: "evil", title: evil, convention: "dh", gravity: [0, "-g", 0], symbols: { g: { value: 1, meaning: evil, unit: evil } },
      link: [{ name: evil, dh: { theta: "q1", d: 0, a: 1, alpha: 0 }, mass: 1, com: [0, 0, 0], inertia: { about: "com", zz: 1 }, joint: { name: evil } }] };
    const fragment = (value) => `#r=${deflateRawSync(Buffer.from(value), { level: 9 }).toString("base64url")}`;
    const other = (visit.page = await opened(fragment(JSON.stringify(robot))));
    await other.waitForSelector(cell("link", 0, "mass"), SOON);
    await other.waitForSelector(READY, SOON);
    await other.fill(cell("link", 0, "mass"), evil);
    await other.waitForSelector("[aria-invalid]", SOON);
    await other.fill(cell("link", 0, "mass"), "2");
    await go(other, "equations");
    await choose(other, "M");
    await other.click('[data-do="prove"]');
    await other.waitForSelector(".proof details", SOON);
    await go(other, "report");
    await other.click('[data-do="report"]');
    await other.waitForSelector(".files li", SOON);
    const popup = await openDocument(other, 1);
    for (const each of [other, popup]) {
      assert.equal(await each.evaluate(() => window.pwned), undefined);
      assert.equal(await each.locator("img[src=x]").count(), 0);
    }
    await other.evaluate((bomb) => (location.hash = bomb), fragment(`{"link":[],"title":"${"a".repeat(40_000_000)}"}`));
    await other.waitForSelector(".messages .warning", SOON);
    assert.match(await other.innerText(".messages"), /longer than a link may be/);
  });
}
