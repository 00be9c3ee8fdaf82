// The torques that hold an arm still where it stands: a bar and a number for each joint, live while it is moved.
import { filled } from "../languages/words.ts";
import type { ArmWords } from "../languages/words.ts";
import type { DrawnArm } from "../messages.ts";
import { make } from "../shell/dom.ts";
import { Calculator } from "./calculator.ts";
import { numberText } from "./number_text.ts";

const COLOURS = 7;

export class Torques {
  readonly element: HTMLElement;
  private readonly calculator: Calculator;
  private readonly still: number[];
  private readonly values: HTMLOutputElement[];
  private readonly bars: HTMLElement[];
  private readonly units: string[];
  /** The largest torque that was shown, which fills half of a bar. */
  private most = 0;

  constructor(arm: DrawnArm, module: string, words: ArmWords) {
    const { coordinates } = arm;
    this.still = coordinates.map(() => 0);
    this.units = coordinates.map(({ turns }) => (turns ? "N m" : "N"));
    this.values = coordinates.map(() => make("output"));
    this.bars = coordinates.map((_, i) => make("i", { style: `background: var(--link-${i % COLOURS})` }));
    const rows = coordinates.map(({ name }, i) =>
      make("div", { class: "torque", "aria-label": filled(words.torqueOf, { joint: name }), role: "group" },
        make("span", {}, "τ", make("sub", {}, String(i + 1))), make("span", { class: "bar-of", "aria-hidden": "true" }, this.bars[i]!), this.values[i]!));
    this.element = make("section", { class: "torques" }, make("h2", { class: "small" }, words.holding), ...rows);
    this.calculator = new Calculator(module, (torques) => this.show(torques));
  }

  /** Shows the torques in a pose. */
  pose(q: ArrayLike<number>): void {
    this.calculator.compute([...Array.from(q)], this.still, this.still);
  }

  dispose(): void {
    this.calculator.dispose();
  }

  private show(torques: Float64Array): void {
    this.most = Math.max(this.most, ...torques.map(Math.abs));
    torques.forEach((torque, i) => {
      this.values[i]!.textContent = `${numberText(torque, this.most)} ${this.units[i]}`;
      const part = this.most ? (50 * torque) / this.most : 0;
      Object.assign(this.bars[i]!.style, { left: `${50 + Math.min(0, part)}%`, width: `${Math.abs(part)}%` });
    });
  }
}
