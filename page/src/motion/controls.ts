// What plays a motion: run and pause, from the start, its speed, a slider through its time, and the clock.
import type { MotionWords } from "../languages/words.ts";
import { button, choice, make } from "../shell/dom.ts";

const SPEEDS: [string, string][] = [["1", "1×"], ["0.5", "½×"], ["0.25", "¼×"], ["0.1", "⅒×"], ["2", "2×"]];
const STEPS = 1000;

/** What plays; times are in seconds. */
export interface Playing {
  toggle(): void;
  again(): void;
  setSpeed(speed: number): void;
  seek(time: number): void;
}

export class Controls {
  readonly element: HTMLElement;
  private readonly words: MotionWords;
  private readonly runs: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly clock = make("output");
  private duration = 0;

  constructor(words: MotionWords, playing: Playing) {
    this.words = words;
    this.runs = button(words.run, () => playing.toggle(), { class: "main", "data-do": "run" });
    this.scrub = make("input", { class: "scrub", type: "range", min: 0, max: STEPS, step: 1, value: 0, "aria-label": words.time });
    this.scrub.addEventListener("input", () => playing.seek((Number(this.scrub.value) * this.duration) / STEPS));
    this.element = make("div", { class: "controls" },
      this.runs,
      button(words.again, () => playing.again()),
      choice(words.speed, SPEEDS, "1", (speed) => playing.setSpeed(Number(speed))),
      this.scrub, this.clock);
  }

  /** Shows whether it runs, and whether it can. */
  setRunning(running: boolean, able: boolean): void {
    this.runs.textContent = running ? this.words.pause : this.words.run;
    this.runs.disabled = !able;
  }

  setTime(time: number, duration: number): void {
    this.duration = duration;
    this.clock.textContent = `${time.toFixed(2)} s`;
    this.scrub.value = String(duration ? Math.round((STEPS * time) / duration) : 0);
    this.scrub.setAttribute("aria-valuetext", this.clock.textContent);
  }
}
