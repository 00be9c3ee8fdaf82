// Sets equations a term at a time; long arrays and long equations are filled as they come into view.
import type { Equation, Links, Share } from "../messages.ts";
import { filled } from "../languages/words.ts";
import type { Words } from "../languages/english.ts";
import { make, mathematics } from "../shell/dom.ts";
import * as tip from "../shell/tip.ts";

const BREAK = "\u200b"; // lines may end between terms
const TERM_HEIGHT = 0.6; // em that a term of a long equation takes, about
const AT_ONCE = 300; // terms of an equation that are set together

export interface Wanted {
  /** Equations by their numbers, written whole. */
  more?: (numbers: number[]) => Promise<Equation[]>;
  light?: (links: number[]) => void;
}

/** A list of equations. `linked` adds, later, which links their terms come from. */
export class EquationList {
  readonly element = make("div", { class: "equations" });
  private readonly rows = new Map<string, HTMLElement>();
  /** What is set where the end of the terms that are set comes into view. */
  private readonly rest = new Map<Element, () => void>();
  private readonly words: Words;
  private readonly wanted: Wanted;
  private links: Links = {};
  private readonly seen: IntersectionObserver;

  constructor(listed: Equation[], words: Words, wanted: Wanted = {}) {
    this.words = words;
    this.wanted = wanted;
    this.seen = new IntersectionObserver((entries) => this.reached(entries), { rootMargin: "300px" });
    for (const [k, equation] of listed.entries()) this.element.append(this.row(equation, k));
    new ResizeObserver(() => this.reachable()).observe(this.element);
  }

  private row(equation: Equation, k: number): HTMLElement {
    const right = make("div", { class: "right" });
    const row = make("div", { class: "equation", "data-name": equation.name }, make("div", { class: "left" }, mathematics(equation.left)), right);
    this.rows.set(equation.name, right);
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

  /** Sets the next terms, behind which the others wait. */
  private add(right: HTMLElement, terms: string[], from: number): void {
    const to = from + AT_ONCE;
    right.append(...terms.slice(from, to).flatMap((term) => [make("span", { class: "term" }, mathematics(term)), BREAK]));
    if (to >= terms.length) return;
    const end = make("span", {}, "…");
    this.rest.set(end, () => {
      end.remove();
      this.add(right, terms, to);
      this.linked(this.links);
    });
    right.append(end);
    this.seen.observe(end);
  }

  /** What is too wide for its place can be scrolled by keyboard. */
  private reachable(): void {
    for (const right of this.rows.values()) {
      if (right.scrollWidth > right.clientWidth + 1) right.tabIndex = 0;
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
    } catch {
      for (const place of places) this.seen.observe(place);
    }
  }

  /** Says of the terms which links they come from; pointing at one, or reaching it by keyboard, shows them. */
  linked(links: Links): void {
    this.links = links;
    for (const [name, terms] of Object.entries(links)) {
      const spans = this.rows.get(name)?.querySelectorAll<HTMLElement>(":scope > .term") ?? [];
      if (spans.length !== terms.length && (spans.length % AT_ONCE || spans.length > terms.length)) continue;
      for (const [k, span] of [...spans].entries()) if (terms[k]!.length && !span.dataset["links"]) this.join(span, terms[k]!);
    }
  }

  private join(span: HTMLElement, shares: Share[]): void {
    const links = [...new Set(shares.map((share) => share.link))];
    span.dataset["links"] = links.join(" ");
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
    return make("span", { class: `link-${share.link % 8}` }, share.math ? `${name}: ` : name, share.math ? mathematics(share.math) : null);
  }
}
