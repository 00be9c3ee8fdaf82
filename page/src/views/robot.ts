// The robot: where it comes from, its table, its mistakes at their cells, and what the doctor finds.
import type { Description, Mistake, Place } from "../messages.ts";
import { button, choice, download, make } from "../shell/dom.ts";
import { at, nameOf, withLink, withoutLink } from "../shell/descriptions.ts";
import { draft, drafts } from "../shell/drafts.ts";
import { LONGEST, packed } from "../shell/links.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { filled } from "../languages/words.ts";
import { type Column, effects, geometry, masses } from "./cells.ts";

const PAUSE = 180; // ms after a key until the robot is read
const DRAFT = "draft "; // before a draft's id among the names of the robots
const XYZ = ["x", "y", "z"];

export function robotView(session: Session, opening: Opening, beside: HTMLElement): HTMLElement {
  const words = session.words.robot;
  const tables = make("div", { class: "tables" });
  const findings = make("section", { class: "findings card", "aria-live": "polite" });
  const whole = make("p", { class: "mistake whole", role: "alert", hidden: true });
  const bar = make("div", { class: "bar" });
  const aside = make("aside", {}, findings);
  const view = make("div", { class: "robot" }, bar, whole, tables, aside);
  const waiting = new Set<Element>(); // cells in which somebody has typed what the robot does not have yet
  let shape = "";

  function drawBar(): void {
    const names: [string, string][] = opening.zoo.map(({ name, title, titles }) => [name, (titles[session.lang] ?? title) || name]);
    const own: [string, string][] = session.shipped ? [] : [["", words.own]];
    bar.replaceChildren(
      picker([...own, ...names]),
      button(words.open, opening.choose),
      button(words.paste, opening.paste),
      button(words.undo, () => session.undo(), { disabled: !session.canUndo, "aria-keyshortcuts": "Control+Z" }),
      button(words.redo, () => session.redo(), { disabled: !session.canRedo }),
      choice(words.download, [["", "…"], ...Object.entries(words.formats)], "", (form) => void saved(form)),
      button(words.link, () => void linked(), { class: "link" }),
    );
  }

  /** The robots that ship, and the drafts that this browser keeps. */
  function picker(names: [string, string][]): HTMLElement {
    const label = choice(words.pick, names, session.shipped, pick), all = drafts().filter((each) => each.id !== session.draft);
    if (!all.length) return label;
    const group = make("optgroup", { label: words.drafts });
    for (const { id, at: time, robot } of all) {
      const when = time ? new Date(time).toLocaleString(session.lang, { dateStyle: "short", timeStyle: "short" }) : "";
      group.append(make("option", { value: DRAFT + id }, `${robot.title || robot.name || words.own} ${when}`.trim()));
    }
    label.querySelector("select")!.append(group);
    return label;
  }

  function pick(name: string): void {
    const kept = name.startsWith(DRAFT) ? draft(name.slice(DRAFT.length)) : null;
    if (kept) opening.draft(kept);
    else if (name) void opening.shipped(name);
  }

  async function saved(format: string): Promise<void> {
    if (!format) return;
    drawBar();
    const file = await opening.told(session.python.ask("file", { robot: session.robot, format }));
    if (file) download(file.name, file.text);
  }

  async function linked(): Promise<void> {
    const fragment = await packed(session.robot);
    if (fragment.length > LONGEST) return opening.say(filled(words.linkTooLong, { length: fragment.length }), "warning");
    const address = `${location.origin}${location.pathname}#r=${fragment}`;
    await opening.copied(address);
    opening.say(filled(words.linkCopied, { length: address.length }));
  }

  /** Draws the tables anew where rows or columns have changed, else only their contents. */
  function draw(): void {
    const now = JSON.stringify([session.opened, form(session.robot)]);
    if (now !== shape) {
      shape = now;
      tables.replaceChildren(...drawn());
    }
    for (const input of tables.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-place]")) {
      const isTyped = input === document.activeElement && input.getAttribute("data-place") === JSON.stringify(session.edited);
      if (!isTyped && !waiting.has(input)) input.value = shown(at(session.robot, placeOf(input)));
    }
    drawBar();
  }

  function form(robot: Description): unknown {
    const columns = [...geometry(robot), ...masses(robot)].map((column) => column.place);
    return [robot.convention, robot.link.map((_, k) => nameOf(robot, k)), columns, Object.keys(robot.symbols ?? {}), !!robot.equations];
  }

  function drawn(): HTMLElement[] {
    const robot = session.robot;
    const used = robot.link.some((link) => Object.keys((link["joint"] as object | undefined) ?? {}).some((key) => key !== "type"));
    const conventions: [string, string][] = Object.entries(words.conventions);
    return [
      make(
        "div",
        { class: "line" },
        choice(words.convention, conventions, robot.convention ?? "", (to) => void converted(to)),
        field(words.name, ["name"]),
        field(words.robotTitle, ["title"]),
        make("div", { class: "gravity", role: "group", "aria-label": words.gravity },
          ...XYZ.map((axis, k) => field(k ? axis : `${words.gravity} ${axis}`, ["gravity", k], `${words.gravity} ${axis}`))),
      ),
      ...(robot.equations ? [make("p", { class: "note" }, words.given)] : []),
      table(words.geometry, geometry(robot), true),
      table(words.masses, masses(robot), false),
      make("details", { open: used && robot.convention !== "tree" }, make("summary", {}, words.joints), table("", effects(), false)),
      symbols(),
    ];
  }

  function field(label: string, place: Place, name = label): HTMLElement {
    return make("label", { class: "choice" }, make("span", {}, label), cell(place, name));
  }

  async function converted(to: string): Promise<void> {
    const robot = await opening.told(session.python.ask("convert", { robot: session.robot, to }));
    if (robot) session.open(robot);
    else {
      shape = "";
      draw();
    }
  }

  function table(title: string, columns: Column[], removes: boolean): HTMLElement {
    const head = [...(removes ? [] : [words.linkName]), ...columns.map(titleOf)].map((title) => make("th", { scope: "col" }, title));
    const rows = session.robot.link.map((_, k) =>
      make(
        "tr",
        {},
        removes ? null : make("th", { scope: "row" }, nameOf(session.robot, k)),
        ...columns.map((column) => make("td", { class: column.wide ? "wide" : "" }, linkCell(k, column))),
        removes && make("td", { class: "remove" }, remover(k)),
      ),
    );
    return make(
      "section",
      { class: "sheet" },
      title && make("h2", {}, title),
      make("div", { class: columns.length > 9 ? "scroll many" : "scroll", tabindex: 0, role: "region", "aria-label": title || words.joints },
        make("table", {}, make("thead", {}, make("tr", {}, ...head, removes && make("td"))), make("tbody", {}, ...rows))),
      removes && button(words.add, () => session.edit([], withLink(session.robot)), { class: "quiet" }),
    );
  }

  const titleOf = ({ title }: Column) => words.columns[title] ?? (title || words.linkName);

  function remover(k: number): HTMLElement {
    const label = filled(words.remove, { name: nameOf(session.robot, k) });
    const only = session.robot.link.length === 1;
    return button("×", () => session.edit([], withoutLink(session.robot, k)), { class: "quiet", "aria-label": label, disabled: only });
  }

  function linkCell(k: number, column: Column): HTMLElement {
    const name = filled(words.cell, { row: nameOf(session.robot, k), column: titleOf(column) });
    return cell(["link", k, ...column.place], name, column.choices);
  }

  function cell(place: Place, label: string, choices?: string[]): HTMLElement {
    const value = shown(at(session.robot, place));
    const common = { "data-place": JSON.stringify(place), "aria-label": label };
    if (choices) {
      const select = make("select", { ...common, onchange: (event: Event) => session.edit(place, (event.target as HTMLSelectElement).value) });
      for (const word of new Set([...(choices.includes(value) ? [] : [value]), ...choices])) select.append(make("option", { value: word, selected: word === value }, words.choices[word] ?? word));
      return select;
    }
    return typed(make("input", { ...common, value, spellcheck: "false", autocomplete: "off", autocapitalize: "off" }), place);
  }

  /** Follows what is typed: one step of undo for all that is typed in one visit to the cell. */
  function typed(input: HTMLInputElement, place: Place): HTMLInputElement {
    let timer = 0, goesOn = false;
    const opened = session.opened;
    const take = () => {
      window.clearTimeout(timer);
      waiting.delete(input);
      if (opened !== session.opened) return; // another robot has been opened while the cursor stood here
      if (input.value.trim() === shown(at(session.robot, place))) return;
      session.edit(place, input.value.trim() === "" && place[0] === "link" ? undefined : input.value.trim(), goesOn);
      goesOn = true;
    };
    input.addEventListener("focus", () => (goesOn = false));
    input.addEventListener("input", () => {
      window.clearTimeout(timer);
      waiting.add(input);
      timer = window.setTimeout(take, PAUSE);
    });
    input.addEventListener("change", take);
    return input;
  }

  function symbols(): HTMLElement {
    const keys = ["value", "unit", "meaning"] as const;
    const rows = Object.entries(session.robot.symbols ?? {}).map(([name, symbol]) => {
      const remove = button("×", () => session.edit(["symbols", name], undefined), { class: "quiet", "aria-label": filled(words.remove, { name }) });
      const cells = keys.map((key) => {
        const plain = symbol === null || typeof symbol !== "object";
        const place = plain && key === "value" ? ["symbols", name] : ["symbols", name, key];
        return make("td", { class: key === "meaning" ? "wide" : "" }, cell(place, filled(words.cell, { row: name, column: words[key] })));
      });
      return make("tr", {}, make("th", { scope: "row" }, name), ...cells, make("td", { class: "remove" }, remove));
    });
    const head = [words.name, ...keys.map((key) => words[key])].map((title) => make("th", { scope: "col" }, title));
    const fresh = make("input", { "aria-label": words.newSymbol, placeholder: words.newSymbol, spellcheck: "false" });
    const add = (event: Event) => {
      event.preventDefault();
      if (fresh.value.trim()) session.edit(["symbols", fresh.value.trim()], {});
    };
    return make(
      "section",
      { class: "sheet" },
      make("h2", {}, words.symbols),
      make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.symbols },
        make("table", { class: "symbols" }, make("thead", {}, make("tr", {}, ...head, make("td"))), make("tbody", {}, ...rows))),
      make("form", { class: "line", onsubmit: add }, fresh, make("button", { class: "quiet" }, words.addSymbol)),
    );
  }

  /** Shows the mistake at its cell, where that is known, and asks for the doctor's findings. */
  function judged(): void {
    for (const input of tables.querySelectorAll("[aria-invalid]")) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
    for (const note of tables.querySelectorAll(".mistake")) note.remove();
    const mistake = session.mistake;
    const input = mistake && cellOf(mistake);
    whole.hidden = !mistake || !!input;
    whole.replaceChildren(...(mistake ? said(mistake) : []));
    if (mistake && input) {
      const note = make("p", { class: "mistake", id: "mistake", role: "alert" }, ...said(mistake));
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", "mistake");
      (input.closest(".scroll") ?? input.closest(".line") ?? input).after(note);
    }
    drawFindings();
    if (session.view === "robot") void session.diagnose();
  }

  function cellOf(mistake: Mistake): Element | null {
    const inputs = [...tables.querySelectorAll("[data-place]")];
    const exact = JSON.stringify(mistake.cell);
    const near = (place: Place) => JSON.stringify(place).startsWith(exact.slice(0, -1));
    const edited = JSON.stringify(session.edited);
    if (mistake.cell.length === 0) return inputs.find((input) => input.getAttribute("data-place") === edited) ?? null;
    if (near(session.edited)) {
      const last = inputs.find((input) => input.getAttribute("data-place") === edited);
      if (last) return last;
    }
    return inputs.find((input) => near(placeOf(input))) ?? null;
  }

  function said(mistake: Mistake): (Node | string)[] {
    const expected = mistake.expected ? `; ${filled(words.expected, { what: mistake.expected })}` : "";
    const { undeclared, correction } = mistake;
    const where = mistake.where.replace(/^(\S+) \1:/, "$1:");
    const remedy = mistake.remedy ? `; ${mistake.remedy}` : "";
    return [
      make("strong", {}, mistake.found), `${expected}${remedy}`, make("span", { class: "where" }, ` ${where}`),
      ...(undeclared ? [" ", button(filled(words.declare, { name: undeclared }), () => session.edit(["symbols", undeclared], {}))] : []),
      ...(correction ? [" ", button(filled(words.correct, { text: correction }), () => session.edit(mistake.cell, correction))] : []),
    ];
  }

  function drawFindings(): void {
    const { examined, findings: found } = session;
    if (!examined || !found || session.mistake) return findings.replaceChildren();
    const items = found.map((each) =>
      make("li", { class: each.severity },
        make("span", { class: "severity" }, words.severity[each.severity]), " ",
        make("strong", {}, each.place), " ", `${each.found}; ${each.why}. `, make("em", {}, each.remedy)));
    const notes = [...session.doubts, ...examined.notes].map((note) => make("li", { class: "hint" }, note));
    const all = [...items, ...notes];
    findings.replaceChildren(make("h2", {}, words.findings), all.length ? make("ul", {}, ...all) : make("p", {}, words.none));
  }

  session.on("view", () => {
    if (session.view !== "robot") return;
    aside.prepend(beside);
    void session.diagnose();
  });
  session.on("robot", draw);
  session.on("examined", judged);
  session.on("diagnosed", drawFindings);
  draw();
  judged();
  return view;
}

function placeOf(input: Element): Place {
  return JSON.parse(input.getAttribute("data-place")!) as Place;
}

function shown(value: unknown): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

