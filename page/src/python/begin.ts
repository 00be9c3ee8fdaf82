// Begins Python with FLINT and qddot's modules: anew, or where its memory was kept.
import { loadPyodide, type PyodideInterface } from "pyodide";
import create from "pyodide/pyodide.asm.mjs";
import { filesOf } from "./archive.ts";
import { coming, handOver } from "./packed.ts";
import { type Files, gathered, gatheredByHelper, here, type Library, type Parts, PLACE, SITE } from "./parts.ts";

const PYTHON = ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip"]; // what Python begins with

export interface Beginning {
  /** The memory of a Python that had its modules imported. */
  memory?: Promise<Uint8Array>;
  /** Whether this one's memory will be kept. */
  keeps?: boolean;
}
/** A Python that answers first questions. */
export interface Begun {
  python: PyodideInterface;
  /** Fetches the modules that no first question needs. */
  complete(): Promise<void>;
}
/** What Pyodide's loader offers beyond its own documentation. */
interface Loader {
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: string | Uint8Array, options?: object): void };
  preloadedWasm: Record<string, unknown>;
  loadWebAssemblyModule(module: WebAssembly.Module, flags: object, name: string, scope: object): Promise<unknown>;
  growMemory(size: number): void;
  addRunDependency(name: string): void;
  removeRunDependency(name: string): void;
}
interface Settings {
  preRun: ((loader: Loader) => void)[];
}

/**
 * Loads the libraries, always in one order.
 * The loader looks for a library among the files, and takes what is loaded by its path or, from another library, by its name.
 */
async function provided(loader: Loader, libraries: Promise<Library[]>): Promise<void> {
  for (const [path, module] of await libraries) {
    write(loader, path, "");
    const flags = { loadAsync: true, nodelete: true, global: false };
    const loaded = await loader.loadWebAssemblyModule(module, flags, path, {});
    for (const name of [path, path.replace(/.*\//, "")]) loader.preloadedWasm[name] = loaded;
  }
}

function writeAll(loader: Pick<Loader, "FS">, files: Files): void {
  for (const [path, bytes] of files) write(loader, `${SITE}/${path}`, path.endsWith(".so") ? "" : bytes);
}

function write({ FS }: Pick<Loader, "FS">, path: string, content: string | Uint8Array): void {
  FS.mkdirTree(path.replace(/\/[^/]*$/, ""));
  FS.writeFile(path, content, { canOwn: true });
}

/** Puts the modules that no first question needs where Python finds them. */
async function complete(python: PyodideInterface): Promise<void> {
  const loader = python as unknown as Pick<Loader, "FS">;
  writeAll(loader, await filesOf(await coming(here("later")).response));
  python.runPython("import sys; sys.path_importer_cache.clear()"); // importlib's own function would import what is not there
}

/** Has the libraries loaded before Python runs, as a memory that is kept must have them: it has addresses in them. */
function before(loader: Loader, parts: Parts, memory: Promise<Uint8Array> | undefined, failed: (why: unknown) => void): void {
  loader.addRunDependency(PLACE);
  const loaded = async () => {
    if (memory) loader.growMemory((await memory).length);
    writeAll(loader, await parts.files);
    await provided(loader, parts.libraries);
    loader.removeRunDependency(PLACE);
  };
  loaded().catch(failed);
}

/** Imports the modules that need none of the libraries, which are on their way. */
async function early(python: PyodideInterface, files: Promise<Files>): Promise<void> {
  writeAll(python as unknown as Pick<Loader, "FS">, await files);
  python.runPython(`from importlib import import_module\nfor name in open("${SITE}/early.txt").read().split(): import_module(name)`);
}

/**
 * Begins Python, whose modules are found and, where a memory is given, imported.
 * A Python whose memory is neither given nor kept runs while the libraries are on their way.
 */
export async function begin({ memory, keeps = false }: Beginning): Promise<Begun> {
  const addresses = PYTHON.map(here), own = addresses.map(coming);
  handOver(own, addresses);
  const free = Promise.all(own.map(({ arrived }) => arrived));
  const parts = memory || keeps ? gathered(free) : gatheredByHelper(free);
  const createPyodideModule = (settings: Settings) =>
    new Promise((resolve, reject) => {
      if (memory || keeps) settings.preRun.push((loader) => before(loader, parts, memory, reject));
      create(settings).then(resolve, reject);
    });
  const options = {
    indexURL: here("pyodide/").href,
    packageBaseUrl: PAGE,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    createPyodideModule,
    _makeSnapshot: keeps,
    ...(memory && { _loadSnapshot: { then: (...heard: Parameters<Promise<Uint8Array>["then"]>) => memory!.then(...heard) } }),
  };
  const python = await loadPyodide(options as object);
  if (!memory) python.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${SITE}")`);
  if (!memory && !keeps) {
    await early(python, parts.files);
    await provided((python as unknown as { _module: Loader })._module, parts.libraries);
  }
  memory = undefined; // Pyodide keeps its options, and would keep the bytes of this memory with them
  return { python, complete: () => complete(python) };
}
