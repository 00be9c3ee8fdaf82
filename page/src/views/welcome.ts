// What a first visit begins with: one sentence of what this is, and three things to try.
import { at } from "../shell/descriptions.ts";
import { button, make } from "../shell/dom.ts";
import { help } from "../shell/help.ts";
import type { Session } from "../shell/session.ts";
import { keep, recalled } from "../shell/storage.ts";
import type { Place } from "../messages.ts";

const CLOSED = "qddot.welcomed";
const WAVE = 0.7, WHILE = 900; // how far the first joint moves [rad or m], and for how long [ms]
const LENGTHS = /"(a|d|xyz)"/; // of places in a link

export function welcome(session: Session): HTMLElement {
  const words = session.words.welcome, element = make("section", { class: "welcome", "aria-label": words.title });
  if (recalled(CLOSED)) return element;
  const go = (view: string) => {
    session.view = view;
    session.tell("view");
  };

  function move(): void {
    document.querySelector<HTMLElement>(".arm-view .slider input")?.focus();
    wave(session);
  }

  function change(): void {
    go("robot");
    const cells = [...document.querySelectorAll<HTMLInputElement>(".tables input[data-place]")];
    const placeOf = (cell: Element) => JSON.parse(cell.getAttribute("data-place")!) as Place;
    const isLength = (cell: Element) => {
      const place = placeOf(cell), value = String(at(session.robot, place) ?? "0");
      return place[0] === "link" && LENGTHS.test(cell.getAttribute("data-place")!) && value !== "0";
    };
    const cell = cells.findLast(isLength);
    cell?.focus();
    cell?.select();
  }

  function prove(): void {
    go("equations");
    document.querySelector<HTMLElement>('[data-do="prove"]')?.click();
    document.querySelector(".proof")?.scrollIntoView({ block: "center" });
  }

  function close(): void {
    keep(CLOSED, "yes");
    element.replaceChildren();
  }

  const invitation = (name: "move" | "change" | "prove", act: () => void) =>
    make("button", { type: "button", onclick: act, "data-try": name }, make("strong", {}, words[name]), make("span", {}, words[`${name}Hint`]));
  element.append(
    make("p", {}, words.sentence, " ", button(words.help, () => help(session), { class: "quiet" })),
    make("div", { class: "invitations" }, invitation("move", move), invitation("change", change), invitation("prove", prove)),
    button("×", close, { class: "quiet close", "aria-label": words.close, title: words.close }),
  );
  return element;
}

/** Moves the first joint to and fro, once, until somebody moves a joint. */
function wave(session: Session): void {
  const start = session.pose;
  let begun = 0, last = [...start]; // a new list, by which an earlier movement sees that it must end
  if (!start.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const limits = session.examined!.arm.coordinates[0]!.limits ?? [-Infinity, Infinity];
  session.pose = last;
  const step = (now: number) => {
    if (session.pose !== last) return;
    begun ||= now;
    const part = Math.min(1, (now - begun) / WHILE), way = WAVE * Math.sin(Math.PI * part) ** 2;
    session.pose = last = [Math.min(limits[1], Math.max(limits[0], start[0]! + way)), ...start.slice(1)];
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
