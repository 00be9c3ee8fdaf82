// Begins Python with FLINT and qddot's modules: anew, or where its memory was kept.
import { loadPyodide, type PyodideInterface } from "pyodide";
import { unpacked } from "./archive.ts";
import { coming, handOver } from "./packed.ts";

const PYTHON = ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip"]; // what Python begins with
const LIBRARIES = ["libgmp", "libmpfr", "libflint"]; // in the order in which they need each other
const SITE = "/site", PLACE = `${SITE}/python_flint.libs`;
const here = new URL("./", self.location.href);

export interface Beginning {
  /** The memory of a Python that had its modules imported. */
  memory?: Promise<Uint8Array>;
  /** Whether this one's memory will be kept. */
  keeps?: boolean;
}
/** A Python that answers first questions; the modules for the others are on their way, or there. */
export interface Begun {
  python: PyodideInterface;
  rest: Promise<void>;
}
interface Parts {
  files: Map<string, Uint8Array>;
  /** Libraries, and the extension modules behind them, by path. */
  libraries: [string, WebAssembly.Module][];
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
type Create = (settings: Settings) => Promise<unknown>;

const archive = async (name: string) => unpacked(await fetch(new URL(name, here)));

/** Compiles the libraries and the extension modules while their bytes arrive, once the line is free for them. */
async function gathered(free: Promise<unknown>): Promise<Parts> {
  await free;
  const ofFlint = LIBRARIES.map((name) => ({ path: `${PLACE}/${name}.so`, ...coming(new URL(`flint/${name}.wasm`, here)) }));
  const libraries = ofFlint.map(async ({ path, response }): Promise<[string, WebAssembly.Module]> => [path, await WebAssembly.compileStreaming(response)]);
  await Promise.all(ofFlint.map(({ arrived }) => arrived));
  const files = await archive("first.bin");
  const extensions = [...files].filter(([path]) => path.endsWith(".so"));
  const modules = extensions.map(async ([path, bytes]): Promise<[string, WebAssembly.Module]> => [
    `${SITE}/${path}`,
    await WebAssembly.compile(bytes as BufferSource),
  ]);
  return { files, libraries: await Promise.all([...libraries, ...modules]) };
}

/**
 * Loads the libraries, always in one order.
 * The loader looks for a library among the files, and takes what is loaded by its path or, from another library, by its name.
 */
async function provided(loader: Loader, parts: Promise<Parts>): Promise<void> {
  const { files, libraries } = await parts;
  for (const [path, bytes] of files) write(loader, `${SITE}/${path}`, path.endsWith(".so") ? "" : bytes);
  for (const [path, module] of libraries) {
    write(loader, path, "");
    const flags = { loadAsync: true, nodelete: true, global: false };
    const loaded = await loader.loadWebAssemblyModule(module, flags, path, {});
    for (const name of [path, path.replace(/.*\//, "")]) loader.preloadedWasm[name] = loaded;
  }
}

function write({ FS }: Pick<Loader, "FS">, path: string, content: string | Uint8Array): void {
  FS.mkdirTree(path.replace(/\/[^/]*$/, ""));
  FS.writeFile(path, content, { canOwn: true });
}

/** Puts the modules that no first question needs where Python finds them. */
async function complete(python: PyodideInterface): Promise<void> {
  const loader = python as unknown as Pick<Loader, "FS">;
  for (const [path, bytes] of await archive("later.bin")) write(loader, `${SITE}/${path}`, bytes);
  python.runPython("import importlib; importlib.invalidate_caches()");
}

/** Has the libraries loaded before Python runs, as a memory that is kept must have them: it has addresses in them. */
function before(loader: Loader, parts: Promise<Parts>, memory: Promise<Uint8Array> | undefined, failed: (why: unknown) => void): void {
  loader.addRunDependency(PLACE);
  const loaded = async () => {
    if (memory) loader.growMemory((await memory).length);
    await provided(loader, parts);
    loader.removeRunDependency(PLACE);
  };
  loaded().catch(failed);
}

/**
 * Begins Python, whose modules are found and, where a memory is given, imported.
 * A Python whose memory is neither given nor kept runs while the libraries are on their way.
 */
export async function begin({ memory, keeps = false }: Beginning): Promise<Begun> {
  const addresses = PYTHON.map((path) => new URL(path, here)), own = addresses.map(coming);
  handOver(own, addresses);
  const script = import(new URL("pyodide/pyodide.asm.mjs", here).href) as Promise<{ default: Create }>;
  const parts = gathered(Promise.all([script, ...own.map(({ arrived }) => arrived)]));
  const createPyodideModule = async (settings: Settings) => {
    const { default: create } = await script;
    return new Promise((resolve, reject) => {
      if (memory || keeps) settings.preRun.push((loader) => before(loader, parts, memory, reject));
      create(settings).then(resolve, reject);
    });
  };
  const options = {
    indexURL: new URL("pyodide/", here).href,
    packageBaseUrl: here.href,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    createPyodideModule,
    _makeSnapshot: keeps,
    ...(memory && { _loadSnapshot: memory }),
  };
  const python = await loadPyodide(options as object);
  if (!memory && !keeps) await provided((python as unknown as { _module: Loader })._module, parts);
  if (!memory) python.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${SITE}")`);
  return { python, rest: complete(python) };
}
