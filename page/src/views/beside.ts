// The arm beside the table and the equations, where there is room: what is pointed at lights up in it.
import type { Examined } from "../messages.ts";
import { make } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import type { ArmStage } from "../widget.ts";

const ROOM = matchMedia("(min-width: 1000px)");
const BESIDE = ["robot", "equations"];

let stage: ArmStage | null = null; // one at a time: the one of the language before is let go

/** The element that a view takes in while it is shown. */
export function armBeside(session: Session): HTMLElement {
  stage?.dispose();
  stage = null;
  const element = make("div", { class: "beside" }), spoken = session.words;
  let shown: Examined | null = null;

  async function draw(): Promise<void> {
    const examined = session.examined;
    if (!ROOM.matches || !BESIDE.includes(session.view) || !examined || examined === shown) return;
    shown = examined;
    const { ArmStage } = await import("../widget.ts");
    if (shown !== examined || session.words !== spoken) return;
    if (!stage) {
      stage = new ArmStage(spoken.arm);
      element.replaceChildren(stage.element);
    }
    stage.setArm(examined.arm, session.pose);
    stage.view?.highlight(session.lit);
  }

  const later = () => requestIdleCallback(() => void draw(), { timeout: 1500 });
  session.on("examined", later);
  session.on("view", later);
  session.on("pose", () => stage?.view?.pose(session.pose));
  session.on("lit", () => stage?.view?.highlight(session.lit));
  return element;
}
