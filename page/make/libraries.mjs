// Makes Python's and FLINT's libraries small, which takes the longest: node libraries.mjs PYTHON WHEEL, where it is begun
// before qddot is installed; make.mjs does the same. PYTHON: any; WHEEL is FLINT's for the browser.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import * as flint from "./flint.mjs";
import * as pyodide from "./python.mjs";

const own = fileURLToPath(import.meta.url);
export const page = resolve(dirname(own), ".."), root = resolve(page, "..");
export const modules = join(page, "node_modules"), interim = join(page, "interim");
export const site = join(interim, "site"), shrunk = join(interim, "flint");

/** The modules that Python has loaded after a line has run, with some folders in its path. */
export async function loadedBy(line, ...folders) {
  const py = await loadPyodide();
  folders.forEach((folder, k) => py.mountNodeFS(`/site${k}`, folder));
  const paths = JSON.stringify(folders.map((_, k) => `/site${k}`));
  return py.runPython(`import sys; sys.dont_write_bytecode = True; sys.path[:0] = ${paths}; ${line}; " ".join(sys.modules)`).split(" ");
}

/** Unpacks FLINT and begins to shrink the libraries; the promise of their end says whether they are new. */
export async function begun(python, wheel) {
  const names = flint.named(join(root, "src/qddot"));
  const made = ["flint", "python", "reachable"].map((name) => join(page, "make", `${name}.mjs`));
  const hash = createHash("sha256").update([...names].sort().join(" "));
  for (const path of [wheel, join(modules, "pyodide/package.json"), ...made]) hash.update(readFileSync(path));
  const key = hash.digest("hex");
  if (flint.isMade(shrunk, key)) return { end: Promise.resolve(false) };
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  execFileSync(python, ["-m", "zipfile", "-e", wheel, site]);
  const init = join(site, "flint/__init__.py");
  writeFileSync(init, flint.trimmed(readFileSync(init, "utf8"), names));
  flint.removeUnused(site, await loadedBy("import flint, flint.utils", site));
  return { end: shrink().then(() => (writeFileSync(join(shrunk, "key.txt"), key), true)) };
}

async function shrink() {
  const tools = join(modules, "binaryen/bin");
  mkdirSync(shrunk, { recursive: true });
  const libraries = await flint.reduce(site, tools, interim);
  await Promise.all([flint.shorten(shrunk, tools, interim), pyodide.shrink(join(modules, "pyodide"), libraries, shrunk, tools, interim)]);
}

if (resolve(process.argv[1]) === own) await (await begun(...process.argv.slice(2).map((path) => resolve(path)))).end;
