// Makes Pyodide small: without the exports that neither its own script nor FLINT's libraries take, and what only these call.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reachable, takenBy } from "./reachable.mjs";

const WASM = "pyodide.asm.wasm", SCRIPT = "pyodide.asm.mjs";
const ASSIGNED = /(_\w+)=Module\["\1"\]=wasmExports\["(\w+)"\](?:\.value>>>0)?;/g;
const DECLARED = /var (?:\w+,)+wasmTable,wasmMemory;/;

/** The names in those parts of a script that stay as they are. */
function used(script) {
  return new Set(script.replace(ASSIGNED, "").replace(DECLARED, "").match(/\w+/g));
}

/** A script without the variables of some exports. */
function without(script, isLeftOut) {
  const gone = new Set();
  const assigned = script.replace(ASSIGNED, (whole, variable, name) => (isLeftOut(name) ? (gone.add(variable), "") : whole));
  return assigned.replace(DECLARED, (declared) => declared.replace(/\w+,/g, (part) => (gone.has(part.slice(0, -1)) ? "" : part)));
}

/** Writes Pyodide's two files into the folder out. libraries: the files of WebAssembly that Python loads. */
export async function shrink(pyodide, libraries, out, tools, interim) {
  const given = join(pyodide, WASM), script = readFileSync(join(pyodide, SCRIPT), "utf8");
  const names = used(script + readFileSync(join(pyodide, "pyodide.mjs"), "utf8"));
  const taken = takenBy(libraries);
  const isRoot = (name) => taken.has(name) || names.has(name) || names.has(`_${name}`);
  await reachable(given, isRoot, join(out, WASM), tools, interim);
  writeFileSync(join(out, SCRIPT), without(script, (name) => !isRoot(name)));
}
