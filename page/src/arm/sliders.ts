// A slider for each joint, and the tool's pose in numbers.
import type { ArmWords } from "../languages/words.ts";
import { filled } from "../languages/words.ts";
import type { DrawnArm } from "../messages.ts";
import { button, make } from "../shell/dom.ts";
import { Kinematics, originOf, rollPitchYaw } from "./kinematics.ts";
import { outlined } from "./outline.ts";
import { lengthText, turnText } from "./quantities.ts";
import { SliderRow } from "./slider_row.ts";

export class Sliders {
  readonly element: HTMLElement;
  readonly q: Float64Array;
  private readonly kinematics: Kinematics;
  private readonly rows: SliderRow[];
  private readonly pose = make("output", { class: "pose" });
  private readonly words: ArmWords;

  /** `moved` is called with the coordinates when somebody moves a slider. */
  constructor(arm: DrawnArm, words: ArmWords, moved: (q: Float64Array) => void) {
    this.words = words;
    this.kinematics = new Kinematics(arm);
    this.q = new Float64Array(arm.coordinates.length);
    const { reach } = outlined(arm);
    this.rows = arm.coordinates.map(({ name, turns, limits }, i) => {
      const range = limits ?? (turns ? [-Math.PI, Math.PI] : [-0.5 * reach, 0.5 * reach]);
      const heard = (value: number) => {
        this.q[i] = value;
        this.write();
        moved(this.q);
      };
      return new SliderRow(name, range as [number, number], turns ? turnText : lengthText, heard, i);
    });
    const home = button(words.home, () => {
      this.set(new Float64Array(this.q.length));
      moved(this.q);
    });
    const tool = make("p", {}, make("span", { class: "note" }, words.tool), this.pose);
    const rows = this.rows.map(({ element }) => element);
    this.element = make("div", { class: "sliders", role: "group", "aria-label": words.joints }, ...rows, home, tool);
    this.set(this.q);
  }

  /** Shows a configuration that came from elsewhere. */
  set(q: ArrayLike<number>, from = 0): void {
    this.rows.forEach((row, i) => row.set((this.q[i] = q[from + i]!)));
    this.write();
  }

  private write(): void {
    const tool = this.kinematics.place(this.q).tool(), place = originOf(tool).map(lengthText).join(", ");
    this.pose.textContent = filled(this.words.pose, { place, turns: rollPitchYaw(tool).map(turnText).join(", ") });
  }
}
