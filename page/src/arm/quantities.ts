// Angles and lengths as people read and type them: degrees and metres.
const DEGREE = Math.PI / 180;

export function turnText(angle: number): string {
  return `${plain((angle / DEGREE).toFixed(1))}°`;
}

export function lengthText(length: number): string {
  return `${plain(length.toFixed(3))} m`;
}

/** Returns a number's text with a true minus sign, and none before zeros. */
export function plain(text: string): string {
  return text.replace(/^-(?=0?\.?0*$)/, "").replace("-", "−");
}

/** Returns the value in SI units of what was typed, in degrees where a joint turns; NaN if that is no number. */
export function typed(text: string, turns: boolean): number {
  const value = text.trim() === "" ? NaN : Number(text.trim().replace("−", "-").replace(/°$/, ""));
  return turns ? value * DEGREE : value;
}
