// Numbers below terms read as people write them, and what rounding has left of a zero is a zero.
import assert from "node:assert/strict";
import { test } from "node:test";
import { numberText } from "../src/live/number_text.ts";

test("four significant digits, a true minus, powers of ten raised", () => {
  assert.equal(numberText(-1.66666), "−1.667");
  assert.equal(numberText(284.123), "284.1");
  assert.equal(numberText(1.5e-9), "1.5 · 10⁻⁹");
  assert.equal(numberText(-2.34567e24), "−2.346 · 10²⁴");
});

test("what is less than a rounding error beside the other terms is zero", () => {
  assert.equal(numberText(6e-15, 284), "0");
  assert.equal(numberText(-0), "0");
});
