// Begins Python with FLINT and qddot's modules: anew, or where its memory was kept.
import { loadPyodide, type PyodideInterface } from "pyodide";
import { unpacked } from "./archive.ts";
import { fetched, unpackOnTheWay } from "./packed.ts";

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

/** Compiles a library while its bytes arrive. */
async function compiled(path: string): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(await fetched(new URL(path, here)));
}

const archive = async (name: string) => unpacked(await fetch(new URL(name, here)));

async function gathered(): Promise<Parts> {
  const libraries = LIBRARIES.map(async (name): Promise<[string, WebAssembly.Module]> => [`${PLACE}/${name}.so`, await compiled(`flint/${name}.wasm`)]);
  const files = await archive("first.bin");
  const extensions = [...files].filter(([path]) => path.endsWith(".so"));
  const modules = extensions.map(async ([path, bytes]): Promise<[string, WebAssembly.Module]> => [
    `${SITE}/${path}`,
    await WebAssembly.compile(bytes as BufferSource),
  ]);
  return { files, libraries: await Promise.all([...libraries, ...modules]) };
}

/**
 * Loads the libraries before Python runs, always in one order: a memory that is kept has addresses in them.
 * The loader looks for a library among the files, and takes what is loaded by its path or, from another library, by its name.
 */
async function provided(loader: Loader, parts: Promise<Parts>, memory?: Promise<Uint8Array>): Promise<void> {
  loader.addRunDependency(PLACE);
  const { files, libraries } = await parts;
  if (memory) loader.growMemory((await memory).length);
  for (const [path, bytes] of files) write(loader, `${SITE}/${path}`, path.endsWith(".so") ? "" : bytes);
  for (const [path, module] of libraries) {
    write(loader, path, "");
    const flags = { loadAsync: true, nodelete: true, global: false };
    const loaded = await loader.loadWebAssemblyModule(module, flags, path, {});
    for (const name of [path, path.replace(/.*\//, "")]) loader.preloadedWasm[name] = loaded;
  }
  loader.removeRunDependency(PLACE);
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

/** Begins Python, whose modules are found and, where a memory is given, imported. */
export async function begin({ memory, keeps = false }: Beginning): Promise<Begun> {
  unpackOnTheWay();
  const parts = gathered();
  const script = import(new URL("pyodide/pyodide.asm.mjs", here).href) as Promise<{ default: Create }>;
  const createPyodideModule = async (settings: Settings) => {
    const { default: create } = await script;
    return new Promise((resolve, reject) => {
      settings.preRun.push((loader) => void provided(loader, parts, memory).catch(reject));
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
  if (!memory) python.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${SITE}")`);
  return { python, rest: complete(python) };
}
