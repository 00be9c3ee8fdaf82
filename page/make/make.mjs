// Builds the page into page/dist: node make/make.mjs PYTHON WHEEL. PYTHON has qddot; WHEEL is FLINT's for the browser.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";
import { begun, interim, loadedBy, modules, page, root, shrunk, site } from "./libraries.mjs";
import { licences } from "./licences.mjs";

const [python, wheel] = process.argv.slice(2).map((path) => resolve(path));
const dist = join(page, "dist"), pure = join(interim, "pure"), out = join(interim, "page");
// rooms whose packages no browser has, those of the pictures, since the page draws its own, and its sentences, which TypeScript has
const LEFT_OUT = /documents\/page\.toml$|(^|\/)(cli|sweeps|llvm|__pycache__|mjcf)(\/|$)|\/draw\/(?!__init__|drawn_arm)|\/simulate\/(?!(acting|stepping)(\/__init__.py)?$|__init__|plant|acting\/(bristles|drive|renewal)\.py|stepping\/schemes)/;
const WORKER = "worker.js", PACKED_WORKER = `${WORKER}.bin`;
const started = performance.now();
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const env = { ...process.env, PYTHONPATH: join(root, "src") };
const python3 = (...given) => promisify(execFile)(python, given, { cwd: root, maxBuffer: 1e9, env });

// the view of an arm is one module, which a notebook can take alone: the page loads it, too
const VIEW = { name: "view", setup: ({ onResolve }) => onResolve({ filter: /\/widget\.ts$/ }, () => ({ path: "./widget.js", external: true })) };

// Python's worker has Pyodide's script as the build leaves it
const SCRIPT = { name: "script", setup: ({ onResolve }) => onResolve({ filter: /\/pyodide\.asm\.mjs$/ }, () => ({ path: join(shrunk, "pyodide.asm.mjs") })) };
const OF_SCRIPT = { "direct-eval": "silent", "commonjs-variable-in-esm": "silent" }; // warnings about Pyodide's own code
const options = { bundle: true, minify: true, charset: "utf8", format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };

function bundle() {
  return Promise.all([
    build({ ...options, entryPoints: [join(page, "src/main.ts")], outdir: out, splitting: true, chunkNames: "part-[hash]", plugins: [VIEW] }),
    build({ ...options, entryPoints: [join(page, "src/widget.ts")], outfile: join(out, "widget.js"), loader: { ".css": "text" } }),
    build({ ...options, entryPoints: [join(page, "src/sw.ts")], outfile: join(out, "sw.js") }),
    build({ ...options, entryPoints: [join(page, "src/motion/serve.ts")], outfile: join(out, "motion.js") }),
    build({ ...options, entryPoints: [join(page, "src/style.css")], outfile: join(out, "style.css"), external: ["*.woff"] }),
  ]);
}

function bundleWorker() {
  const external = ["node:*", "fs", "path", "url", "vm", "child_process", "crypto", "ws", "fs/promises", "util"];
  return build({ ...options, entryPoints: [join(page, "src/python/worker.ts")], outfile: join(out, WORKER), external, logOverride: OF_SCRIPT, plugins: [SCRIPT] });
}

let shrinking = Promise.resolve(); // takes the longest, so it runs beside all else

/** Puts FLINT, the pure packages and qddot's exact core together as the page's Python finds them. */
async function gathered() {
  shrinking = (await begun(python, wheel)).end.then((isNew) => isNew && say("Python and FLINT's libraries without what nobody calls"));
  if (!existsSync(pure)) {
    await python3("-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", pure, "tomlkit", "defusedxml", "lark");
  }
  const all = join(interim, "all");
  rmSync(all, { recursive: true, force: true });
  cpSync(join(site, "flint"), join(all, "flint"), { recursive: true });
  for (const name of ["tomlkit", "defusedxml", "lark"]) cpSync(join(pure, name), join(all, name), { recursive: true });
  const own = join(root, "src");
  cpSync(join(own, "qddot"), join(all, "qddot"), { recursive: true, filter: (path) => !LEFT_OUT.test(relative(own, path)) });
  return all;
}

const WITHOUT_FLINT = `
def imports(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True

import importlib, sys
early = " ".join(filter(imports, names))`;

