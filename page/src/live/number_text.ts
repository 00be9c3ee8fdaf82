// Numbers as they stand below terms: four significant digits, a true minus, and nothing for what rounding has left.
import { plain } from "../arm/quantities.ts";

const DIGITS = 4, NOTHING = 1e-12;

/** Returns the text of a value; what is less than a rounding error beside `scale` is zero. */
export function numberText(value: number, scale = Math.abs(value)): string {
  if (!Number.isFinite(value)) return "∞";
  if (Math.abs(value) <= NOTHING * scale) return "0";
  const [digits, power] = String(Number(value.toPrecision(DIGITS))).split("e");
  return plain(digits!) + (power ? ` · 10${superscript(power.replace("+", ""))}` : "");
}

const RAISED: Record<string, string> = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** Returns a whole number as an exponent. */
export function superscript(power: string): string {
  return [...power].map((letter) => RAISED[letter] ?? letter).join("");
}
