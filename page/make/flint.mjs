// Makes FLINT small: keeps the types that qddot names, what they load, and what these call in the C library.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reachable, run, takenBy } from "./reachable.mjs";

const NAMED = /^\s*from flint import ([\w, ]+)/gm;
const LIBRARIES = ["libflint", "libmpfr", "libgmp"]; // each before those that it uses

function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** The names that sources take from flint. */
export function named(sources) {
  const texts = files(sources).filter((name) => name.endsWith(".py")).map((name) => readFileSync(name, "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(NAMED)]).flatMap((found) => found[1].split(/,\s*/)));
}

/** Leaves in flint's own __init__.py the lines that import some names. */
export function trimmed(init, names) {
  const takes = (given) => given.split(/[\s,()]+/).some((name) => names.has(name));
  const imports = [...init.matchAll(/^from \S+ import (\([^)]*\)|.*)$/gm)].filter((found) => takes(found[1]));
  return [...imports.map((found) => found[0]), init.match(/^__version__.*$/m)?.[0] ?? "", ""].join("\n");
}

/** Removes the extension modules that Python has not loaded. */
export function removeUnused(site, loaded) {
  const kept = new Set(loaded);
  for (const path of files(join(site, "flint"))) {
    const module = path.slice(site.length + 1).replace(/(\.cpython.*)?\.(so|py|pyi|pxd|pyx)$/, "").replaceAll("/", ".");
    if (!kept.has(module.replace(/\.__init__$/, ""))) rmSync(path);
  }
}

/** The extension modules of FLINT's Python. */
const extensions = (site) => files(join(site, "flint")).filter((name) => name.endsWith(".so"));

/** Writes the libraries without functions that nobody calls; returns the files that Python loads. */
export async function reduce(site, tools, interim) {
  const made = extensions(site), wanted = takenBy(made);
  for (const library of LIBRARIES) {
    const used = join(interim, `${library}.wasm`);
    const isRoot = (name) => wanted.has(name) || name.startsWith("__wasm_");
    await reachable(join(site, "python_flint.libs", `${library}.so`), isRoot, used, tools, interim);
    for (const name of takenBy([used])) wanted.add(name);
    made.push(used);
  }
  return made;
}

/** Writes the libraries with each function shorter. */
export function shorten(out, tools, interim) {
  const short = (library) => run("node", [join(tools, "wasm-opt"), join(interim, `${library}.wasm`), "-O1", "-o", join(out, `${library}.wasm`)]);
  return Promise.all(LIBRARIES.map(short));
}

/** Whether the libraries were made of the same wheel for the same names. */
export function isMade(out, key) {
  const stamp = join(out, "key.txt");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === key;
}
