// Descriptions are made anew by edits, travel in links, and lay out their table by convention.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import type { Description } from "../src/messages.ts";
import { filled } from "../src/languages/words.ts";
import { at, changed, withLink, withoutLink } from "../src/shell/descriptions.ts";
import { BadLink, LONGEST, packed, unpacked } from "../src/shell/links.ts";
import { geometry, masses } from "../src/views/cells.ts";
import { pairs } from "../src/views/marking.ts";

const robot: Description = {
  name: "arm",
  convention: "dh",
  symbols: { l: { value: "1.0" } },
  link: [{ name: "upper", dh: { theta: "q1", d: 0, a: "l", alpha: 0 }, mass: "m", com: [0, 0, 0] }],
};

test("an edit makes a new description and leaves the old one as it was", () => {
  const edited = changed(robot, ["link", 0, "com", 1], "l/2");
  assert.equal(at(edited, ["link", 0, "com", 1]), "l/2");
  assert.equal(at(robot, ["link", 0, "com", 1]), 0);
  assert.equal(edited.symbols, robot.symbols);
});

test("a cell that was empty is made, and an emptied one taken away", () => {
  const limited = changed(robot, ["link", 0, "joint", "limits", 0], "-1");
  assert.deepEqual(at(limited, ["link", 0, "joint"]), { limits: ["-1"] });
  assert.equal(at(changed(robot, ["link", 0, "mass"], undefined), ["link", 0, "mass"]), undefined);
});

test("links are added under free names, and removed", () => {
  const three = withLink(withLink(robot));
  assert.deepEqual(three.link.map((link) => link["name"]), ["upper", "link2", "link3"]);
  assert.deepEqual(withoutLink(three, 1).link.map((link) => link["name"]), ["upper", "link3"]);
  assert.equal("driven" in withoutLink({ ...three, driven: ["q2"] }, 1), false);
});

test("the table has the columns of its convention", () => {
  assert.deepEqual(geometry(robot).map((column) => column.title), ["", "θ", "d", "a", "α"]);
  assert.equal(masses(robot).some((column) => column.title === "I about"), false);
  assert.equal(geometry({ convention: "screws", link: [{ home: { xyz: [0, 0, 0] } }] }).length, 1 + 6 + 3);
});

test("a link that is given by a shape has its sizes for columns, not a tensor", () => {
  const rod = changed(robot, ["link", 0, "inertia"], { shape: "rod", length: "l" });
  assert.deepEqual(masses(rod).map((column) => column.title), ["m", "c x", "c y", "c z", "shape", "length"]);
  assert.equal(masses(robot).some((column) => column.title === "I xx"), true);
});

test("a link brings the robot back", async () => {
  const letters = await packed(robot);
  assert.match(letters, /^[\w-]+$/);
  assert.deepEqual(await unpacked(letters), robot);
});

const link = (text: string) => deflateRawSync(Buffer.from(text)).toString("base64url");

for (const [what, fragment, why] of [
  ["longer than a link may be", "A".repeat(LONGEST + 1), "tooLong"],
  ["one that unpacks to 40 MB", link(`{"link":[],"title":"${"a".repeat(40_000_000)}"}`), "tooLong"],
  ["no base64", "%%%", "damaged"],
  ["no DEFLATE", "AAAA", "damaged"],
  ["no JSON", link("link"), "damaged"],
  ["no robot", link('{"link":[3]}'), "damaged"],
  ["nothing", "", "damaged"],
] as const) {
  test(`a link is refused: ${what}`, async () => {
    await assert.rejects(unpacked(fragment), (error) => error instanceof BadLink && error.why === why);
  });
}

test("names of one's own are read", () => {
  assert.deepEqual(pairs("L1 = l1, θ=q1\n broken, = x"), { L1: "l1", θ: "q1" });
});

test("parts stand in the places of a sentence", () => {
  assert.equal(filled("{a} of {b}, {c}", { a: 1, b: "x" }), "1 of x, {c}");
});
