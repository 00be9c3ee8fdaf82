// The equations: a quantity in a form by a route, live after an edit; proofs, steps, and copies for elsewhere.
import type { Equations, Form } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { FORMS } from "../shell/address.ts";
import { button, choice, make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { titleOf } from "../shell/titles.ts";
import { explained, filled } from "../languages/words.ts";
import { Numbers } from "../live/numbers.ts";
import { EquationList } from "./equation_list.ts";
import { notationChoice } from "./notation.ts";
import { Lecture } from "../lecture/lecture.ts";
import { printSheet } from "../printed/sheet.ts";
import { proofOf } from "./proof.ts";
import { ALL, GROUPS, ROUTES } from "./quantities.ts";
import { stepsOf } from "./steps.ts";

const NO_SUCH = "M"; // is shown where an address names no quantity
const SMALL = 3; // joints: what such an arm's terms come from is found at once
const PATIENCE = 2000; // ms after which it is found for longer arms, too, whose equations Python has derived

export function equationsView(session: Session, opening: Opening, beside: HTMLElement): HTMLElement {
  const all = session.words, words = all.equations;
  let asked = false, turn = 0, counted = () => {};
  const name = () => (ALL.includes(session.quantity) ? session.quantity : NO_SUCH);
  const route = () => (ROUTES.includes(session.route) ? session.route : ROUTES[0]!);
  const tabs = make("div", { class: "tabs", role: "group", "aria-label": words.quantity });
  const bar = make("div", { class: "bar" });
  const note = make("p", { class: "note", hidden: true });
  const body = make("div", { class: "sheet", role: "region", "aria-label": words.region });
  const foot = make("div", { class: "foot" });
  const proof = proofOf(session, opening);
  const steps = stepsOf(session, opening);
  const numbers = new Numbers(session), notation = notationChoice(session);
  const main = make("div", {}, tabs, bar, note, body, foot, proof.element, steps.element), aside = make("aside");
  const view = make("div", { class: "equations-view" }, main, aside);

  function drawBar(): void {
    const tab = (each: string) =>
      button("", () => pick(each), {
        "aria-pressed": String(each === name()), title: words.names[each], "data-quantity": each,
      });
    const groups = Object.entries(GROUPS).map(([group, members]) => {
      const label = filled(words.groups[group as keyof typeof words.groups], { C: session.letter("C") });
      const buttons = members.map(tab);
      for (const [k, each] of members.entries()) buttons[k]!.append(make("i", {}, session.letter(each)), make("span", {}, words.short[each] ?? ""));
      return make("div", { role: "group", "aria-label": label }, make("span", { class: "group", "aria-hidden": "true" }, label), ...buttons);
    });
    tabs.replaceChildren(...groups);
    const languages = (session.examined?.languages ?? []).map((each): [string, string] => [each, words.languages[each] ?? each]);
    const forms: [string, string][] = given() ? [["normal", words.forms.normal]] : FORMS.map((each) => [each, words.forms[each]]);
    bar.replaceChildren(
      make("span", { class: "what" }, words.names[name()] ?? name()),
      choice(words.form, forms, shownForm(), (value) => session.look({ form: value as Form })),
      choice(words.route, ROUTES.map((each) => [each, words.routes[each]!]), route(), (value) => session.look({ route: value })),
      notation,
      choice(words.copy, [["", "…"], ...languages], "", (language) => void copy(language)),
      button(words.showNumbers, count, { "aria-pressed": String(session.numbers), class: "toggle", "data-do": "numbers" }),
      button(words.lecture, () => new Lecture(session, titleOf(session, opening.zoo)).open(), { "data-do": "lecture" }),
      button(words.print, () => void print(), { "data-do": "print" }),
    );
  }

  const given = () => !!session.robot.equations;
  const shownForm = (): Form => (given() ? "normal" : session.form);
  const wanted = () => ({ ...session.written, route: route(), form: shownForm(), name: name() });

  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    pick(ALL[(ALL.indexOf(name()) + step + ALL.length) % ALL.length]!);
    tabs.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  });

  function count(): void {
    session.numbers = !session.numbers;
    session.tell("numbers");
  }

  function pick(quantity: string): void {
    session.look({ quantity });
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
    if (prepared && !session.notation && name() === "M" && route() === "composite" && shownForm() === prepared.form) draw(prepared.equations, mine, true);
    else if (session.examined?.long && !asked) return offer();
    else {
      body.classList.add("waiting");
      try {
        draw(await session.python.ask("equations", wanted(), { topic: "equations" }), mine);
      } catch (error) {
        if (error instanceof LetGo || mine !== turn) return;
        body.classList.remove("waiting");
        body.replaceChildren(make("p", { class: "mistake", role: "alert" }, explained(error, all)));
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
    const list = new EquationList(found.equations, all, { more, light, filled: () => numbers.again() }, found.matrix);
    counted = () => void numbers.show(list, question);
    const hint = make("p", { class: "note hint", role: "status" });
    const parts: (Node | string)[] = [found.terms ? list.element : make("p", {}, words.zero), hint];
    if (found.constants.length) parts.push(make("h2", { class: "small" }, words.constants), new EquationList(found.constants, all).element);
    if (found.legend.length) parts.push(make("h2", { class: "small" }, words.legend), legend(found));
    body.replaceChildren(...parts);
    drawFoot(found);
    counted();
    let joined = false;
    const join = () => {
      if (joined || mine !== turn) return;
      joined = true;
      void links(list, question, mine, hint);
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
    const proof = found.rounded ? words.provedUnrounded : words.proved;
    foot.replaceChildren(make("span", {}, told), found.proved ? make("span", { class: "proved" }, `✓ ${proof}`) : "");
  }

  async function links(list: EquationList, question: ReturnType<typeof wanted>, mine: number, hint: HTMLElement): Promise<void> {
    hint.textContent = words.looking;
    try {
      const found = await session.python.ask("links", question, { topic: "links" });
      hint.textContent = Object.keys(found).length ? words.found : "";
      if (mine === turn) list.linked(found);
    } catch {
      hint.textContent = ""; // the equations stand without them
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

  async function print(): Promise<void> {
    opening.say(words.printing);
    await opening.told(printSheet(session, titleOf(session, opening.zoo)));
  }

  let shown = "", written = session.written;
  function refresh(): void {
    if (!view.isConnected) return;
    const key = JSON.stringify([session.robot, !!session.mistake, wanted()]);
    if (key === shown) return;
    shown = key;
    asked = false;
    void show();
    begin();
  }

  /** Offers proof and steps anew. */
  function begin(): void {
    written = session.written;
    proof.reset();
    steps.reset();
  }
  session.on("examined", refresh);
  session.on("place", () => {
    if (!session.isStill(written)) begin();
    if (view.isConnected) void show();
  });
  session.on("numbers", () => {
    drawBar();
    counted();
  });
  session.on("view", () => {
    if (session.view === "equations") aside.append(beside, numbers.element);
    refresh();
  });
  drawBar();
  return view;
}
