// The arm: its view, a slider for each joint, the tool's pose, and the torques that hold it. It is loaded where it is looked at.
import { filled } from "../languages/words.ts";
import { Torques } from "../live/torques.ts";
import type { Examined } from "../messages.ts";
import { make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import type { ArmStage } from "../widget.ts";
import { welcome } from "./welcome.ts";

let stage: ArmStage | null = null, torques: Torques | null = null; // one at a time: those of the language before are let go

function dispose(): void {
  stage?.dispose();
  torques?.dispose();
  stage = torques = null;
}

export function armView(session: Session, _opening: Opening): HTMLElement {
  dispose();
  const spoken = session.words, words = spoken.arm, shownArm = make("div", { class: "with-arm" });
  const view = make("div", { class: "arm-view" }, welcome(session), shownArm), held = make("div", { "aria-live": "off" });
  let shown: Examined | null = null, moved: ((q: ArrayLike<number>) => void) | null = null, isMoving = false;

  async function draw(): Promise<void> {
    const examined = session.examined;
    if (session.view !== "arm" || !examined || session.mistake || examined === shown) return;
    shown = examined;
    const { ArmStage, Sliders } = await import("../widget.ts");
    if (shown !== examined || session.words !== spoken) return;
    stage ??= new ArmStage(words);
    const { arm } = examined;
    const follow = (q: ArrayLike<number>) => {
      stage?.view?.pose(q);
      torques?.pose(q);
    };
    const sliders = new Sliders(arm, words, (q) => {
      isMoving = true;
      session.pose = [...q];
      isMoving = false;
      follow(q);
    });
    moved = (q) => {
      sliders.set(q);
      follow(q);
    };
    sliders.set(session.pose);
    const names = arm.assumed.join(", "), assumed = names && make("p", { class: "note" }, filled(words.assumed, { names }));
    stage.setArm(arm, session.pose);
    stage.view?.highlight(session.lit);
    shownArm.replaceChildren(stage.element, make("div", {}, sliders.element, held, assumed));
    void weigh(examined);
  }

  /** Shows the torques, whose module the build wrote for the robots that ship. */
  async function weigh(examined: Examined): Promise<void> {
    torques?.dispose();
    torques = null;
    held.replaceChildren();
    const { robot, prepared } = session;
    try {
      const { module } = prepared?.torques ?? (await session.python.ask("torques", { robot }, { topic: "torques" }));
      if (shown !== examined || session.words !== spoken) return;
      torques = new Torques(examined.arm, module, words);
    } catch {
      return; // another question has taken its place; the arm stands without them
    }
    held.replaceChildren(torques.element);
    torques.pose(session.pose);
  }

  session.on("examined", () => void draw());
  session.on("view", () => void draw());
  session.on("pose", () => !isMoving && moved?.(session.pose));
  session.on("lit", () => stage?.view?.highlight(session.lit));
  return view;
}
