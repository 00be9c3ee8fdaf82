// Sets below each term what it is in numbers, and behind its equation what all of them are together.
import type { TermValues } from "../messages.ts";
import { make } from "../shell/dom.ts";
import { numberText } from "./number_text.ts";

/** Equations that are set, by name: each in the places where it stands. */
type Places = ReadonlyMap<string, HTMLElement[]>;

export function setNumbers(places: Places, entries: TermValues["entries"], values: Float64Array): void {
  let first = 0;
  for (const { name, terms } of entries) {
    const own = values.subarray(first, (first += terms)), scale = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const total = own.reduce((sum, value) => sum + value, 0);
    for (const place of places.get(name) ?? []) {
      place.querySelectorAll<HTMLElement>(":scope > .term").forEach((term, k) => {
        if (k < own.length) term.dataset["value"] = numberText(own[k]!, scale);
      });
      totalOf(place).textContent = `= ${numberText(total, scale)}`;
    }
  }
}

/** Takes all numbers away. */
export function dropNumbers(places: Places): void {
  for (const place of [...places.values()].flat()) {
    place.querySelector(":scope > .total")?.remove();
    for (const term of place.querySelectorAll<HTMLElement>(":scope > .term")) delete term.dataset["value"];
  }
}

/** The place of an equation's value, which stands behind its last term. */
function totalOf(place: HTMLElement): HTMLElement {
  const kept = place.querySelector<HTMLElement>(":scope > .total") ?? make("output", { class: "total" });
  if (place.lastElementChild !== kept) place.append(kept);
  return kept;
}
