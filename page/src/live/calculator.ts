// Computes numbers of a state by a module that Python wrote, as fast as somebody moves a slider.
import { Written } from "../python/written.ts";

type State = readonly ArrayLike<number>[];

export class Calculator {
  private readonly written: Written<State, Float64Array>;
  private isBusy = false;
  private next: State | null = null;

  /**
   * `heard` takes the values of the last state that was asked for; states in between may be left out.
   * It hears those of an earlier one, too, though a later one waits: else a busy machine would show none as long as the arm moves.
   */
  constructor(module: string, heard: (values: Float64Array) => void) {
    const text = `${module}\nonmessage = ({ data }) => postMessage(values(...data));\n`;
    const answered = (values: Float64Array) => {
      this.isBusy = false;
      if (this.next) this.compute(...this.next);
      heard(values);
    };
    this.written = new Written(text, "numbers", answered, (why) => console.error(why));
  }

  compute(...state: State): void {
    this.next = this.isBusy ? state : null;
    if (this.isBusy) return;
    this.isBusy = true;
    this.written.order(state);
  }

  dispose(): void {
    this.written.dispose();
  }
}
