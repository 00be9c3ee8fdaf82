// A proof is a green line that opens into its certificate.
import type { Certificate } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { button, make, mathematics } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import type { Words } from "../languages/words.ts";
import { filled } from "../languages/words.ts";

const MARKS = { proved: "✓", verified: "≈", false: "✗", undecided: "?" };

export interface Part {
  element: HTMLElement;
  /** Forgets what was shown of another robot. */
  reset(): void;
}

export function proofOf(session: Session, opening: Opening): Part {
  const all = session.words, words = all.equations;
  const element = make("section", { class: "proof" });

  function offer(): void {
    element.replaceChildren(button(words.prove, () => void prove(), { class: "main", "data-do": "prove" }));
  }

  async function prove(): Promise<void> {
    const written = session.written;
    const line = make("p", { class: "doing", role: "status" }, filled(words.proving, { doing: "…" }));
    element.replaceChildren(line, button(all.python.stop, () => session.python.cancel()));
    const progress = (doing: string) => (line.textContent = filled(words.proving, { doing }));
    try {
      const found = await session.python.ask("prove", { ...written, routes: null, lang: session.lang }, { topic: "prove", progress });
      if (session.isStill(written)) element.replaceChildren(opened(found));
    } catch (error) {
      offer();
      if (error instanceof LetGo) opening.say(all.stopped);
      else await opening.told(Promise.reject(error as Error));
    }
  }

  function opened(found: Certificate): HTMLElement {
    const table = make("table", {}, ...certificateRows(found));
    return make("details", { class: found.holds ? "holds" : "fails" }, make("summary", {}, sentenceOf(found, words)), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.prove }, table));
  }

  offer();
  return { element, reset: offer };
}

/** A row for each identity: whether it holds, its name, the law, and how long that took. */
export function certificateRows(found: Certificate): HTMLElement[] {
  return found.identities.map((each) =>
    make("tr", { class: each.verdict },
      make("td", {}, MARKS[each.verdict]), make("td", {}, mathematics(each.name)), make("td", {}, mathematics(each.law)),
      make("td", { class: "time" }, `${(each.seconds * 1000).toFixed(0)} ms`), each.detail ? make("td", {}, each.detail) : null));
}

export function sentenceOf(found: Certificate, words: Words["equations"]): string {
  const count = found.identities.length, seconds = found.seconds.toFixed(2);
  const wrong = found.identities.filter((each) => each.verdict === "false" || each.verdict === "undecided").length;
  if (wrong) return `✗ ${filled(words.fails, { count: wrong, all: count })}`;
  if (found.primes) return `≈ ${filled(words.verified, { count, primes: found.primes, seconds, certainty: found.certainty })}`;
  return `✓ ${filled(words.holds, { count, seconds })}`;
}
