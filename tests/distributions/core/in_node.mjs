// node in_node.mjs BROWSER FOLDERS NAME ...    prints what bare.py prints of each robot, as JSON.
// BROWSER: where Pyodide and FLINT's wheel for it are installed; FOLDERS: of Python sources, joined by commas
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [browser, folders, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(browser, "node_modules/pyodide/pyodide.mjs")));
const python = await loadPyodide();
const wheel = readdirSync(browser).find((file) => file.endsWith(".whl"));
await python.loadPackage(resolve(browser, wheel), { messageCallback() {} });
folders.split(",").forEach((folder, k) => python.mountNodeFS(`/sources/${k}`, folder));
python.globals.set("names", names);
console.log(python.runPython(`
import json, sys
sys.dont_write_bytecode = True
sys.path += [f"/sources/{k}" for k in range(${folders.split(",").length})]
import bare
json.dumps({name: bare.printed(name) for name in names} | {"long ring": bare.long_ring()})
`));
