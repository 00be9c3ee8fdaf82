// The samples of a motion, one after another: what is scrubbed through, plotted and downloaded.
import type { DrawnArm } from "../messages.ts";

const MOST = 6e6; // numbers that are kept: 48 MB

/** How a sample is laid out. */
export interface Layout {
  coordinates: string[];
  turns: boolean[];
  rates: string[];
  accounts: string[];
  arms: number;
}

export function layoutOf(arm: DrawnArm, accounts: string[], arms: number): Layout {
  const coordinates = arm.coordinates.map(({ name }) => name), turns = arm.coordinates.map((each) => each.turns);
  return { coordinates, turns, rates: arm.coordinates.map(({ rate }) => rate), accounts, arms };
}

export class Recording {
  readonly layout: Layout;
  readonly n: number;
  readonly width: number;
  length = 0;
  private rows: Float64Array;

  constructor(layout: Layout) {
    this.layout = layout;
    this.n = layout.coordinates.length;
    this.width = 1 + 2 * this.n + layout.accounts.length + 2 + this.n + (layout.arms - 1) * this.n;
    this.rows = new Float64Array(this.width * 1024);
  }

  /** Returns whether there is room for further samples. */
  get hasRoom(): boolean {
    return (this.length + 1) * this.width < MOST;
  }

  append(samples: Float64Array): void {
    const needed = this.length * this.width + samples.length;
    if (needed > this.rows.length) {
      const larger = new Float64Array(Math.max(needed, 2 * this.rows.length));
      larger.set(this.rows.subarray(0, this.length * this.width));
      this.rows = larger;
    }
    this.rows.set(samples, this.length * this.width);
    this.length += samples.length / this.width;
  }

  time(k: number): number {
    return this.at(k, 0);
  }

  /** Returns the samples' numbers and where the first arm's coordinates of sample k begin, and those of the others. */
  places(k: number): { rows: Float64Array; first: number; others: number } {
    const start = k * this.width;
    return { rows: this.rows, first: start + 1, others: start + 1 + 2 * this.n + this.layout.accounts.length + 2 + this.n };
  }

  coordinate(k: number, i: number): number {
    return this.at(k, 1 + i);
  }

  rate(k: number, i: number): number {
    return this.at(k, 1 + this.n + i);
  }

  account(k: number, i: number): number {
    return this.at(k, 1 + 2 * this.n + i);
  }

  kinetic(k: number): number {
    return this.at(k, 1 + 2 * this.n + this.layout.accounts.length);
  }

  potential(k: number): number {
    return this.at(k, 2 + 2 * this.n + this.layout.accounts.length);
  }

  torque(k: number, i: number): number {
    return this.at(k, 3 + 2 * this.n + this.layout.accounts.length + i);
  }

  energy(k: number): number {
    return this.kinetic(k) + this.potential(k);
  }

  /** Returns the imbalance of the energies [J]: ΔE − work of motors and hand + losses, which is zero if the motion is right. */
  balance(k: number): number {
    const [motors, hand, ...losses] = this.layout.accounts.map((_, i) => this.account(k, i));
    return this.energy(k) - this.energy(0) - motors! - hand! + losses.reduce((sum, loss) => sum + loss, 0);
  }

  /** Returns the first arm's motion as a table, with a decimal point in numbers whatever the language. */
  csv(): string {
    const { coordinates, turns, rates, accounts } = this.layout, unit = (i: number) => (turns[i] ? "rad" : "m");
    const heads = [
      "t [s]",
      ...coordinates.map((name, i) => `${name} [${unit(i)}]`),
      ...rates.map((name, i) => `${name} [${unit(i)}/s]`),
      ...coordinates.map((name, i) => `tau ${name} [${turns[i] ? "N m" : "N"}]`),
      ...["K [J]", "P [J]", "E [J]", ...accounts.map((name) => `${name} [J]`), "balance [J]"],
    ];
    const lines = [heads.map(cell).join(",")];
    for (let k = 0; k < this.length; k++) {
      const all = (value: (k: number, i: number) => number) => coordinates.map((_, i) => value.call(this, k, i));
      const energies = [this.kinetic(k), this.potential(k), this.energy(k), ...accounts.map((_, i) => this.account(k, i))];
      const row = [this.time(k), ...all(this.coordinate), ...all(this.rate), ...all(this.torque), ...energies, this.balance(k)];
      lines.push(row.join(","));
    }
    return `${lines.join("\r\n")}\r\n`;
  }

  private at(k: number, i: number): number {
    return this.rows[k * this.width + i]!;
  }
}

/** Returns a text as a cell that no spreadsheet takes for a formula. */
export function cell(text: string): string {
  const harmless = /^[\s=+\-@|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
