// The numbers of the terms while somebody moves a slider: of the joints, and of the rates that the terms depend on.
import { filled } from "../languages/words.ts";
import { plain } from "../arm/quantities.ts";
import { SliderRow } from "../arm/slider_row.ts";
import type { Asked, TermValues } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { make } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { explained } from "../languages/words.ts";
import type { EquationList } from "../views/equation_list.ts";
import { Calculator } from "./calculator.ts";
import { dropNumbers, setNumbers } from "./term_numbers.ts";

const OF_RATES = ["C", "h", "tau", "K"], OF_ACCELERATIONS = ["tau"];
const MATRICES = ["T", "T_tool", "J", "J_tool"]; // whose entries have different units
const MOST_RATE = 3; // rad/s or m/s, and per second again

export class Numbers {
  /** The sliders, with what is to be said of them. */
  readonly element = make("section", { class: "live", hidden: true });
  private readonly session: Session;
  private calculator: Calculator | null = null;
  private rates: number[] = [];
  private accelerations: number[] = [];
  private list: EquationList | null = null;
  private found: TermValues | null = null;
  private values: Float64Array | null = null;
  private turn = 0;

  constructor(session: Session) {
    this.session = session;
    session.on("pose", () => this.compute());
  }

  /** Shows the numbers of a list of equations, if somebody wants any; Python is asked once for each list. */
  async show(list: EquationList, question: Asked<"values">): Promise<void> {
    this.drop();
    const { session } = this, mine = ++this.turn;
    this.list = list;
    this.element.hidden = !session.numbers;
    if (this.element.hidden) return;
    await this.slide(question.name);
    try {
      const found = await session.python.ask("values", question, { topic: "values" });
      if (mine !== this.turn) return;
      this.found = found;
      this.calculator = new Calculator(found.module, (values) => this.set(values));
      this.compute();
    } catch (error) {
      if (!(error instanceof LetGo) && mine === this.turn) this.element.append(make("p", { class: "note" }, explained(error, session.words)));
    }
  }

  /** Writes the numbers again, at terms that have just been written anew. */
  again(): void {
    if (this.values) this.set(this.values);
  }

  drop(): void {
    this.turn += 1;
    this.calculator?.dispose();
    if (this.list) dropNumbers(this.list.set);
    this.list?.element.classList.remove("numbers");
    [this.calculator, this.list, this.found, this.values] = [null, null, null, null];
  }

  private compute(): void {
    this.calculator?.compute([...this.session.pose], this.rates, this.accelerations);
  }

  private set(values: Float64Array): void {
    if (!this.list || !this.found) return;
    this.values = values;
    this.list.element.classList.add("numbers");
    setNumbers(this.list.set, this.found.entries, values);
    this.list.element.dispatchEvent(new Event("numbers"));
  }

  /** Makes sliders for what a quantity depends on. */
  private async slide(quantity: string): Promise<void> {
    const { session } = this, words = session.words, { arm } = session.examined!, { coordinates } = arm;
    const { Sliders } = await import("../widget.ts");
    const sliders = new Sliders(arm, words.arm, (q) => (session.pose = [...q]));
    sliders.set(session.pose);
    if (this.rates.length !== coordinates.length) [this.rates, this.accelerations] = [coordinates.map(() => 0), coordinates.map(() => 0)];
    const row = (name: string, unit: string, kept: number[], i: number) => {
      const made = new SliderRow(name, [-MOST_RATE, MOST_RATE], (value) => `${plain(value.toFixed(2))} ${unit}`, (value) => {
        kept[i] = value;
        this.compute();
      });
      made.set(kept[i]!);
      return made.element;
    };
    const of = (wanted: string[], dots: string, per: string, kept: number[]) =>
      wanted.includes(quantity) ? coordinates.map(({ name, turns }, i) => row(name.replace(/^./, `$&${dots}`), `${turns ? "rad" : "m"}/${per}`, kept, i)) : [];
    const moving = [...of(OF_RATES, "\u0307", "s", this.rates), ...of(OF_ACCELERATIONS, "\u0308", "s²", this.accelerations)];
    const names = arm.assumed.join(", "), notes = [
      ...(MATRICES.includes(quantity) ? [words.equations.lengths] : []),
      ...(names ? [filled(words.equations.assumed, { names })] : []),
    ];
    this.element.replaceChildren(
      make("h2", { class: "small" }, words.equations.inNumbers), sliders.element,
      ...(moving.length ? [make("div", { class: "sliders", role: "group", "aria-label": words.equations.rates }, ...moving)] : []),
      ...notes.map((note) => make("p", { class: "note" }, note)));
  }
}
