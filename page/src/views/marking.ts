// What is asked of a derivation, its points, and how much its author is told: closed, until somebody marks answers.
import type { Words } from "../languages/words.ts";
import type { Judgement, Marking } from "../messages.ts";
import { filled } from "../languages/words.ts";
import { choice, make } from "../shell/dom.ts";

const LEVELS = 3;

export interface MarkingPanel {
  element: HTMLElement;
  /** Returns what the fields say. */
  read(): Marking;
}

export function markingPanel(words: Words["check"]): MarkingPanel {
  const field = (label: string, hint: string, name: string) => {
    const input = make("input", { placeholder: hint, spellcheck: "false", "data-field": name });
    return { input, element: make("label", { class: "choice" }, make("span", {}, label), input) };
  };
  let hints = 0;
  const wanted = field(words.wanted, "M, G1", "wanted"), points = field(words.points, "M = 4, G = 2", "points");
  const levels = words.hintLevels.map((level, k): [string, string] => [String(k), level]).slice(0, LEVELS + 1);
  const note = choice(words.hints, levels, "0", (level) => (hints = Number(level)));
  const element = make("details", { class: "marking" }, make("summary", {}, words.marking), make("p", { class: "line" }, wanted.element, points.element, note));
  const read = () => {
    const given = Object.entries(pairs(points.input.value)).map(([name, text]) => [name, Number.isFinite(Number(text)) ? Number(text) : text]);
    return { wanted: wanted.input.value.trim(), rubric: Object.fromEntries(given) as Marking["rubric"], hints };
  };
  return { element, read };
}

/** Returns the points and the note, as far as they were asked for. */
export function marked({ points, note }: Judgement, words: Words["check"]): (HTMLElement | null)[] {
  return [
    points && make("p", { class: "points" }, filled(words.pointsOf, { points: points.points, most: points.most })),
    note ? make("section", { class: "note-to" }, make("h2", { class: "small" }, words.note), make("pre", {}, note)) : null,
  ];
}

/** "L1 = l1, θ1 = q1" as a mapping. */
export function pairs(text: string): Record<string, string> {
  const parts = text.split(/[,，;；\n]/).map((pair) => pair.split("=").map((name) => name.trim()));
  return Object.fromEntries(parts.filter(([left, right]) => left && right) as [string, string][]);
}
