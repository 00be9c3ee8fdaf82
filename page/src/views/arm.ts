// The arm: its view, a slider for each joint, and the tool's pose. It is loaded where somebody looks at it.
import { filled } from "../languages/words.ts";
import type { Examined } from "../messages.ts";
import { make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import type { ArmStage } from "../widget.ts";

let stage: ArmStage | null = null; // one at a time: the one of the language before is let go

export function armView(session: Session, _opening: Opening): HTMLElement {
  stage?.dispose();
  stage = null;
  const spoken = session.words, words = spoken.arm, view = make("div", { class: "with-arm" });
  let shown: Examined | null = null, moved: ((q: ArrayLike<number>) => void) | null = null, isMoving = false;

  async function draw(): Promise<void> {
    const examined = session.examined;
    if (session.view !== "arm" || !examined || session.mistake || examined === shown) return;
    shown = examined;
    const { ArmStage, Sliders } = await import("../widget.ts");
    if (shown !== examined || session.words !== spoken) return;
    stage ??= new ArmStage(words);
    const { arm } = examined;
    const sliders = new Sliders(arm, words, (q) => {
      isMoving = true;
      session.pose = [...q];
      isMoving = false;
      stage?.view?.pose(q);
    });
    moved = (q) => {
      sliders.set(q);
      stage?.view?.pose(q);
    };
    sliders.set(session.pose);
    const names = arm.assumed.join(", "), assumed = names && make("p", { class: "note" }, filled(words.assumed, { names }));
    stage.setArm(arm, session.pose);
    stage.view?.highlight(session.lit);
    view.replaceChildren(stage.element, make("div", {}, sliders.element, assumed));
  }

  session.on("examined", () => void draw());
  session.on("view", () => void draw());
  session.on("pose", () => !isMoving && moved?.(session.pose));
  session.on("lit", () => stage?.view?.highlight(session.lit));
  return view;
}
