// The letters of a course are chosen once for all tabs, and stay in the address.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Python } from "../src/python/client.ts";
import { lookAt } from "../src/shell/address.ts";
import { Session } from "../src/shell/session.ts";

function session(): Session {
  const session = new Session({} as Python);
  session.notations = [{ name: "uicker", sentences: { en: "D, C_i", zh: "D、C_i" }, letters: { M: "D", G: "C" } }];
  return session;
}

test("letters are those of the notation, or ours", () => {
  const open = session();
  assert.deepEqual(["M", "G", "tau", "C2"].map((name) => open.letter(name)), ["M", "G", "τ", "C₂"]);
  open.look({ notation: "uicker" });
  assert.deepEqual(["M", "G", "tau", "C2"].map((name) => open.letter(name)), ["D", "C", "τ", "C₂"]);
});

test("an address has the notation, and one that there is not is none", () => {
  const open = session();
  lookAt(open, new URLSearchParams("notation=uicker"), []);
  assert.equal(open.written.notation, "uicker");
  for (const asked of ["notation=nonsense", ""]) {
    lookAt(open, new URLSearchParams(asked), []);
    assert.equal(open.written.notation, "");
  }
});

test("what was asked in another notation is no longer what is open", () => {
  const open = session(), before = open.written;
  assert.ok(open.isStill(before));
  open.look({ notation: "uicker" });
  assert.ok(!open.isStill(before));
});
