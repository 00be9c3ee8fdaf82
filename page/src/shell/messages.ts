// Says short things at the foot of the page, above a dialog that is open, and offers what can be done about them.
import { button, make } from "./dom.ts";

const SHOWN = 6000; // ms that a message stays; a warning stays three times as long, an offer until it is answered

const element = make("div", { class: "messages", role: "status", "aria-live": "polite" });
let timer = 0;

/** Shows a text in place of the one before. */
export function say(text: string, kind = "", offers: [string, () => void][] = []): void {
  window.clearTimeout(timer);
  // what is outside of an open dialog is hidden behind it
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (element.parentElement !== place) place.append(element);
  const buttons = offers.map(([word, act]) => button(word, () => (element.replaceChildren(), act()), { class: "quiet" }));
  element.replaceChildren(make("p", { class: kind }, text, ...buttons));
  if (!offers.length) timer = window.setTimeout(() => element.replaceChildren(), kind ? 3 * SHOWN : SHOWN);
}
