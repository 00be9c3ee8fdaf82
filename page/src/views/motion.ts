// The motion: the arm that is open moves by what Python has written for it.
import { armWords } from "../arm/words.ts";
import { MotionPanel } from "../motion/panel.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { make } from "../shell/dom.ts";

let panel: MotionPanel | null = null; // one at a time: the one of the language before is let go

export function motionView(session: Session, opening: Opening): HTMLElement {
  panel?.dispose();
  const view = make("div", { class: "motion-view" });
  let shown: unknown = null;
  const words = armWords(session.lang), serving = new URL("motion.js", document.baseURI);
  const motion: ConstructorParameters<typeof MotionPanel>[0]["motion"] = async (law, texts) =>
    (await opening.told(session.python.ask("motion", { robot: session.robot, law, texts }, { topic: "motion" }))) ?? null;

  /** The arm moves once somebody looks: Python has other work before. */
  function draw(): void {
    const examined = session.examined;
    if (session.view !== "motion" || !examined || session.mistake || examined === shown) return;
    shown = examined;
    if (!panel || !view.contains(panel.element)) {
      panel = new MotionPanel({ words, serving, motion });
      view.replaceChildren(panel.element);
    }
    panel.setArm(examined.arm, examined.name, examined.arm.coordinates.map(() => 0));
  }

  session.on("examined", draw);
  session.on("view", draw);
  session.on("lit", () => panel?.highlight(session.lit));
  draw();
  return view;
}
