// Gathers what Python needs beside its own files: the modules that it begins with, and FLINT's libraries.
import { filesOf } from "./archive.ts";
import { coming } from "./packed.ts";

const LIBRARIES = ["libgmp", "libmpfr", "libflint"]; // in the order in which they need each other
export const SITE = "/site", PLACE = `${SITE}/python_flint.libs`;
export const HELPER = "helper"; // the name of the worker that gathers the parts for another one

export type Files = Map<string, Uint8Array>;
export type Library = [path: string, module: WebAssembly.Module];
/** What a helper tells. */
interface Told {
  files: Files;
  libraries: Library[];
  failed: string;
}
export interface Parts {
  files: Promise<Files>;
  /** Libraries, and the extension modules behind them. */
  libraries: Promise<Library[]>;
}

export const here = (path: string) => new URL(path, PAGE);

/** Fetches the modules that Python begins with, then the libraries, which are compiled while their bytes arrive. */
export function gathered(free: Promise<unknown>): Parts {
  const first = free.then(() => coming(here("first")));
  const files = first.then(async ({ response }) => filesOf(await response));
  const ofFlint = first.then(({ arrived }) => arrived).then(() => Promise.all(LIBRARIES.map(compiled)));
  const extensions = files.then((all) => Promise.all([...all].filter(([path]) => path.endsWith(".so")).map(extension)));
  return { files, libraries: Promise.all([ofFlint, extensions]).then((both) => both.flat()) };
}

async function compiled(name: string): Promise<Library> {
  return [`${PLACE}/${name}.so`, await WebAssembly.compileStreaming(coming(here(`flint/${name}.wasm`)).response)];
}

async function extension([path, bytes]: [string, Uint8Array]): Promise<Library> {
  return [`${SITE}/${path}`, await WebAssembly.compile(bytes as BufferSource)];
}

/** Has a helper gather the same, since Python, which begins meanwhile, keeps this thread busy. */
export function gatheredByHelper(free: Promise<unknown>): Parts {
  const helper = new Worker(self.location.href, { type: "module", name: HELPER });
  const told = <Part extends keyof Told>(part: Part) =>
    new Promise<Told[Part]>((resolve, reject) => {
      helper.addEventListener("message", ({ data }: MessageEvent<Partial<Told>>) => {
        if (data.failed) reject(new Error(data.failed));
        else if (data[part]) resolve(data[part]);
      });
      helper.addEventListener("error", (event) => reject(new Error(event.message)));
    });
  const parts = { files: told("files"), libraries: told("libraries") };
  free.then(() => helper.postMessage(null)).catch(() => {}); // whoever waits for the line gets the error
  parts.libraries.finally(() => helper.terminate()).catch(() => {}); // whoever takes the parts gets the error
  return parts;
}

/** Gathers the parts for the worker that has begun this one, as soon as it says that the line is free. */
export function help(): void {
  const free = new Promise<void>((resolve) => (self.onmessage = () => resolve()));
  const { files, libraries } = gathered(free);
  const tell = (told: Partial<Told>) => self.postMessage(told);
  const failed = (error: unknown) => tell({ failed: String(error) });
  files.then((files) => tell({ files }), failed);
  libraries.then((libraries) => tell({ libraries }), failed);
}
