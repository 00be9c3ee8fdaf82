// The view of an arm with what switches its marks on and off; without 3-D graphics a sentence stands in its place.
import type { ArmWords } from "../languages/words.ts";
import type { DrawnArm } from "../messages.ts";
import { box, make } from "../shell/dom.ts";
import { isDark, onTheme } from "./theme.ts";
import { MARKS } from "./marks.ts";
import { ArmView } from "./view.ts";

export class ArmStage {
  readonly element: HTMLElement;
  /** Null where the browser has no WebGL. */
  readonly view: ArmView | null;
  private readonly switches = make("div", { class: "switches" });
  private readonly words: ArmWords;
  private readonly ended: () => void;

  constructor(words: ArmWords) {
    this.words = words;
    const canvas = make("canvas", { class: "arm", tabindex: 0, role: "img", "aria-label": words.view });
    let view: ArmView | null = null;
    try {
      view = new ArmView(canvas, isDark());
    } catch {
      // three.js says no more than that there is no context
    }
    this.view = view;
    this.element = make("div", { class: "stage" }, view ? canvas : make("p", { class: "note" }, words.noWebGL), this.switches);
    const ended = onTheme((dark) => view?.setDark(dark)), paper = make("img", { class: "on-paper", alt: words.view });
    const printed = () => {
      if (!view || !canvas.isConnected) return;
      view.setDark(false);
      paper.src = view.pictureNow();
      view.setDark(isDark());
      canvas.after(paper);
    };
    window.addEventListener("beforeprint", printed); // paper shows no canvas of WebGL
    this.ended = () => {
      ended();
      window.removeEventListener("beforeprint", printed);
    };
  }

  setArm(arm: DrawnArm, q?: ArrayLike<number>): void {
    const { view, words } = this;
    if (!view) return;
    view.setArm(arm, q);
    const boxes = MARKS.map((mark) => box(words.marks[mark], view.isShown(mark), (on) => view.show(mark, on)));
    if (view.isPlanar) boxes.push(box(words.flat, view.isFlat, (on) => view.setFlat(on)));
    this.switches.replaceChildren(...boxes);
  }

  dispose(): void {
    this.ended();
    this.view?.dispose();
  }
}
