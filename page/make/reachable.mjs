// Leaves in a file of WebAssembly what can be reached from some of its exports.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const FEATURES = ["bulk-memory", "bulk-memory-opt", "exception-handling", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

export const run = promisify(execFile);

export const read = (path) => new WebAssembly.Module(readFileSync(path));

/** The names that files of WebAssembly import. */
export function takenBy(paths) {
  return new Set(paths.flatMap((path) => WebAssembly.Module.imports(read(path)).map((each) => each.name)));
}

/** Writes the file without what no root reaches. Relocations stay. */
export async function reachable(given, isRoot, out, tools, interim) {
  const module = read(given);
  const names = new Set(WebAssembly.Module.exports(module).map((each) => each.name));
  const graph = [
    { name: "outside", root: true, reaches: [...names].filter(isRoot).map((name) => `out ${name}`) },
    ...[...names].map((name) => ({ name: `out ${name}`, export: name })),
    ...WebAssembly.Module.imports(module).map(({ module: from, name }) => ({
      name: `in ${from} ${name}`,
      import: [from, name],
      ...(names.has(name) ? { reaches: [`out ${name}`] } : {}),
    })),
  ];
  const described = join(interim, `${basename(given)}.json`);
  writeFileSync(described, JSON.stringify(graph));
  const tool = [join(tools, "wasm-metadce"), given, "--graph-file", described, "-o", out, ...FEATURES.map((name) => `--enable-${name}`)];
  await run("node", tool, { maxBuffer: 1e9 });
}
