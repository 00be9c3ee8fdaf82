// What a motion starts from, as it is typed: the law of the torques, the first state, damping, and how many arms.
import { plain, typed } from "../arm/quantities.ts";
import type { MotionWords } from "../languages/words.ts";
import { filled } from "../languages/words.ts";
import type { DrawnArm, Law } from "../messages.ts";
import { box, button, choice, make } from "../shell/dom.ts";
import { layoutOf } from "./recording.ts";
import type { Start } from "./simulation.ts";

const LAWS: Law[] = ["none", "gravity", "computed", "expression"];
const MOST_ARMS = 100;
const GAINS = [100, 20]; // Kp [1/s²] and Kd [1/s]: critically damped

/** What the fields need of what is around them. */
export interface Filling {
  /** Is called when somebody has changed a field; anew: whether Python must write the motion anew. */
  changed: (anew: boolean) => void;
  /** Begins anew, whatever is running. */
  again: () => void;
  /** Returns the pose that somebody has set elsewhere, where a motion may start. */
  pose: () => ArrayLike<number>;
  /** What the fields were filled with before, by name: the values of one name are separated by semicolons. */
  start: Record<string, string>;
}

export class Fields {
  readonly element = make("div", { class: "motion-fields" });
  law: Law = "none";
  /** Whether joint limits end the motion. */
  limits = true;
  private readonly arm: DrawnArm;
  private readonly words: MotionWords;
  private readonly inputs = new Map<string, HTMLInputElement[]>();
  private readonly driving = make("div", { class: "fields" });
  private readonly filling: Filling;
  /** Numbers that were filled in with fewer digits than they have, by the text of their field. */
  private readonly exact = new Map<HTMLInputElement, { text: string; value: number }>();

  constructor(arm: DrawnArm, words: MotionWords, filling: Filling) {
    this.arm = arm;
    this.words = words;
    this.filling = filling;
    const { coordinates, turns } = layoutOf(arm, [], 1);
    const unit = (i: number) => (turns[i] ? "°" : "m"), fields = (...all: HTMLElement[]) => make("div", { class: "fields" }, ...all);
    const states = coordinates.flatMap((joint, i) => [
      this.field("q", `${filled(words.startOf, { joint })} [${unit(i)}]`, "0"),
      this.field("qd", `${filled(words.rateOf, { joint })} [${unit(i)}/s]`, "0"),
    ]);
    const laws = LAWS.map((law): [string, string] => [law, words.laws[law]]);
    const others = [
      this.field("damping", words.damping, "0"),
      this.field("arms", words.arms, "1"),
      this.field("hair", `${filled(words.hair, { joint: coordinates[0] ?? "" })} [${unit(0)}]`, "0.01"),
    ];
    const pick = choice(words.law, laws, this.law, (law) => {
      this.law = law as Law;
      this.drive();
      filling.changed(true);
    });
    const pose = button(words.pose, () => {
      this.setPose(filling.pose());
      filling.again();
    });
    const limits = box(words.limits, this.limits, (on) => {
      this.limits = on;
      filling.changed(false);
    });
    const hasLimits = arm.coordinates.some((each) => each.limits);
    const started = make("details", { open: true }, make("summary", {}, words.start), fields(...states), pose);
    this.element.append(pick, this.driving, started, fields(...others), ...(hasLimits ? [limits] : []));
    this.setPose(filling.pose());
    this.fill(filling.start);
  }

  /** Returns what the fields have, by name, as `fill` takes it. */
  get filled(): Record<string, string> {
    const texts = [...this.inputs].map(([name, inputs]) => [name, inputs.map((input) => input.value).join(";")]);
    return { law: this.law, ...Object.fromEntries(texts) as Record<string, string> };
  }

