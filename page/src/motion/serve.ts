// Runs a motion in a worker of its own, whose text is the generated module and a call of `serve`.
import type { Vector } from "../arm/kinematics.ts";
import type { Moving } from "../messages.ts";
import type { Limit } from "./limits.ts";
import { EVERY, Simulation, type Start, STEP } from "./simulation.ts";

const BEAT = 8; // ms between looks at the clock
const LONGEST = 60; // ms of the clock that are caught up with at once, so that a slow machine runs slower

/** From the page to the worker. `speed` is how many seconds of the motion pass in one second, and 0 stops it; `number` counts the starts. */
export type Order =
  | { kind: "start"; start: Start; number: number }
  | { kind: "run"; speed: number }
  | { kind: "set"; damping: number[]; gains: number[]; limits: boolean }
  | { kind: "take"; link: number; point: Vector }
  | { kind: "pull"; target: Vector }
  | { kind: "release" };
/** From the worker to the page: samples in rows, of the start with that number; `lost` if numbers are not finite. */
export type Report =
  | { kind: "samples"; number: number; rows: Float64Array; horizon: number; lost: boolean; reached: Limit | null }
  | { kind: "failed"; text: string };

/** What `serve` needs of a worker's global object. */
export interface Site {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(report: Report, transfer?: Transferable[]): void;
}

export function serve(moving: Moving, site: Site = self as unknown as Site): void {
  let simulation: Simulation | null = null, number = 0, speed = 0, owed = 0, before = 0, lost = false;

  function beat(): void {
    const now = performance.now();
    owed += (Math.min(LONGEST, now - before) / 1000) * speed;
    before = now;
    if (!simulation || speed === 0 || lost || simulation.reached) return;
    const samples = Math.floor(owed / (EVERY * STEP));
    owed -= samples * EVERY * STEP;
    if (samples > 0) report(samples, now + LONGEST);
  }

  /** Goes on by some samples, or fewer where they take too long, and tells them. */
  function report(samples: number, until: number): void {
    const { width } = simulation!, rows = new Float64Array(samples * width);
    let k = 0;
    while (k < samples && !lost && !simulation!.reached && performance.now() < until) {
      lost = !simulation!.advance();
      if (!lost) simulation!.sample(rows, k++ * width);
    }
    tell(rows.slice(0, k * width));
  }

  function tell(rows: Float64Array): void {
    const { horizon, reached } = simulation!;
    site.postMessage({ kind: "samples", number, rows, horizon, lost, reached }, [rows.buffer]);
  }

  function begin(start: Start, count: number): void {
    number = count;
    simulation = new Simulation(moving, start);
    [lost, owed, before] = [false, 0, performance.now()];
    const rows = new Float64Array(simulation.width);
    simulation.sample(rows, 0);
    tell(rows);
  }

  site.onmessage = ({ data }) => {
    if (data.kind === "start") begin(data.start, data.number);
    else if (data.kind === "run") [speed, before] = [data.speed, performance.now()];
    else if (data.kind === "set") simulation?.set(data.damping, data.gains, data.limits);
    else if (data.kind === "take") simulation?.take(data.link, data.point);
    else if (data.kind === "pull") simulation?.pull(data.target);
    else simulation?.release();
  };
  setInterval(beat, BEAT);
}
