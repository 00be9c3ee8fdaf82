// Help: what each tab is for, and the keys.
import { button, make } from "./dom.ts";
import type { Session } from "./session.ts";

export function help(session: Session): void {
  const words = session.words.help, { views } = session.words;
  const told = (rows: string[][]) => rows.flatMap(([name, text]) => [make("dt", {}, name!), make("dd", {}, text!)]);
  const dialog = make("dialog", { class: "help", "aria-label": words.title, onclose: () => dialog.remove() });
  dialog.append(
    make("h2", {}, words.title),
    make("dl", {}, ...told(Object.entries(words.views).map(([view, text]) => [views[view as keyof typeof views], text]))),
    make("h2", {}, words.keys),
    make("dl", { class: "keys" }, ...told(words.keyRows)),
    make("p", { class: "note" }, words.more),
    make("p", { class: "line" }, button(session.words.robot.close, () => dialog.close(), { class: "main" })),
  );
  document.body.append(dialog);
  dialog.showModal();
}
