/** The address of the page's folder, which `script` writes before the script of a worker: that lies in a blob, and cannot know it. */
declare const PAGE: string;

/** Pyodide's loader, of which its own declarations say nothing. */
declare module "pyodide/pyodide.asm.mjs" {
  export default function create(settings: object): Promise<unknown>;
}
