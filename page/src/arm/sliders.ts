// A slider for each joint, and the tool's pose in numbers.
import type { DrawnArm } from "../messages.ts";
import { Kinematics, originOf, rollPitchYaw } from "./kinematics.ts";
import { outlined } from "./outline.ts";

/** Says a text of the page in its language, by a key. */
export type Say = (key: "joints" | "tool" | "home") => string;
const STEPS = 1000;
const DEGREE = Math.PI / 180;

export class Sliders {
  readonly q: Float64Array;
  private readonly arm: DrawnArm;
  private readonly kinematics: Kinematics;
  private readonly inputs: HTMLInputElement[] = [];
  private readonly values: HTMLOutputElement[] = [];
  private readonly pose: HTMLOutputElement;
  private readonly root: HTMLElement;

  /** Fills `root`; `moved` is called with the coordinates when somebody moves a slider. */
  constructor(root: HTMLElement, arm: DrawnArm, say: Say, moved: (q: Float64Array) => void) {
    this.root = root;
    this.arm = arm;
    this.kinematics = new Kinematics(arm);
    this.q = new Float64Array(arm.coordinates.length);
    const { reach } = outlined(arm), rows = element("div", "sliders");
    rows.setAttribute("role", "group");
    rows.setAttribute("aria-label", say("joints"));
    arm.coordinates.forEach(({ name, turns, limits }, i) => {
      const [low, high] = limits ?? (turns ? [-Math.PI, Math.PI] : [-0.5 * reach, 0.5 * reach]);
      const label = element("label", "slider"), named = element("span", "name"), input = element("input", "");
      const value = element("output", "value");
      named.textContent = name;
      Object.assign(input, { type: "range", min: `${low}`, max: `${high}`, step: `${(high - low) / STEPS}` });
      input.addEventListener("input", () => {
        this.q[i] = Number(input.value);
        this.write();
        moved(this.q);
      });
      label.append(named, input, value);
      rows.append(label);
      this.inputs.push(input);
      this.values.push(value);
    });
    const home = element("button", "home"), tool = element("p", "pose");
    home.type = "button";
    home.textContent = say("home");
    home.addEventListener("click", () => {
      this.set(new Float64Array(this.q.length));
      moved(this.q);
    });
    this.pose = element("output", "");
    tool.append(`${say("tool")}: `, this.pose);
    root.replaceChildren(rows, home, tool);
    this.set(this.q);
  }

  /** Shows a configuration that came from elsewhere. */
  set(q: ArrayLike<number>, from = 0): void {
    this.inputs.forEach((input, i) => {
      this.q[i] = q[from + i]!;
      input.value = `${this.q[i]}`;
    });
    this.write();
  }

  dispose(): void {
    this.root.replaceChildren();
  }

  private write(): void {
    this.values.forEach((value, i) => {
      const text = said(this.q[i]!, this.arm.coordinates[i]!.turns);
      value.textContent = text;
      this.inputs[i]!.setAttribute("aria-valuetext", text);
    });
    const tool = this.kinematics.place(this.q).tool();
    const [x, y, z] = originOf(tool).map((length) => length.toFixed(3)), angles = rollPitchYaw(tool);
    this.pose.textContent = `(${x}, ${y}, ${z}) m; ${angles.map((angle) => said(angle, true)).join(", ")}`;
  }
}

function said(value: number, turns: boolean): string {
  const text = turns ? `${(value / DEGREE).toFixed(1)}°` : `${value.toFixed(3)} m`;
  return text.replace(/^-(?=0\.0+\D)/, "").replace("-", "−");
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name) made.className = name;
  return made;
}
