// A derivation as slides: the table of the arm, the steps of a route one by one, and τ, where it ends.
import type { Equations, Step } from "../messages.ts";
import { filled } from "../languages/words.ts";
import { make, mathematics } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { EquationList } from "../views/equation_list.ts";
import { readTables } from "../views/read_tables.ts";

export type Slide = () => HTMLElement[];

/** Returns the slides of a route, as Python tells its steps. */
export async function walkOf(session: Session, route: string): Promise<Slide[]> {
  const { written, lang, words } = session, topic = "lecture";
  const steps = await session.python.ask("steps", { ...written, route, lang }, { topic });
  const whole = { ...written, route, form: written.robot.equations ? "normal" : session.form, name: "tau" } as const;
  const torques = await session.python.ask("equations", whole, { topic });
  const more = (numbers: number[]) => session.python.ask("more", { ...whole, numbers });
  return [
    () => readTables(session),
    ...grouped(steps).map((group) => () => group.map((step) => drawn(step, session))),
    () => [make("p", {}, filled(words.lecture.end, { route: words.equations.routes[route]! })), ...equationsOf(torques, session, more)],
  ];
}

/** Returns a quantity with its constants and short names. */
export function equationsOf(found: Equations, session: Session, more: (numbers: number[]) => Promise<Equations["equations"]>): HTMLElement[] {
  const { words } = session;
  const main = found.terms ? new EquationList(found.equations, words, { more }, found.matrix).element : make("p", {}, words.equations.zero);
  const beside = [...found.constants, ...found.legend];
  if (!beside.length) return [main];
  const meanings = new EquationList(beside, words).element;
  meanings.classList.add("legend");
  return [main, meanings];
}

/** A sentence begins a slide; the equations after it follow on the same slide. */
function grouped(steps: Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    if (step.html !== undefined && !(groups.at(-1)?.every((each) => each.html !== undefined) ?? false)) groups.push([]);
    if (!groups.length) groups.push([]);
    groups.at(-1)!.push(step);
  }
  return groups;
}

function drawn(step: Step, session: Session): HTMLElement {
  return step.equations ? new EquationList(step.equations, session.words).element : make("p", {}, mathematics(step.html ?? ""));
}
