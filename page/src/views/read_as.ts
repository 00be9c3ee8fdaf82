// What each formula of an answer is read as, beside the answer while it is typed.
import type { Read, ReadAs } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { make, mathematics } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { explained, filled } from "../languages/words.ts";

/** How long the answer stays as it is before it is read [ms]. */
const REST = 300;

export interface Reading {
  element: HTMLElement;
  /** Reads the answer soon. */
  soon(): void;
}

/** asked: returns the answer and the names that are explained */
export function readingPanel(session: Session, asked: () => { answer: string; rename: Record<string, string> }): Reading {
  const words = session.words.check, element = make("div", { class: "read-as scroll", tabindex: 0, role: "region", "aria-label": words.readAs });
  let timer = 0, isReading = false, isLater = false;

  function soon(): void {
    clearTimeout(timer);
    timer = window.setTimeout(() => void read(), REST);
  }

  /** Reads once at a time: a question that was let go might take Python with it. */
  async function read(): Promise<void> {
    if (session.view !== "check" || !session.examined || session.examined.long || session.mistake) return;
    isLater = isReading;
    if (isReading) return;
    isReading = true;
    const now = asked();
    try {
      const found = now.answer.trim() ? await session.python.ask("readAs", { ...session.written, ...now }) : null;
      if (!isLater) element.replaceChildren(...(found ? drawn(found) : []));
    } catch (error) {
      if (!(error instanceof LetGo)) element.replaceChildren(make("p", { class: "mistake" }, explained(error, session.words)));
    }
    isReading = false;
    if (isLater) void read();
  }

  function drawn({ entries, unread, notes }: ReadAs): HTMLElement[] {
    const head = [words.entry, words.readAs, words.where].map((title) => make("th", { scope: "col" }, title));
    const rows = [...entries.map((each) => row(each, mathematics(each.math))), ...unread.map((each) => row(each, filled(words.notRead, { reason: each.reason }), "unread"))];
    return [
      make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)),
      ...(notes.length ? [make("ul", { class: "hint" }, ...notes.map((note) => make("li", {}, note)))] : []),
    ];
  }

  return { element, soon };
}

function row({ entry, where }: Read, content: Node | string, kind?: string): HTMLElement {
  return make("tr", { class: kind }, make("th", { scope: "row" }, entry), make("td", {}, content), make("td", { class: "where" }, where));
}
