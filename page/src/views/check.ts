// Somebody's own derivation, judged entry by entry.
import type { Judged, Judgement, Written } from "../messages.ts";
import { LetGo, MistakeError } from "../python/client.ts";
import { button, make, mathematics } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { explained, filled } from "../languages/words.ts";
import { marked, markingPanel, pairs } from "./marking.ts";
import { notationChoice } from "./notation.ts";
import { readingPanel } from "./read_as.ts";

const SMALL = 3; // joints: such an arm's entries are short enough for an example
const MARKS = { equal: "✓", verified: "≈", rounded: "≈", valid: "≈", different: "✗", undecided: "?" };

export function checkView(session: Session, _opening: Opening): HTMLElement {
  const words = session.words.check;
  const area = make("textarea", { rows: 10, spellcheck: "false", "aria-label": words.title, placeholder: words.placeholder });
  const rename = make("input", { "aria-label": words.rename, placeholder: words.renameHint, spellcheck: "false" });
  const result = make("div", { class: "judgement", "aria-live": "polite" });
  const note = make("p", { class: "note", role: "status" }), marking = markingPanel(words);
  const reading = readingPanel(session, () => ({ answer: area.value, rename: pairs(rename.value) }));
  let example = "", of: Written | null = null;

  async function check(): Promise<void> {
    result.replaceChildren(make("p", { class: "doing" }, session.words.python.busy));
    const asked = { ...session.written, answer: area.value, rename: pairs(rename.value), ...marking.read() };
    try {
      const found = await session.python.ask("check", asked, { topic: "check" });
      mark(found.unread[0]);
      result.replaceChildren(...drawn(found).filter((each) => each !== null));
    } catch (error) {
      if (error instanceof LetGo) return result.replaceChildren();
      const line = error instanceof MistakeError && /^line (\d+)/.exec(error.mistake.where)?.[1];
      mark(line ? Number(line) : undefined);
      result.replaceChildren(make("p", { class: "mistake", role: "alert" }, explained(error, session.words)));
    }
  }

  /** Begins with an example for the arm that is open, as long as nobody has written anything. */
  async function begin(): Promise<void> {
    const { written, examined } = session;
    if (session.view !== "check" || !examined || session.mistake || (of && session.isStill(of)) || area.value !== example) return;
    of = written;
    const isShort = examined.coordinates.length <= SMALL && !written.robot.equations;
    const text = isShort ? await session.python.ask("example", written, { topic: "example" }).catch(() => "") : "";
    if (written !== of || area.value !== example) return;
    area.value = example = text;
    note.textContent = text && words.example;
    result.replaceChildren();
    reading.soon();
  }

  /** Selects the line that was not read, which the message names. */
  function mark(line?: number): void {
    area.toggleAttribute("aria-invalid", line !== undefined);
    if (line === undefined) return;
    const before = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(before, before + (area.value.split("\n")[line - 1]?.length ?? 0));
  }

  function drawn(found: Judgement): (HTMLElement | null)[] {
    const [verdict, ...lines] = found.summary;
    const head = [words.entry, words.verdict, words.difference, words.mistake].map((title) => make("th", { scope: "col" }, title));
    return [
      make("p", { class: found.equal ? "holds" : "fails", role: "status" }, `${found.equal ? "✓" : "✗"} ${verdict ?? ""}`),
      make("ul", {}, ...lines.map((line) => make("li", {}, line.replace(/^• /, "")))),
      ...marked(found, words),
      make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.verdict },
        make("table", { class: "judged" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...found.entries.map(row)))),
    ];
  }

  function row(each: Judged): HTMLElement {
    return make("tr", { class: each.verdict },
      make("th", { scope: "row" }, each.entry),
      make("td", {}, `${MARKS[each.verdict]} ${words.verdicts[each.verdict]}`),
      make("td", {}, mathematics(each.differenceMath), each.exactMath && make("div", { class: "exact" }, `${words.exact}: `, mathematics(each.exactMath))),
      make("td", {}, each.mistakes.join(" | "), witness(each)));
  }

  function witness(each: Judged): HTMLElement | null {
    if (!each.witness) return null;
    const state = Object.entries(each.witness.state).slice(0, 6).map(([name, value]) => `${name} = ${value}`).join(", ");
    const [yours, exact] = toldApart(each.witness.yours, each.witness.exact);
    return make("div", { class: "where" }, filled(words.at, { state, yours, exact }));
  }

  /** Reads the answer again, too: it may be one for another arm now, or in another notation. */
  function look(): void {
    reading.soon();
    void begin();
  }

  area.addEventListener("input", () => {
    note.textContent = "";
    mark();
  });
  for (const field of [area, rename]) field.addEventListener("input", reading.soon);
  for (const event of ["view", "examined", "place"] as const) session.on(event, look);
  return make("div", { class: "check sheet" },
    make("h2", {}, words.title), make("p", {}, words.hint), make("div", { class: "answer" }, area, reading.element), note,
    make("p", { class: "line" }, notationChoice(session), make("label", { class: "choice" }, make("span", {}, words.rename), rename), button(words.check, () => void check(), { class: "main", "data-do": "check" })),
    marking.element, result);
}

/** Two numbers with the fewest digits, three or more, that differ. */
function toldApart(a: number, b: number): [string, string] {
  for (let digits = 3; digits < 17; digits++) {
    const [first, second] = [a, b].map((value) => String(Number(value.toPrecision(digits))));
    if (first !== second) return [first!, second!];
  }
  return [String(a), String(b)];
}
