// Writes below each term its value, and after each equation the sum of its terms, with its unit; after a matrix the same
// matrix in numbers.
import type { EntryValues, TermValues } from "../messages.ts";
import { make } from "../shell/dom.ts";
import { numberText } from "./number_text.ts";

/** Equations that are set, by name: each in the places where it stands. */
type Places = ReadonlyMap<string, HTMLElement[]>;

export function setNumbers(places: Places, entries: TermValues["entries"], values: Float64Array): void {
  let first = 0;
  for (const entry of entries) {
    const own = values.subarray(first, (first += entry.values));
    for (const place of places.get(entry.name) ?? []) {
      if (entry.columns) setMatrix(place, own, entry.columns);
      else setSum(place, own, entry);
    }
  }
}

function setSum(place: HTMLElement, own: Float64Array, { unit }: EntryValues): void {
  const scale = scaleOf(own), total = own.reduce((sum, value) => sum + value, 0);
  place.querySelectorAll<HTMLElement>(":scope > .term").forEach((term, k) => {
    if (k < own.length) term.dataset["value"] = numberText(own[k]!, scale);
  });
  totalOf(place).textContent = `= ${numberText(total, scale)} ${unit}`.trim();
}

function setMatrix(place: HTMLElement, own: Float64Array, columns: number): void {
  const scale = scaleOf(own), cells = Array.from(own, (value) => make("span", {}, numberText(value, scale)));
  const brackets = make("span", { class: "cells", style: `grid-template-columns: repeat(${columns}, auto)` }, ...cells);
  totalOf(place).replaceChildren(make("span", { class: "matrix" }, "=", brackets));
}

const scaleOf = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Takes all numbers away. */
export function dropNumbers(places: Places): void {
  for (const place of [...places.values()].flat()) {
    place.querySelector(":scope > .total")?.remove();
    for (const term of place.querySelectorAll<HTMLElement>(":scope > .term")) delete term.dataset["value"];
  }
}

/** The place of an equation's value, which stands after its last term. */
function totalOf(place: HTMLElement): HTMLElement {
  const kept = place.querySelector<HTMLElement>(":scope > .total") ?? make("output", { class: "total" });
  if (place.lastElementChild !== kept) place.append(kept);
  return kept;
}
