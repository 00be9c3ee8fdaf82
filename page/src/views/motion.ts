// The motion: the arm that is open moves by what Python has written for it. It is loaded where somebody looks at it.
import type { Examined, Law } from "../messages.ts";
import type { MotionPanel } from "../motion/panel.ts";
import { make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";

let panel: MotionPanel | null = null; // one at a time: the one of the language before is let go

export function motionView(session: Session, opening: Opening): HTMLElement {
  panel?.dispose();
  panel = null;
  const view = make("div", { class: "motion-view" }), spoken = session.words;
  const serving = new URL("motion.js", document.baseURI);
  let shown: Examined | null = null;

  const motion = async (law: Law, texts: string[]) =>
    (await opening.told(session.python.ask("motion", { robot: session.robot, law, texts }, { topic: "motion" }))) ?? null;

  const started = (filled: Record<string, string>) => {
    session.start = filled;
    session.tell("start");
  };

  async function draw(): Promise<void> {
    const examined = session.examined;
    if (session.view !== "motion" || !examined || session.mistake || examined === shown) return;
    shown = examined;
    const { MotionPanel } = await import("../motion/panel.ts");
    if (shown !== examined || session.words !== spoken) return;
    panel ??= new MotionPanel({ words: spoken, serving, motion, pose: () => session.pose, start: () => session.start, started });
    view.replaceChildren(panel.element);
    panel.setArm(examined.arm, examined.name);
    panel.highlight(session.lit);
  }

  session.on("examined", () => void draw());
  session.on("view", () => void draw());
  session.on("lit", () => panel?.highlight(session.lit));
  return view;
}
