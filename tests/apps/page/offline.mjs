// What a browser keeps of the page: visits of one page, since Python's start takes most of a visit.
import assert from "node:assert/strict";
import { SOON, choose, go } from "./acts.mjs";
import { READY, address, browser, equations, heard, scenario, until } from "./harness.mjs";

const OLDER = `self.addEventListener("install", (event) => event.waitUntil(caches.open("qddot-older").then((cache) => cache.addAll(["index.html", "main.js"])).then(() => self.skipWaiting())));
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("fetch", (event) => event.respondWith(caches.match(event.request.mode === "navigate" ? "index.html" : event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request))));`;

export function workers() {
  let page;

  scenario("a service worker of an older version makes way, with what it had kept, in a folder of a server, too", async () => {
    const context = await browser.newContext({ serviceWorkers: "allow" }), script = (body) => (route) => route.fulfill({ contentType: "text/javascript", body });
    page = heard(await context.newPage());
    await context.route("**/sw.js", script(OLDER));
    await context.route("**/main.js", script('document.body.textContent = "older"; navigator.serviceWorker.register("sw.js")'));
    await page.goto(`${address}within/index.html`);
    await page.waitForFunction(() => navigator.serviceWorker.controller && document.body.innerText === "older", null, SOON);
    await context.unrouteAll();
    // a browser looks for a newer one on its own, some seconds after a visit
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration()).update()));
    await until(async () => {
      await page.reload();
      return (await page.locator("header .brand").count()) > 0;
    });
    await page.waitForSelector(READY, SOON);
    assert.equal(await page.evaluate(() => caches.has("qddot-older")), false);
  });

  scenario("the page opens without a network after its first load, whatever was kept of Python", async () => {
    const kept = () => page.evaluate(async () => !!(await caches.match("memory")));
    const answers = async () => {
      await page.waitForSelector(READY, SOON);
      await go(page, "equations");
      await choose(page, "G");
      assert.match(await equations(page), /G1=/);
    };
    await until(kept);
    await page.context().setOffline(true);
    await page.reload();
    await answers();
    assert.ok(await kept(), "Python began where its memory was kept: it would have forgotten one that is of no use");
    await page.evaluate(async () => {
      for (const name of await caches.keys()) await (await caches.open(name)).put("memory", new Response("no memory of a Python"));
    });
    await page.reload();
    await answers();
    await page.context().close();
  });
}
