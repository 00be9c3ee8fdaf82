// Makes FLINT small: the types that qddot names with what they load, and of the C library what these call.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const NAMED = /^\s*from flint import ([\w, ]+)/gm;
const LIBRARIES = ["libflint", "libmpfr", "libgmp"]; // users before what they use

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

const read = (path) => new WebAssembly.Module(readFileSync(path));

const run = promisify(execFile);

/** Writes the libraries without functions that nobody calls, and each function shorter. Relocations stay. */
export async function shrink(site, out, tools, interim) {
  mkdirSync(out, { recursive: true });
  const extensions = files(join(site, "flint")).filter((name) => name.endsWith(".so"));
  const wanted = new Set(extensions.flatMap((path) => WebAssembly.Module.imports(read(path)).map((each) => each.name)));
  const shortened = [];
  for (const library of LIBRARIES) {
    const given = join(site, "python_flint.libs", `${library}.so`), made = join(out, `${library}.wasm`);
    const module = read(given);
    const names = new Set(WebAssembly.Module.exports(module).map((each) => each.name));
    const roots = [...names].filter((name) => wanted.has(name) || name.startsWith("__wasm_"));
    const graph = [
      { name: "outside", root: true, reaches: roots.map((name) => `out ${name}`) },
      ...[...names].map((name) => ({ name: `out ${name}`, export: name })),
      ...WebAssembly.Module.imports(module).map(({ module: from, name }) => ({
        name: `in ${from} ${name}`,
        import: [from, name],
        ...(names.has(name) ? { reaches: [`out ${name}`] } : {}),
      })),
    ];
    const described = join(interim, "graph.json");
    writeFileSync(described, JSON.stringify(graph));
    const used = join(interim, `${library}.wasm`);
    await run("node", [join(tools, "wasm-metadce"), given, "--graph-file", described, "-o", used], { maxBuffer: 1e9 });
    for (const each of WebAssembly.Module.imports(read(used))) wanted.add(each.name);
    shortened.push(run("node", [join(tools, "wasm-opt"), used, "-O1", "-o", made]));
  }
  await Promise.all(shortened);
}

/** Whether the libraries were made of the same wheel for the same names. */
export function isMade(out, key) {
  const stamp = join(out, "key.txt");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === key;
}
