// Sets equations a term at a time, as a matrix where that fits, else as a list; long ones are filled as they come into view.
import type { Equation, Equations, Links, Share } from "../messages.ts";
import { filled } from "../languages/words.ts";
import type { Words } from "../languages/words.ts";
import { make, mathematics } from "../shell/dom.ts";
import * as tip from "../shell/tip.ts";

const BREAK = "\u200b"; // lines may end between terms
const TERM_HEIGHT = 0.6; // em that a term of a long equation takes, about
const AT_ONCE = 300; // terms of an equation that are set together
const MOST_IN_PATTERN = 8; // rows of a matrix that is shown with the names of its entries
const COLOURS = 7;
const NARROWEST = 4; // px of a letter, of a fraction's, too, which stand one above the other
const PAPER = 720; // px that a printed sheet is wide, also where the window is narrower

export interface Wanted {
  /** Equations by their numbers, written whole. */
  more?: (numbers: number[]) => Promise<Equation[]>;
  light?: (links: number[]) => void;
  /** Is called when further terms have been set. */
  filled?: () => void;
}

/** Equations on the page. `linked` adds, later, which links their terms come from. */
export class EquationList {
  readonly element = make("div", { class: "equations" });
  /** Where the terms of an equation stand, by its name: of a symmetric matrix in two places. */
  private readonly rows = new Map<string, HTMLElement[]>();
  /** What is set where the end of the terms that are set comes into view. */
  private readonly rest = new Map<Element, () => void>();
  private readonly words: Words;
  private readonly wanted: Wanted;
  private readonly listed: Equation[];
  private readonly matrix: Equations["matrix"];
  private cells: HTMLElement | null = null;
  private links: Links = {};
  private readonly seen: IntersectionObserver;

  constructor(listed: Equation[], words: Words, wanted: Wanted = {}, matrix?: Equations["matrix"]) {
    this.words = words;
    this.wanted = wanted;
    this.listed = listed;
    this.matrix = matrix;
    this.seen = new IntersectionObserver((entries) => this.reached(entries), { rootMargin: "300px" });
    if (matrix && mayFit(matrix, listed)) this.setMatrix(matrix);
    else this.setList();
    new ResizeObserver(() => this.reachable()).observe(this.element);
  }

  /** The names of the equations whose terms are set, with the places where they stand. */
  get set(): ReadonlyMap<string, HTMLElement[]> {
    return this.rows;
  }

  private setMatrix(matrix: NonNullable<Equations["matrix"]>): void {
    const terms = new Map(this.listed.map((equation) => [equation.name, equation.terms!]));
    this.cells = this.bracketed(matrix, (name) => {
      const cell = this.place(name, make("div", { class: "cell", "data-name": name }));
      this.add(cell, terms.get(name)!, 0);
      return cell;
    });
    this.element.replaceChildren(make("div", { class: "matrix" }, make("div", { class: "left" }, mathematics(matrix.left)), this.cells));
  }

  /** Sets an equation a row, below the matrix with the names of its entries, which shows where it has zeros. */
  private setList(): void {
    const { matrix, listed } = this, left = new Map(listed.map((equation) => [equation.name, equation.left]));
    this.cells = null;
    this.rows.clear();
    this.element.replaceChildren();
    if (matrix && matrix.rows[0]!.length > 1 && matrix.rows.length <= MOST_IN_PATTERN) {
      const named = this.bracketed(matrix, (name) => make("span", {}, mathematics(withoutSign(left.get(name) ?? ""))));
      this.element.append(make("div", { class: "matrix pattern scroll" }, make("div", { class: "left" }, mathematics(matrix.left)), named));
    }
    for (const [k, equation] of listed.entries()) this.element.append(this.row(equation, k));
    this.linked(this.links);
  }

  private bracketed({ rows }: NonNullable<Equations["matrix"]>, cell: (name: string) => HTMLElement): HTMLElement {
    const zero = () => make("span", { class: "zero" }, "0");
    const cells = rows.flat().map((name) => (name ? cell(name) : zero()));
    return make("div", { class: "cells", style: `grid-template-columns: repeat(${rows[0]!.length}, auto)` }, ...cells);
  }

  private place(name: string, element: HTMLElement): HTMLElement {
    this.rows.set(name, [...(this.rows.get(name) ?? []), element]);
    return element;
  }

  private row(equation: Equation, k: number): HTMLElement {
    const right = this.place(equation.name, make("div", { class: "right" }));
    const row = make("div", { class: "equation", "data-name": equation.name }, make("div", { class: "left" }, mathematics(equation.left)), right);
    if (equation.terms) this.fill(right, equation.terms);
    else {
      right.style.minHeight = `${Math.max(1.6, equation.length * TERM_HEIGHT)}em`;
      right.textContent = "…";
      right.dataset["number"] = String(k);
      this.seen.observe(right);
    }
    return row;
  }

