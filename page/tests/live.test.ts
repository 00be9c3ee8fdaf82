// Numbers below terms read as people write them, and what rounding has left of a zero is a zero.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Calculator } from "../src/live/calculator.ts";
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

test("numbers follow a slider that moves faster than they are computed", () => {
  const asked: unknown[] = [], heard: number[] = [];
  let answer = (_: Float64Array) => {};
  globalThis.Worker = class {
    set onmessage(listener: (event: { data: Float64Array }) => void) {
      answer = (data) => listener({ data });
    }
    postMessage = (state: unknown) => void asked.push(state);
  } as unknown as typeof Worker;
  const calculator = new Calculator("", (values) => heard.push(values[0]!));
  for (const angle of [1, 2, 3]) calculator.compute([angle]);
  answer(Float64Array.of(10));
  assert.deepEqual([heard, asked], [[10], [[[1]], [[3]]]]);
  calculator.compute([4]);
  answer(Float64Array.of(30));
  answer(Float64Array.of(40));
  assert.deepEqual([heard, asked], [[10, 30, 40], [[[1]], [[3]], [[4]]]]);
});
