// A slider with its name and its value in words.
import { make } from "../shell/dom.ts";

const STEPS = 1000;

export class SliderRow {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly said = make("output");
  private readonly text: (value: number) => string;

  /** `moved` is called with the value when somebody moves it. */
  constructor(name: string, [min, max]: [number, number], text: (value: number) => string, moved: (value: number) => void, joint?: number) {
    this.text = text;
    this.input = make("input", { type: "range", min, max, step: (max - min) / STEPS, "data-joint": joint });
    this.input.addEventListener("input", () => {
      // a browser rounds the end of a slider, and a motion cannot begin beyond a limit
      const value = Math.min(max, Math.max(min, Number(this.input.value)));
      this.say(value);
      moved(value);
    });
    this.element = make("label", { class: "slider" }, make("span", {}, name), this.input, this.said);
  }

  /** Shows a value that came from elsewhere. */
  set(value: number): void {
    this.input.value = String(value);
    this.say(value);
  }

  private say(value: number): void {
    const text = this.text(value);
    this.said.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}
