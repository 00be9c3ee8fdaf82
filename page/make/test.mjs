// Runs the unit tests of the page in Node: node make/test.mjs. What they compare with is in the folder MOTIONS.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const page = resolve(dirname(fileURLToPath(import.meta.url)), ".."), tests = join(page, "tests"), out = join(page, "interim/tests");
rmSync(out, { recursive: true, force: true });
const names = readdirSync(tests).filter((name) => name.endsWith(".test.ts"));
await build({ entryPoints: names.map((name) => join(tests, name)), outdir: out, bundle: true, format: "esm", platform: "node", outExtension: { ".js": ".mjs" }, logLevel: "warning" });
const made = names.map((name) => join(out, name.replace(/ts$/, "mjs")));
process.exit(spawnSync(process.execPath, ["--test", ...made], { stdio: "inherit" }).status ?? 1);
