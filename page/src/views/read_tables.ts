// The tables of a robot to be read, not edited: where its joints are, its masses, its symbols.
import { at, nameOf } from "../shell/descriptions.ts";
import { filled } from "../languages/words.ts";
import { make } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { superscript } from "../live/number_text.ts";
import { type Column, geometry, masses } from "./cells.ts";

export function readTables(session: Session): HTMLElement[] {
  const { robot } = session, words = session.words.robot;
  const spoken = (text: string) => session.examined?.texts[text] ?? text;
  const chosen = (text: string) => words.choices[text] ?? text;
  const of = (title: string, columns: Column[]) => {
    const used = columns.filter(({ title, place }) => title && robot.link.some((_, k) => !["", "0"].includes(said(at(robot, ["link", k, ...place])))));
    return used.length ? table(title, [words.linkName, ...used.map(({ title }) => words.columns[title] ?? title)],
      robot.link.map((_, k) => [spoken(nameOf(robot, k)), ...used.map(({ place }) => chosen(said(at(robot, ["link", k, ...place])) || "0"))])) : null;
  };
  const symbols = Object.entries(robot.symbols ?? {}).map(([name, symbol]) => {
    const { value, unit, meaning } = symbol !== null && typeof symbol === "object" ? symbol : { value: symbol, unit: "", meaning: "" };
    return [name, [said(value), said(unit)].filter(Boolean).join(" "), spoken(meaning ?? "")];
  });
  const tables = [
    of(filled(words.ofConvention, { what: words.geometry, convention: words.conventions[robot.convention ?? "dh"] ?? String(robot.convention) }), geometry(robot)),
    of(words.masses, masses(robot)),
    symbols.length ? table(words.symbols, [words.name, words.value, words.meaning], symbols) : null,
  ];
  return tables.filter((each) => each !== null);
}

function table(title: string, heads: string[], rows: string[][]): HTMLElement {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name!), ...cells.map((text) => make("td", {}, text))));
  return make("table", { class: "read" }, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...body));
}

/** Returns an expression with signs that people read. */
function said(value: unknown): string {
  if (value === undefined || value === null || typeof value === "object") return "";
  const raised = String(value).replace(/(?:\*\*|\^)(-?\d+)/g, (_, power: string) => superscript(power));
  return raised.replaceAll("*", "·").replaceAll("-", "−").replace(/(\d)\s*deg\b/g, "$1°");
}
