// The equations: a quantity in a form by a route, live after an edit; proofs, steps, and copies for elsewhere.
import type { Equations, Form } from "../messages.ts";
import { LetGo, MistakeError } from "../python/client.ts";
import { button, choice, make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { filled } from "../languages/words.ts";
import { EquationList } from "./equation_list.ts";
import { proofOf } from "./proof.ts";
import { stepsOf } from "./steps.ts";

const FIRST = ["M", "christoffel", "C", "B", "C2", "h", "G", "tau", "K", "P", "T", "T_tool", "J", "J_tool"];
const LETTERS: Record<string, string> = { christoffel: "Γ", C2: "C₂", tau: "τ", T_tool: "T tool", J_tool: "J tool" };
const SMALL = 3; // joints: what such an arm's terms come from is found at once
const PATIENCE = 2000; // ms after which it is found for longer arms, too, whose equations Python has derived
const FORMS: Form[] = ["sums", "multiple-angle", "normal"];
export const ROUTES = ["composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy"];

export function equationsView(session: Session, opening: Opening, beside: HTMLElement): HTMLElement {
  const all = session.words, words = all.equations;
  let name = "M", form: Form = "sums", route = "composite", asked = false, turn = 0;
  const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": words.quantity });
  const bar = make("div", { class: "bar" });
  const note = make("p", { class: "note", hidden: true });
  const body = make("div", { class: "sheet", role: "tabpanel", "aria-live": "off" });
  const foot = make("div", { class: "foot" });
  const proof = proofOf(session, opening);
  const steps = stepsOf(session, opening);
  const main = make("div", {}, tabs, bar, note, body, foot, proof.element, steps.element), aside = make("aside");
  const view = make("div", { class: "equations-view" }, main, aside);

  function drawBar(): void {
    tabs.replaceChildren(
      ...FIRST.map((each) =>
        button(LETTERS[each] ?? each, () => pick(each), {
          role: "tab", "aria-selected": String(each === name), title: words.names[each], tabindex: each === name ? 0 : -1,
          "data-quantity": each,
        }),
      ),
    );
    const languages = (session.examined?.languages ?? []).map((each): [string, string] => [each, words.languages[each] ?? each]);
    const forms: [string, string][] = given() ? [["normal", words.forms.normal]] : FORMS.map((each) => [each, words.forms[each]]);
    bar.replaceChildren(
      make("span", { class: "what" }, words.names[name] ?? name),
      choice(words.form, forms, shownForm(), (value) => ((form = value as Form), void show())),
      choice(words.route, ROUTES.map((each) => [each, words.routes[each]!]), route, (value) => ((route = value), void show())),
      choice(words.copy, [["", "…"], ...languages], "", (language) => void copy(language)),
    );
  }

  const given = () => !!session.robot.equations;
  const shownForm = (): Form => (given() ? "normal" : form);
  const wanted = () => ({ robot: session.robot, route, form: shownForm(), name });

  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    pick(FIRST[(FIRST.indexOf(name) + step + FIRST.length) % FIRST.length]!);
    tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  });

  function pick(quantity: string): void {
    name = quantity;
    void show();
  }

  /** Shows what the build derived, if that is asked for; else asks Python. */
  async function show(): Promise<void> {
    const mine = ++turn;
    drawBar();
    session.light([]);
    note.hidden = !session.mistake;
    note.textContent = session.mistake ? words.stale : "";
    if (session.mistake) return;
    const prepared = session.prepared;
    if (prepared && name === "M" && route === "composite" && shownForm() === prepared.form) draw(prepared.equations, mine, true);
    else if (session.examined?.long && !asked) return offer();
    else {
      body.classList.add("waiting");
      try {
        draw(await session.python.ask("equations", wanted(), { topic: "equations" }), mine);
      } catch (error) {
        if (error instanceof LetGo || mine !== turn) return;
        body.classList.remove("waiting");
        body.replaceChildren(make("p", { class: "mistake" }, error instanceof MistakeError ? error.message : filled(all.failed, { text: String(error) })));
      }
    }
  }

  /** Long arms are derived when somebody asks for it. */
  function offer(): void {
    foot.replaceChildren();
    body.replaceChildren(
      make("p", {}, words.long, " ", button(words.derive, () => ((asked = true), void show()), { class: "main" })),
    );
  }

  /** prepared: Python has not derived them, so that it knows nothing of their links before it does. */
  function draw(found: Equations, mine: number, prepared = false): void {
    if (mine !== turn) return;
    body.classList.remove("waiting");
    const light = (links: number[]) => session.light(links);
    const question = wanted();
    const more = (numbers: number[]) => session.python.ask("more", { ...question, numbers });
    const list = new EquationList(found.equations, all, { more, light });
    const parts: (Node | string)[] = [found.terms ? list.element : make("p", {}, words.zero)];
    if (found.constants.length) parts.push(make("h2", { class: "small" }, words.constants), new EquationList(found.constants, all).element);
    if (found.legend.length) parts.push(make("h2", { class: "small" }, words.legend), legend(found));
    body.replaceChildren(...parts);
    drawFoot(found);
    let joined = false;
    const join = () => {
      if (joined || mine !== turn) return;
      joined = true;
      void links(list, question, mine);
    };
    if ((session.examined?.coordinates.length ?? 0) <= SMALL) return join();
    // they would keep the next question waiting
    list.element.addEventListener("pointerenter", join, { once: true });
    if (!prepared) setTimeout(join, PATIENCE);
  }

  function legend(found: Equations): HTMLElement {
    const element = new EquationList(found.legend, all).element;
    element.classList.add("legend");
    return element;
  }

  function drawFoot(found: Equations): void {
    const { counts, terms } = found;
    const told = counts
      ? filled(words.counts, { ...counts.after, before: counts.before.terms, beforeOperations: counts.before.operations })
      : filled(words.terms, { terms });
    foot.replaceChildren(make("span", {}, told), found.proved ? make("span", { class: "proved" }, `✓ ${words.proved}`) : "");
  }

  async function links(list: EquationList, question: ReturnType<typeof wanted>, mine: number): Promise<void> {
    try {
      const found = await session.python.ask("links", question, { topic: "links" });
      if (mine === turn) list.linked(found);
    } catch {
      // the equations stand without them
    }
  }

  async function copy(language: string): Promise<void> {
    drawBar();
    if (!language) return;
    const text = await opening.told(session.python.ask("copy", { ...wanted(), language }));
    if (text === null) return;
    await opening.copied(text);
    opening.say(filled(words.copied, { length: text.length, language: words.languages[language] ?? language }));
  }

  let shown = "";
  function refresh(): void {
    if (!view.isConnected) return;
    const key = JSON.stringify([session.robot, !!session.mistake]);
    if (key === shown) return;
    shown = key;
    asked = false;
    void show();
    proof.reset();
    steps.reset();
  }
  session.on("robot", () => {
    if (session.prepared) form = session.prepared.form;
  });
  session.on("examined", refresh);
  session.on("view", () => {
    if (session.view === "equations") aside.append(beside);
    refresh();
  });
  if (session.prepared) form = session.prepared.form;
  drawBar();
  return view;
}
