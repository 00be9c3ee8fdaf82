// node bench/slow_page.mjs FOLDER CHROMIUM MODULES [MBIT [PART]]    seconds until the page is of use on a slow line and a slow
// machine. FOLDER is served at MBIT (4) Mbit/s for all files together, each as it lies there; every process of the browser is
// stopped for all but PART (0.25) of the time. Prints a line of JSON.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";

const [folder, executablePath, modules, mbit = "4", part = "0.25"] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "any.js"))("playwright-core");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const PIECE = 4096, RUN = 10; // bytes; ms that the browser's processes run at a time
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

let line = 0, sent = 0; // when the line is free again [ms]; bytes
async function onTheLine(bytes) {
  sent += bytes;
  line = Math.max(line, performance.now()) + bytes / (Number(mbit) * 125);
  await pause(line - performance.now());
}

const server = createServer(async ({ url }, response) => {
  const path = join(folder, new URL(url, "http://any").pathname.replace(/\/$/, "/index.html"));
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
  const content = readFileSync(path);
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Content-Length": content.length });
  for (let from = 0; from < content.length; from += PIECE) {
    const piece = content.subarray(from, from + PIECE);
    await onTheLine(piece.length);
    response.write(piece);
  }
  response.end();
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

let slow = true;
/** Stops and continues the group of processes that the browser is. */
async function slowed(group) {
  for (; slow; ) {
    const begun = performance.now();
    await pause(RUN);
    process.kill(-group, "SIGSTOP");
    await pause((performance.now() - begun) * (1 / Number(part) - 1));
    process.kill(-group, "SIGCONT");
  }
}

/** Seconds of processor time that a group of processes has had: they depend little on what else runs on the machine. */
function spent(group) {
  let ticks = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {} // it has ended
  }
  return ticks / 100;
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
const [group] = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ").map(Number);
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" })).newPage();
page.setDefaultTimeout(300_000);
const begun = performance.now(), seconds = () => Number(((performance.now() - begun) / 1000).toFixed(1));
const slowing = Number(part) < 1 ? slowed(group) : null;
const told = {};
await page.goto(`http://127.0.0.1:${server.address().port}/#robot=two_link&view=equations`, { waitUntil: "commit" });
await page.waitForSelector(".equations .term");
told["equations, s"] = seconds();
await page.waitForSelector('.pill[data-python="ready"]');
told["Python ready, s"] = seconds();
told["processor time by then, s"] = spent(group);
told["MB sent by then"] = Number((sent / 1e6).toFixed(2));
slow = false;
await slowing;
console.log(JSON.stringify(told));
await browser.close();
server.close();