/** Those of some modules that need no FLINT, by name. */
async function early(names, folder) {
  const without = join(interim, "without");
  rmSync(without, { recursive: true, force: true });
  cpSync(folder, without, { recursive: true, filter: (path) => path !== join(folder, "flint") });
  const py = await loadPyodide();
  py.mountNodeFS("/without", without);
  py.globals.set("names", py.toPy(names));
  return py.runPython(`import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "/without")\n${WITHOUT_FLINT}\nearly`);
}

/** Packs the modules in a folder; returns what packs other files one by one. */
async function packed(folder) {
  const first = await loadedBy("from qddot.apps.page.warming import first; first()", site, folder);
  writeFileSync(join(folder, "early.txt"), await early(first, folder));
  const py = await loadPyodide();
  py.globals.set("first", py.toPy(["early.txt", ...first]));
  for (const [place, real] of [["/given", folder], ["/out", out], ["/pyodide", join(modules, "pyodide")]]) py.mountNodeFS(place, real);
  py.runPython(readFileSync(join(page, "make/pack.py"), "utf8"));
  py.runPython(`library("/pyodide/python_stdlib.zip", set(first), "/out/pyodide/python_stdlib.zip", "/given"); pack("/given", set(first), "/out/first.bin", "/out/later.bin")`);
  return (...names) => names.forEach((name) => py.runPython(`packed("/out/${name}")`));
}

function sized(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
  const contents = files.map((name) => readFileSync(join(folder, name)));
  const sum = (sizes) => (sizes.reduce((a, b) => a + b, 0) / 1e6).toFixed(1);
  return `${sum(contents.map((each) => each.length))} MB, ${sum(contents.map((each) => gzipSync(each, { level: 9 }).length))} MB gzip`;
}

/** Lists what the service worker keeps, under a name that only this content has; tells Python's worker that name, and packs it. */
function serviceWorker() {
  const files = readdirSync(out, { recursive: true }).filter((name) => statSync(join(out, name)).isFile() && name !== "sw.js").sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(name).update(readFileSync(join(out, name)));
  const version = hash.digest("hex").slice(0, 16);
  const named = (name) => readFileSync(join(out, name), "utf8").replaceAll("qddot-VERSION", `qddot-${version}`);
  const kept = files.map((name) => (name === WORKER ? PACKED_WORKER : name));
  writeFileSync(join(out, "sw.js"), named("sw.js").replace('"FILES"', JSON.stringify(kept)));
  writeFileSync(join(out, PACKED_WORKER), gzipSync(named(WORKER), { level: 9 }));
  rmSync(join(out, WORKER));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "pyodide"), { recursive: true });
mkdirSync(join(out, "flint"), { recursive: true });
await python3(join(page, "make/words.py"), join(interim, "languages.json"));
await bundle();
say("TypeScript bundled");
const { info } = JSON.parse(readFileSync(join(modules, "pyodide/pyodide-lock.json"), "utf8"));
writeFileSync(join(out, "pyodide/pyodide-lock.json"), JSON.stringify({ info, packages: {} })); // the page takes no package of Pyodide's
const pack = await packed(await gathered());
say("Python packed");
// the icon stands in the document: the browser asks for a file again at each entry of the history
const icon = `data:image/svg+xml;base64,${readFileSync(join(page, "src/icon.svg"), "base64")}`;
writeFileSync(join(out, "index.html"), readFileSync(join(page, "src/index.html"), "utf8").replace('"icon.svg"', `"${icon}"`));
await python3(join(page, "make/zoo.py"), join(out, "zoo"), join(out, "math.woff"));
say("the zoo's equations derived, the font cut");
await shrinking;
await bundleWorker();
cpSync(join(shrunk, "pyodide.asm.wasm"), join(out, "pyodide/pyodide.asm.wasm"));
for (const name of ["libgmp", "libmpfr", "libflint"]) cpSync(join(shrunk, `${name}.wasm`), join(out, "flint", `${name}.wasm`));
pack("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", ...["libgmp", "libmpfr", "libflint"].map((name) => `flint/${name}.wasm`));
writeFileSync(join(out, "licences.txt"), licences(page, root, site, pure));
serviceWorker();
rmSync(dist, { recursive: true, force: true });
cpSync(out, dist, { recursive: true });
say(`page/dist: ${sized(dist)}`);
