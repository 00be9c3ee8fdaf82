// Runs Python, with the exact core, beside the page: one question after the other.
import { loadPyodide, type PyodideInterface } from "pyodide";
import type { Ask, Mistake, Reply } from "../messages.ts";

type Answerer = (question: string, asked: string, say: (doing: string) => void) => string;
const LIBRARIES = ["libgmp", "libmpfr", "libflint"]; // in the order in which they need each other
const SITE = "/site";
const PLACE = `${SITE}/python_flint.libs`;

const here = new URL("./", self.location.href);
const say = (reply: Reply) => self.postMessage(reply);

/** Compiles a library while its bytes arrive; a server that does not know what they are is forgiven. */
async function compiled(name: string): Promise<WebAssembly.Module> {
  const response = await fetch(new URL(`flint/${name}.wasm`, here));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  if (response.headers.get("Content-Type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function bytes(name: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(name, here));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

/** What Pyodide's loader of libraries offers beyond its own documentation. */
interface Loader {
  preloadedWasm: Record<string, unknown>;
  loadWebAssemblyModule(module: WebAssembly.Module, flags: object, name: string, scope: object): Promise<unknown>;
}

/** Hands a compiled library to the loader, which would compile it again, and wait for that. */
async function hand(python: PyodideInterface, name: string, module: WebAssembly.Module): Promise<void> {
  const loader = (python as unknown as { _module: Loader })._module;
  const file = `${PLACE}/${name}.so`;
  python.FS.writeFile(file, "");
  const flags = { loadAsync: true, nodelete: true, global: false };
  loader.preloadedWasm[file] = await loader.loadWebAssemblyModule(module, flags, file, {});
}

async function start(): Promise<Answerer> {
  const libraries = LIBRARIES.map(compiled);
  const site = bytes("site.zip");
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", here).href,
    packageBaseUrl: here.href,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
  });
  python.unpackArchive(await site, "zip", { extractDir: SITE });
  python.FS.mkdirTree(PLACE);
  for (const [k, name] of LIBRARIES.entries()) await hand(python, name, await libraries[k]!);
  python.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${SITE}")`);
  return python.pyimport("qddot.page.answers").answer as Answerer;
}

const started = performance.now();
const answerer = start();
answerer.then(
  () => say({ kind: "ready", seconds: (performance.now() - started) / 1000 }),
  (error: unknown) => say({ kind: "failed", text: String(error) }),
);

self.onmessage = async ({ data }: MessageEvent<Ask>) => {
  const { id, question, asked } = data;
  try {
    const answer = await answerer;
    const told = JSON.parse(answer(question, JSON.stringify(asked), (doing) => say({ kind: "progress", id, doing })));
    if (told.error) say({ kind: "mistake", id, mistake: told.error as Mistake });
    else say({ kind: "result", id, result: told.result });
  } catch (error) {
    say({ kind: "defect", id, text: String(error) });
  }
};
