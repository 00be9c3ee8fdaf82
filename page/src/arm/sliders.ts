// A slider for each joint, and the tool's pose in numbers.
import type { ArmWords } from "../languages/english.ts";
import type { DrawnArm } from "../messages.ts";
import { button, make } from "../shell/dom.ts";
import { Kinematics, originOf, rollPitchYaw } from "./kinematics.ts";
import { outlined } from "./outline.ts";
import { lengthText, turnText } from "./quantities.ts";

const STEPS = 1000;

export class Sliders {
  readonly element: HTMLElement;
  readonly q: Float64Array;
  private readonly arm: DrawnArm;
  private readonly kinematics: Kinematics;
  private readonly inputs: HTMLInputElement[];
  private readonly values: HTMLOutputElement[];
  private readonly pose = make("output", { class: "pose" });

  /** `moved` is called with the coordinates when somebody moves a slider. */
  constructor(arm: DrawnArm, words: ArmWords, moved: (q: Float64Array) => void) {
    this.arm = arm;
    this.kinematics = new Kinematics(arm);
    this.q = new Float64Array(arm.coordinates.length);
    const { reach } = outlined(arm);
    // a browser rounds the end of a slider, and a motion cannot begin beyond a limit
    const heard = (i: number, input: HTMLInputElement) => {
      this.q[i] = Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value)));
      this.write();
      moved(this.q);
    };
    this.inputs = arm.coordinates.map(({ turns, limits }, i) => {
      const [min, max] = limits ?? (turns ? [-Math.PI, Math.PI] : [-0.5 * reach, 0.5 * reach]);
      const input = make("input", { type: "range", min, max, step: (max - min) / STEPS, "data-joint": i });
      input.addEventListener("input", () => heard(i, input));
      return input;
    });
    this.values = arm.coordinates.map(() => make("output"));
    const rows = arm.coordinates.map(({ name }, i) =>
      make("label", { class: "slider" }, make("span", {}, name), this.inputs[i]!, this.values[i]!));
    const home = button(words.home, () => {
      this.set(new Float64Array(this.q.length));
      moved(this.q);
    });
    const tool = make("p", {}, make("span", { class: "note" }, `${words.tool}: `), this.pose);
    this.element = make("div", { class: "sliders", role: "group", "aria-label": words.joints }, ...rows, home, tool);
    this.set(this.q);
  }

  /** Shows a configuration that came from elsewhere. */
  set(q: ArrayLike<number>, from = 0): void {
    this.inputs.forEach((input, i) => {
      this.q[i] = q[from + i]!;
      input.value = String(this.q[i]);
    });
    this.write();
  }

  private write(): void {
    this.arm.coordinates.forEach(({ turns }, i) => {
      const text = turns ? turnText(this.q[i]!) : lengthText(this.q[i]!);
      this.values[i]!.textContent = text;
      this.inputs[i]!.setAttribute("aria-valuetext", text);
    });
    const tool = this.kinematics.place(this.q).tool(), place = originOf(tool).map(lengthText).join(", ");
    this.pose.textContent = `x, y, z = ${place}; roll, pitch, yaw = ${rollPitchYaw(tool).map(turnText).join(", ")}`;
  }
}
