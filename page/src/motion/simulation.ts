// Arms in motion: one with its ledger, a shadow at half the step that says how far to trust it, and others near by.
import type { Vector } from "../arm/kinematics.ts";
import type { DrawnArm, Moving } from "../messages.ts";
import { Hand } from "./hand.ts";
import { beyond, lengthTo, type Limit, limitsOf } from "./limits.ts";

/** Seconds of a step: 1 kHz. */
export const STEP = 1e-3;
/** Steps from one sample to the next. */
export const EVERY = 10;
/** The largest change of a coordinate by halving the step for which the motion is reliable [rad or m]. */
export const WITHIN = 0.01;

/** What a motion starts from. */
export interface Start {
  arm: DrawnArm;
  /** How many numbers a state has: coordinates, rates, accounts. */
  size: number;
  q: number[];
  qd: number[];
  /** Of each joint [N m s/rad or N s/m]. */
  damping: number[];
  /** The target and the gains of a computed torque, or nothing. */
  gains: number[];
  /** How many arms there are: the first coordinate of each starts `hair` above that of the arm before. */
  arms: number;
  hair: number;
  /** Whether an arm stops where it reaches a limit of a joint. */
  limits: boolean;
}

export class Simulation {
  /** The time until which the motion is reliable [s]; Infinity as long as there is no doubt. */
  horizon = Infinity;
  /** The limit at which the first arm stopped, or beyond which it began; the motion has ended then. */
  reached: Limit | null = null;
  private readonly n: number;
  private readonly size: number;
  private readonly moving: Moving;
  private readonly hand: Hand;
  private readonly states: Float64Array[];
  private readonly shadow: Float64Array;
  private readonly parameters: Float64Array;
  private readonly alone: Float64Array;
  private readonly tau: Float64Array;
  private readonly K = new Float64Array(1);
  private readonly P = new Float64Array(1);
  private readonly before: Float64Array;
  private readonly all: readonly Limit[];
  private limits: readonly Limit[];
  /** Of the arms those that stopped. */
  private readonly stopped = new Set<number>();
  private steps = 0;
  private rest = 0;

  constructor(moving: Moving, start: Start) {
    this.n = start.arm.coordinates.length;
    this.size = start.size;
    this.moving = moving;
    this.hand = new Hand(start.arm, moving);
    this.states = Array.from({ length: Math.max(1, start.arms) }, (_, k) => {
      const x = new Float64Array(start.size);
      x.set(start.q);
      x.set(start.qd, this.n);
      x[0]! += k * start.hair;
      return x;
    });
    this.shadow = this.states[0]!.slice();
    this.parameters = Float64Array.from([...start.damping, ...start.q.map(() => 0), ...start.gains]);
    // nobody pulls at the other arms
    this.alone = this.parameters.slice();
    this.tau = new Float64Array(this.n);
    this.before = new Float64Array(start.size);
    this.all = limitsOf(start.arm);
    this.limits = start.limits ? this.all : [];
    this.states.forEach((x, k) => this.noteStop(k, beyond(this.limits, x)));
  }

  get time(): number {
    return this.steps * STEP + this.rest;
  }

  /** Returns how many numbers a sample has: time, the first arm's state, K, P, torques, the others' coordinates. */
  get width(): number {
    return 1 + this.size + 2 + this.n + (this.states.length - 1) * this.n;
  }

  take(link: number, point: Vector): void {
    this.hand.take(link, point);
  }

  pull(target: Vector): void {
    this.hand.pull(target);
  }

  release(): void {
    this.hand.release();
  }

  /** Changes damping, gains, and whether limits count, while the arm moves. */
  set(damping: number[], gains: number[], limits: boolean): void {
    this.limits = limits ? this.all : [];
    for (const parameters of [this.parameters, this.alone]) {
      parameters.set(damping);
      parameters.set(gains, 2 * this.n);
    }
  }

  /** Goes on to the next sample. Returns whether all numbers are still finite. */
  advance(): boolean {
    for (let k = 0; k < EVERY && !this.reached; k++) this.step();
    if (this.horizon === Infinity && this.isApart()) this.horizon = this.time - EVERY * STEP;
    return this.states.every((x) => x.every(Number.isFinite));
  }

  /** Moves all arms on by a step, or to where the first one reaches a limit. */
  private step(): void {
    const { moving, states, shadow, parameters, time: t } = this;
    this.hand.push(t, states[0]!, parameters, STEP);
    const h = this.move(0, parameters, STEP);
    moving.step(t, h / 2, shadow, parameters);
    moving.step(t + h / 2, h / 2, shadow, parameters);
    for (let k = 1; k < states.length; k++) if (!this.stopped.has(k)) this.move(k, this.alone, h);
    if (this.reached) this.rest = h;
    else this.steps++;
  }

  /** Moves an arm on by `h` seconds, or to where it reaches a limit; returns how long that takes. */
  private move(arm: number, parameters: Float64Array, h: number): number {
    const { moving, limits, before, time: t } = this, x = this.states[arm]!;
    if (!limits.length) {
      moving.step(t, h, x, parameters);
      return h;
    }
    before.set(x);
    const after = (length: number) => {
      x.set(before);
      moving.step(t, length, x, parameters);
      return x;
    };
    if (!beyond(limits, after(h))) return h;
    const length = lengthTo(limits, h, after);
    this.noteStop(arm, beyond(limits, after(length)));
    return length;
  }

  private noteStop(arm: number, limit: Limit | null): void {
    if (limit) this.stopped.add(arm);
    if (arm === 0) this.reached = limit;
  }

  /** Writes the sample of this moment into `out`, from the element `from` on. */
  sample(out: Float64Array, from: number): void {
    const { n, parameters, tau, K, P } = this, x = this.states[0]!;
    this.moving.observe(x, Float64Array.of(this.time), parameters, tau, K, P);
    const motors = tau.map((torque, i) => torque - parameters[n + i]!);
    out.set([this.time, ...x, K[0]!, P[0]!, ...motors], from);
    const others = from + 1 + this.size + 2 + n;
    for (let k = 1; k < this.states.length; k++) out.set(this.states[k]!.subarray(0, n), others + (k - 1) * n);
  }

  private isApart(): boolean {
    const x = this.states[0]!;
    for (let i = 0; i < this.n; i++) if (!(Math.abs(x[i]! - this.shadow[i]!) <= WITHIN)) return true;
    return false;
  }
}
