/** The address of the page's folder, which `script` writes before the script of a worker, which lies in a blob and cannot know the address. */
declare const PAGE: string;

/** Pyodide's loader, which is missing in Pyodide's own declarations. */
declare module "pyodide/pyodide.asm.mjs" {
  export default function create(settings: object): Promise<unknown>;
}
