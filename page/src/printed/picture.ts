// A picture of an arm for paper: light, of some size, whatever the screen shows.
import type { DrawnArm } from "../messages.ts";
import { make } from "../shell/dom.ts";

/** Returns the picture; it is drawn on a canvas that stands in `place` for that moment. */
export async function pictureOf(arm: DrawnArm, q: ArrayLike<number>, place: HTMLElement): Promise<HTMLElement> {
  const { ArmView } = await import("../widget.ts");
  const canvas = make("canvas", { class: "arm on-paper" });
  place.append(canvas);
  const view = new ArmView(canvas, false);
  try {
    view.setArm(arm, q);
    return make("img", { src: view.pictureNow(), alt: "" });
  } finally {
    view.dispose();
    canvas.remove();
  }
}
