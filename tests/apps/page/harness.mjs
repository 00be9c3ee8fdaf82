// What the scenarios in the page's browser share: one browser, pages of it, and the run of them all.
// The arguments are those of driven.mjs.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import assert from "node:assert/strict";
import { SOON, within } from "./acts.mjs";

export const [address, executablePath, modules, pictures, native, ...chosen] = process.argv.slice(2);
const require = createRequire(resolve(modules, "any.js"));
const { chromium } = require("playwright-core");
const AXE = require.resolve("axe-core/axe.min.js");
mkdirSync(pictures, { recursive: true });

const scenarios = [];
export const scenario = (name, run) => scenarios.push({ name, run });
export const LAPTOP = { width: 1280, height: 800 }, PHONE = { width: 390, height: 844 };
export const READY = '[data-python="ready"]';

export const browser = await within(chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] }), "the browser to start");
await limitAll();
export const faults = []; // what the page complained of, or asked of others

/** Never kept: a page that waits for it has no Python, whose start takes most of a scenario's time. */
export const NEVER = new Promise(() => {});

/** Gives some methods of all objects of a kind, which Playwright lets wait for ever, a limit after which they say what was awaited. */
function limit(object, ...names) {
  const kind = Object.getPrototypeOf(object);
  for (const name of names) {
    const plain = kind[name];
    kind[name] = function (...given) {
      return within(plain.apply(this, given), `${kind.constructor.name.replace(/^_/, "")}.${name}(${given.map((each) => String(each?.body ?? each)).join(", ").slice(0, 300)})`);
    };
  }
}

async function limitAll() {
  limit(browser, "newContext", "close");
  const context = await browser.newContext();
  limit(context, "newPage", "newCDPSession", "route", "unrouteAll", "setOffline", "close");
  const page = await context.newPage();
  limit(page, "evaluate", "evaluateHandle", "route", "setViewportSize", "close");
  limit(page.locator("body"), "count", "evaluate", "evaluateAll");
  limit(await context.newCDPSession(page), "send", "detach");
  await context.close();
}

/** Has what a page complains of, or asks of others, among the faults. */
export function heard(page) {
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("dialog", (dialog) => (faults.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) faults.push(`asked for ${request.url()}`);
  });
  return page;
}

/** Opens the page. python: a promise; Python begins only when it is kept. */
export async function opened(fragment = "", options = {}, python = null) {
  const context = await browser.newContext({ viewport: LAPTOP, serviceWorkers: "block", permissions: ["clipboard-read", "clipboard-write"], ...options });
  if (python) await context.route("**/worker.js.bin", (route) => python.then(() => route.continue()));
  const page = heard(await context.newPage());
  await page.goto(address + fragment);
  return page;
}

export const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
export const plain = (text) => text.normalize("NFKD").replace(/[\s\u200b]+/g, "");
/** The equations that are set, a line each; the entries of a matrix have no left side of their own. */
export async function equations(page) {
  const texts = await page.locator(".equations-view > div > .sheet [data-name]").evaluateAll((all) =>
    all.map((each) => (each.matches(".cell") ? `${each.dataset.name}=${each.innerText}` : each.innerText)));
  return texts.map(plain).join("\n");
}

export async function until(holds) {
  for (const end = Date.now() + SOON.timeout; !(await holds()); ) {
    assert.ok(Date.now() < end, `${SOON.timeout / 1000} s were not enough for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function contentOf(download) {
  return readFileSync(await within(download.path(), `the download of ${download.suggestedFilename()}`), "utf8");
}

/** Drops a text as a file onto the page. */
export async function drop(page, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

/** Runs axe beside the page's scripts, where the policy of the page does not hold; options: those of axe.run. */
export async function axe(page, options = {}) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await session.send("Runtime.evaluate", { expression: readFileSync(AXE, "utf8"), contextId: executionContextId });
  const { result } = await session.send("Runtime.evaluate", { expression: `axe.run(document, ${JSON.stringify(options)}).then((found) => JSON.stringify({ violations: found.violations }))`, contextId: executionContextId, awaitPromise: true, returnByValue: true });
  await session.detach();
  return JSON.parse(result.value);
}

/** Runs the scenarios that were asked for, prints a line of each, and ends. */
export async function run(page) {
  let failed = 0;
  for (const { name, run } of scenarios) {
    if (chosen.length && !chosen.includes(name)) continue;
    const started = performance.now();
    const told = { name, ok: true };
    faults.length = 0;
    try {
      Object.assign(told, await run());
      assert.deepEqual(faults, []);
    } catch (error) {
      failed += 1;
      Object.assign(told, { ok: false, error: String(error.message).slice(0, 2000), faults: faults.slice(0, 3) });
      await picture(page, `failed-${failed}`).catch(() => {});
    }
    console.log(JSON.stringify({ ...told, seconds: Number(((performance.now() - started) / 1000).toFixed(1)) }));
  }
  await browser.close().catch((error) => console.error(error.message));
  process.exit(failed ? 1 : 0);
}
