// What is told of the term that is pointed at, in a place of its own, so that nothing moves.
import { make } from "./dom.ts";

const element = make("div", { class: "shares", id: "tip", role: "tooltip", hidden: true });

export function show(of: HTMLElement, told: HTMLElement[]): void {
  if (!element.isConnected) document.body.append(element);
  element.replaceChildren(...told);
  element.hidden = false;
  of.setAttribute("aria-describedby", element.id);
}

export function hide(of: HTMLElement): void {
  element.hidden = true;
  of.removeAttribute("aria-describedby");
}
