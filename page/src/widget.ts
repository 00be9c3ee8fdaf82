// The drawn arm as one module: a notebook takes the widget from it, the page its view and its sliders. What comes from
// a notebook is data alone.
import armStyle from "./arm/arm.css";
import { Sliders } from "./arm/sliders.ts";
import { ArmStage } from "./arm/stage.ts";
import { ArmView } from "./arm/view.ts";
import { isDark, onTheme } from "./arm/theme.ts";
import colours from "./colours.css";
import controlStyle from "./controls.css";
import type { Words } from "./languages/words.ts";
import { filled, wordsOf } from "./languages/words.ts";
import type { DrawnArm } from "./messages.ts";
import { Controls } from "./motion/controls.ts";
import { Playback, Samples } from "./motion/playback.ts";
import { make } from "./shell/dom.ts";
import ownStyle from "./widget.css";

export { ArmStage, ArmView, Sliders };

/** What Python hands over; `times` and `samples` have the doubles of a run, or nothing. */
interface Handed {
  arm: DrawnArm;
  lang: string;
  q: number[];
  times: DataView;
  samples: DataView;
  /** Why the run ended early, or "". */
  stopped: string;
}

/** A notebook's side of the widget, as anywidget has it. */
interface Model {
  get<K extends keyof Handed>(name: K): Handed[K];
  set<K extends keyof Handed>(name: K, value: Handed[K]): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
}

/** Shows an arm with its sliders, or a run with what plays it; returns a function that ends this. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = el.attachShadow({ mode: "open" }), arm = model.get("arm"), words = wordsOf(model.get("lang"));
  const shade = (dark: boolean) => (el.style.colorScheme = dark ? "dark" : "light");
  const stage = new ArmStage(words.arm), shown = make("div", { class: "with-arm" }, stage.element), times = doubles(model.get("times"));
  root.append(make("style", {}, colours, controlStyle, armStyle, ownStyle), shown);
  shade(isDark());
  stage.setArm(arm, model.get("q"));
  const names = arm.assumed.join(", "), notes = [names && filled(words.arm.assumed, { names }), model.get("stopped")];
  const played = times.length > 0;
  const end = played ? play(stage, new Samples(times, doubles(model.get("samples"))), arm, words) : slide(stage, model, arm, words, shown);
  stage.element.append(...notes.filter(Boolean).map((note) => make("p", { class: "note" }, note)));
  const ended = onTheme(shade);
  return () => {
    end();
    ended();
    stage.dispose();
  };
}

/** Sets sliders beside the arm; what they say goes to Python, and what Python says to them. */
function slide(stage: ArmStage, model: Model, arm: DrawnArm, words: Words, shown: HTMLElement): () => void {
  const sliders = new Sliders(arm, words.arm, (q) => {
    stage.view?.pose(q);
    model.set("q", [...q]);
    model.save_changes();
  });
  const heard = () => {
    sliders.set(model.get("q"));
    stage.view?.pose(sliders.q);
  };
  heard();
  model.on("change:q", heard);
  shown.append(sliders.element);
  return () => model.off("change:q", heard);
}

function play(stage: ArmStage, samples: Samples, arm: DrawnArm, words: Words): () => void {
  const playback = new Playback(stage.view, arm, samples, () => show());
  const controls = new Controls(words.motion, {
    toggle: () => (playback.running ? playback.pause() : playback.run()),
    again: () => playback.seek(0),
    setSpeed: (speed) => (playback.speed = speed),
    seek: (time) => playback.seek(time),
  });
  function show(): void {
    controls.setRunning(playback.running, true);
    controls.setTime(playback.time, samples.duration);
  }
  stage.element.append(controls.element);
  playback.seek(0);
  return () => playback.dispose();
}

/** Returns the numbers of a buffer, which may begin anywhere in another one. */
function doubles(view: DataView): Float64Array {
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer);
}

export default { render };