  private fill(texts: Record<string, string>): void {
    const law = texts["law"] as Law | undefined;
    if (law && LAWS.includes(law)) {
      this.law = law;
      this.element.querySelector("select")!.value = law;
      this.drive();
    }
    for (const [name, inputs] of this.inputs) {
      const values = texts[name]?.split(";") ?? [];
      if (values.length === inputs.length) inputs.forEach((input, i) => (input.value = values[i]!));
    }
  }

  /** Fills in the configuration in which a motion starts. */
  private setPose(q: ArrayLike<number>): void {
    this.inputs.get("q")!.forEach((input, i) => {
      const { turns } = this.arm.coordinates[i]!, value = q[i]!;
      input.value = plain((turns ? (value * 180) / Math.PI : value).toFixed(turns ? 1 : 3));
      this.exact.set(input, { text: input.value, value });
    });
  }

  /** Returns the expressions of the torques, where the law is made of some. */
  get texts(): string[] {
    return this.law === "expression" ? this.inputs.get("texts")!.map((input) => input.value) : [];
  }

  get arms(): number {
    return Math.round(Math.min(MOST_ARMS, Math.max(1, this.numbers("arms")[0]!)));
  }

  get damping(): number[] {
    return this.arm.coordinates.map(() => Math.max(0, this.numbers("damping")[0]!));
  }

  /** Returns the target and the gains of a computed torque, in SI units. */
  get gains(): number[] {
    return this.law === "computed" ? [...this.states("target"), ...this.numbers("gains")] : [];
  }

  /** Returns where a motion starts, or null where a field has no number. */
  start(size: number): Start | null {
    const { arm, arms, damping, gains } = this, turns = arm.coordinates[0]?.turns ?? true;
    const hair = typed(this.inputs.get("hair")![0]!.value, turns);
    const start = { arm, size, q: this.states("q"), qd: this.states("qd"), damping, gains, arms, hair, limits: this.limits };
    return [...start.q, ...start.qd, ...damping, ...gains, arms, hair].every(Number.isFinite) ? start : null;
  }

  private numbers(name: string): number[] {
    return (this.inputs.get(name) ?? []).map((input) => typed(input.value, false));
  }

  private states(name: string): number[] {
    return (this.inputs.get(name) ?? []).map((input, i) => {
      const kept = this.exact.get(input);
      return kept?.text === input.value ? kept.value : typed(input.value, this.arm.coordinates[i]!.turns);
    });
  }

  private field(name: string, label: string, value: string): HTMLLabelElement {
    const isText = name === "texts", input = make("input", { value, inputmode: isText ? undefined : "decimal", "data-field": name, spellcheck: "false", maxlength: 2000 });
    const isNumber = () => Number.isFinite(typed(input.value, false));
    input.addEventListener("change", () => {
      if (!isText) input.toggleAttribute("aria-invalid", !isNumber());
      this.filling.changed(isText);
    });
    this.inputs.set(name, [...(this.inputs.get(name) ?? []), input]);
    return make("label", { class: "field" }, label, input);
  }

  /** Shows the fields of the law: targets and gains, or one expression for each joint. */
  private drive(): void {
    for (const name of ["target", "gains", "texts"]) this.inputs.delete(name);
    const { words } = this, names = this.arm.coordinates.map(({ name }) => name), { rates } = layoutOf(this.arm, [], 1), all: HTMLElement[] = [];
    if (this.law === "computed") {
      all.push(...this.arm.coordinates.map(({ name, turns }) => this.field("target", `${filled(words.target, { joint: name })} [${turns ? "°" : "m"}]`, "0")));
      all.push(...GAINS.map((gain, i) => this.field("gains", `${words.gains.split(/[,、]\s*/)[i]} [${i ? "1/s" : "1/s²"}]`, String(gain))));
    }
    if (this.law === "expression") {
      all.push(...names.map((joint, i) => this.field("texts", filled(words.torqueOf, { joint }), `-2*${rates[i]}`)));
      all.push(make("p", { class: "note" }, filled(words.expressionHint, { coordinates: names.join(", "), rates: rates.join(", ") })));
    }
    this.driving.replaceChildren(...all);
  }
}
