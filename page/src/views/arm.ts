// The arm: its view, a slider for each joint, and the tool's pose.
import { Sliders } from "../arm/sliders.ts";
import { ArmStage } from "../arm/stage.ts";
import { armWords } from "../arm/words.ts";
import { filled } from "../languages/words.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { make } from "../shell/dom.ts";

let stage: ArmStage | null = null; // one at a time: the one of the language before is let go

export function armView(session: Session, _opening: Opening): HTMLElement {
  stage?.dispose();
  stage = null;
  const words = armWords(session.lang), view = make("div", { class: "with-arm" });
  let shown: unknown = null;

  function draw(): void {
    const examined = session.examined;
    if (session.view !== "arm" || !examined || session.mistake || examined === shown) return;
    shown = examined;
    stage ??= new ArmStage(words);
    const { arm } = examined, sliders = new Sliders(arm, words, (q) => stage?.view?.pose(q));
    const assumed = arm.assumed.length ? make("p", { class: "note" }, filled(words.assumed, { names: arm.assumed.join(", ") })) : null;
    stage.setArm(arm);
    stage.view?.highlight(session.lit);
    view.replaceChildren(stage.element, make("div", {}, sliders.element, assumed ?? ""));
  }

  session.on("examined", draw);
  session.on("view", draw);
  session.on("lit", () => stage?.view?.highlight(session.lit));
  draw();
  return view;
}
