// The choice of the notation, which all tabs with equations share.
import { choice, make } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";

export function notationChoice(session: Session): HTMLElement {
  const { equations: words } = session.words;
  const element = choice(words.notation, [], "", (notation) => session.look({ notation })), select = element.querySelector("select")!;

  function draw(): void {
    const { notation: chosen, notations, lang } = session;
    const listed = notations.map(({ name, sentences }): [string, string, string] => [name, name, sentences[lang] ?? ""]);
    const all: [string, string, string][] = [["", words.ours, words.ourLetters], ...listed];
    select.replaceChildren(...all.map(([value, word, title]) => make("option", { value, title, selected: value === chosen }, word)));
    select.title = all.find(([value]) => value === chosen)![2];
  }

  session.on("place", draw);
  draw();
  return element;
}
