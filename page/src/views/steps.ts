// The steps of one route, or of several side by side.
import type { Step } from "../messages.ts";
import { button, make, mathematics } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { EquationList } from "./equation_list.ts";
import { ROUTES } from "./quantities.ts";
import type { Part } from "./proof.ts";

export function stepsOf(session: Session, opening: Opening): Part {
  const all = session.words, words = all.equations;
  const chosen = new Set(["newton_euler"]);
  const columns = make("div", { class: "columns" });
  const boxes = ROUTES.map((route) => {
    const box = make("input", { type: "checkbox", checked: chosen.has(route), value: route });
    box.addEventListener("change", () => (box.checked ? chosen.add(route) : chosen.delete(route)));
    return make("label", { class: "box" }, box, words.routes[route]!);
  });
  const show = button(words.showSteps, () => void shown());
  const element = make("details", { class: "steps" }, make("summary", {}, words.steps), make("div", { class: "bar" }, ...boxes, show), columns);

  async function shown(): Promise<void> {
    const written = session.written, routes = ROUTES.filter((route) => chosen.has(route));
    columns.replaceChildren();
    for (const route of routes) {
      const found = await opening.told(session.python.ask("steps", { ...written, route, lang: session.lang }));
      if (!found || !session.isStill(written)) return;
      columns.append(make("section", { class: "sheet" }, make("h2", {}, words.routes[route]!), ...found.map(drawn)));
    }
  }

  function drawn(step: Step): HTMLElement {
    return step.equations ? new EquationList(step.equations, all).element : make("p", {}, mathematics(step.html ?? ""));
  }

  return { element, reset: () => columns.replaceChildren() };
}
