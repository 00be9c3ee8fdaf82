// Gathers the licences of all that the page is made of.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const OF_NPM = ["three", "uplot", "fzstd"];
const TOLD = `Pyodide (https://github.com/pyodide/pyodide) is under the Mozilla Public License 2.0,
https://www.mozilla.org/MPL/2.0/. It is used without functions that the page does not call; its source is at that address.

Python and its library are under the Python Software Foundation License, https://docs.python.org/3/license.html.
The library is packed without parts of it.

python-flint, FLINT, MPFR and GMP: see below. FLINT, MPFR and GMP are under the GNU Lesser General Public License; the
page has them without functions that it does not call. Their sources: https://flintlib.org, https://www.mpfr.org,
https://gmplib.org. The build in page/make/flint.mjs of qddot makes the same of another version of them.

The font of mathematics is cut from STIX Two Math, Copyright 2001-2021 The STIX Fonts Project Authors
(https://github.com/stipub/stixfonts), under the SIL Open Font License 1.1, https://openfontlicense.org.
`;

export function licences(page, root, flint, pure) {
  const parts = [["qddot", join(root, "LICENSE")], ...OF_NPM.map((name) => [name, join(page, "node_modules", name, "LICENSE")])];
  for (const folder of [flint, pure]) {
    for (const path of readdirSync(folder, { recursive: true })) {
      if (/dist-info\/.*(LICEN[CS]E|COPYING)/.test(path)) parts.push([path.replace(/\.dist-info\/(licenses\/)?/, ": "), join(folder, path)]);
    }
  }
  return [TOLD, ...parts.map(([name, path]) => `${"=".repeat(80)}\n${name}\n\n${readFileSync(path, "utf8")}`)].join("\n");
}