  private fill(right: HTMLElement, terms: string[]): void {
    right.style.minHeight = "";
    right.replaceChildren();
    this.add(right, terms, 0);
  }

  /** Sets the next terms; those after them wait. */
  private add(right: HTMLElement, terms: string[], from: number): void {
    const to = from + AT_ONCE;
    right.append(...terms.slice(from, to).flatMap((term) => [make("span", { class: "term" }, mathematics(term)), BREAK]));
    if (to >= terms.length) return;
    const end = make("span", {}, "…");
    this.rest.set(end, () => {
      end.remove();
      this.add(right, terms, to);
      this.linked(this.links);
      this.wanted.filled?.();
    });
    right.append(end);
    this.seen.observe(end);
  }

  /** A matrix that is too wide becomes a list; an equation that is too wide can be scrolled by keyboard. */
  private reachable(): void {
    if (this.cells && this.cells.scrollWidth > this.cells.clientWidth + 1) {
      this.setList();
      this.wanted.filled?.();
    }
    for (const right of [...this.rows.values()].flat()) {
      if (right.className === "right" && right.scrollWidth > right.clientWidth + 1) right.tabIndex = 0;
      else right.removeAttribute("tabindex");
    }
  }

  private async reached(entries: IntersectionObserverEntry[]): Promise<void> {
    const reached = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target as HTMLElement);
    for (const place of reached) this.seen.unobserve(place);
    for (const place of reached) this.rest.get(place)?.();
    const places = reached.filter((place) => !this.rest.delete(place));
    if (!places.length || !this.wanted.more) return;
    try {
      const found = await this.wanted.more(places.map((place) => Number(place.dataset["number"])));
      for (const [k, place] of places.entries()) this.fill(place, found[k]!.terms ?? []);
      this.linked(this.links);
      this.wanted.filled?.();
    } catch {
      for (const place of places) this.seen.observe(place);
    }
  }

  /** Says of the terms which links they come from; pointing at one, or reaching it by keyboard, shows them. */
  linked(links: Links): void {
    this.links = links;
    for (const [name, terms] of Object.entries(links)) {
      for (const right of this.rows.get(name) ?? []) {
        const spans = [...right.querySelectorAll<HTMLElement>(":scope > .term")];
        if (spans.length !== terms.length && (spans.length % AT_ONCE || spans.length > terms.length)) continue;
        for (const [k, span] of spans.entries()) if (terms[k]!.length && !span.dataset["links"]) this.join(span, terms[k]!);
      }
    }
  }

  private join(span: HTMLElement, shares: Share[]): void {
    const links = [...new Set(shares.map((share) => share.link))];
    span.dataset["links"] = links.join(" ");
    span.style.setProperty("--links", striped(links));
    span.tabIndex = 0;
    const light = () => {
      tip.show(span, shares.map((share) => this.told(share)));
      this.wanted.light?.(links);
    };
    const dark = () => {
      tip.hide(span);
      this.wanted.light?.([]);
    };
    span.addEventListener("pointerenter", light);
    span.addEventListener("pointerleave", dark);
    span.addEventListener("focus", light);
    span.addEventListener("blur", dark);
  }

  private told(share: Share): HTMLElement {
    const name = filled(this.words.equations.sources[share.source] ?? share.source, { k: share.link + 1 });
    return make("span", { class: `link-${share.link % COLOURS}` }, share.math ? `${name}: ` : name, share.math ? mathematics(share.math) : null);
  }
}

/** Whether a matrix might be as narrow as the window: to lay a long one out takes as long as the list that replaces it. */
function mayFit({ rows }: NonNullable<Equations["matrix"]>, listed: Equation[]): boolean {
  if (!listed.every((equation) => equation.terms)) return false;
  const letters = new Map(listed.map(({ name, terms }) => [name, lettersOf(terms!)]));
  const columns = rows[0]!.map((_, column) => Math.max(...rows.map((row) => letters.get(row[column]!) ?? 0)));
  return NARROWEST * columns.reduce((a, b) => a + b, 0) <= Math.max(window.innerWidth, PAPER);
}

/** Counts the visible characters of terms. */
function lettersOf(terms: string[]): number {
  return terms.reduce((sum, term) => sum + term.replace(/<[^>]*>|&[^;]*;|[\s\u2061-\u2064]/g, "").length, 0);
}

/** Returns a line in the colours of some links, one beside the other. */
function striped(links: number[]): string {
  const stops = links.map((link, k) => `var(--link-${link % COLOURS}) ${(100 * k) / links.length}% ${(100 * (k + 1)) / links.length}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** Returns the name on the left side of an equation, without its sign of equality. */
function withoutSign(left: string): string {
  return left.replace(/<mo[^>]*>=<\/mo>(?=<\/math>)/, "");
}
