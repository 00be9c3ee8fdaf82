// Plays a run whose samples are all there; between two of them the arm moves on a straight line.
import { Kinematics } from "../arm/kinematics.ts";
import type { ArmView } from "../arm/view.ts";
import { wayOf } from "../arm/way.ts";
import type { DrawnArm } from "../messages.ts";

const TRAIL = 3; // seconds of the tool's way that are drawn
const POINTS = 150; // of it

/** Samples of a run: rising times [s], and the coordinates of one sample after another. */
export class Samples {
  readonly times: Float64Array;
  readonly n: number;
  private readonly rows: Float64Array;

  constructor(times: Float64Array, rows: Float64Array) {
    this.times = times;
    this.rows = rows;
    this.n = rows.length / times.length;
  }

  get duration(): number {
    return this.times.at(-1)!;
  }

  places(k: number): { rows: Float64Array; first: number } {
    return { rows: this.rows, first: k * this.n };
  }

  /** Returns the last sample that is not later than a time. */
  before(time: number): number {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the coordinates at a time within the run. */
  at(time: number): Float64Array {
    const k = this.before(time), next = Math.min(k + 1, this.times.length - 1), span = this.times[next]! - this.times[k]!;
    const part = span > 0 ? (time - this.times[k]!) / span : 0;
    const q = (sample: number, i: number) => this.rows[sample * this.n + i]!;
    return Float64Array.from({ length: this.n }, (_, i) => (1 - part) * q(k, i) + part * q(next, i));
  }
}

export class Playback {
  time = 0;
  running = false;
  /** How many seconds of the run are shown in one second. */
  speed = 1;
  readonly samples: Samples;
  private readonly view: ArmView | null;
  private readonly kinematics: Kinematics;
  private readonly changed: () => void;
  private waiting = 0;

  /** `changed` is called when it runs or rests, or shows another time. */
  constructor(view: ArmView | null, arm: DrawnArm, samples: Samples, changed: () => void) {
    this.view = view;
    this.samples = samples;
    this.kinematics = new Kinematics(arm);
    this.changed = changed;
  }

  /** Goes on, from the start where the end is shown. */
  run(): void {
    if (this.time >= this.samples.duration) this.time = 0;
    this.running = true;
    this.view?.hurry(true);
    this.step(performance.now());
    this.changed();
  }

  pause(): void {
    this.running = false;
    this.view?.hurry(false);
    cancelAnimationFrame(this.waiting);
    this.changed();
  }

  seek(time: number): void {
    this.time = Math.min(this.samples.duration, Math.max(0, time));
    this.pause();
    this.draw();
  }

  dispose(): void {
    cancelAnimationFrame(this.waiting);
  }

  private step(before: number): void {
    this.waiting = requestAnimationFrame((now) => {
      this.time = Math.min(this.samples.duration, this.time + (Math.max(0, now - before) / 1000) * this.speed);
      this.draw();
      if (this.time < this.samples.duration) this.step(now);
      else this.pause();
      this.changed();
    });
  }

  private draw(): void {
    if (!this.view) return;
    const { samples } = this, from = samples.before(this.time - TRAIL), to = samples.before(this.time);
    this.view.pose(samples.at(this.time));
    this.view.setPath(wayOf(this.kinematics, samples, from, to, Math.max(1, Math.ceil((to - from) / POINTS))));
  }
}
