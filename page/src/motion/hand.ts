// A hand that pulls at a point of a link as a damped spring does, as stiff as the arm is heavy there.
import { apply, Kinematics, type Vector } from "../arm/kinematics.ts";
import type { DrawnArm, Moving } from "../messages.ts";

const FREQUENCY = 12; // at which the arm swings on the spring [rad/s]
const DAMPING = 0.8; // as a part of critical damping
const FRESH = 20; // steps after which the arm's mass at the point is computed anew
const SHORT = 1e-6; // a step in which the arm hardly moves, while a torque changes its rates [s]
const AXES: Vector[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export class Hand {
  private readonly kinematics: Kinematics;
  private readonly moving: Moving;
  private readonly n: number;
  private readonly tau: Float64Array;
  private held: { link: number; point: Vector; target: Vector; before: Vector | null; mass: number; steps: number } | null = null;

  constructor(arm: DrawnArm, moving: Moving) {
    this.kinematics = new Kinematics(arm);
    this.moving = moving;
    this.n = arm.coordinates.length;
    this.tau = new Float64Array(this.n);
  }

  get holds(): boolean {
    return this.held !== null;
  }

  /** Takes a point of a link, in the link's own axes. */
  take(link: number, point: Vector): void {
    this.held = { link, point, target: point, before: null, mass: 0, steps: 0 };
    this.held.target = apply(this.kinematics.links[link]!, point);
  }

  /** Pulls towards a point in the base's axes. */
  pull(target: Vector): void {
    if (this.held) this.held.target = target;
  }

  release(): void {
    this.held = null;
  }

  /** Writes the torques of the hand into the parameters for the next step of `h` seconds. */
  push(t: number, x: Float64Array, p: Float64Array, h: number): void {
    const torques = p.subarray(this.n, 2 * this.n), held = this.held;
    if (!held) {
      torques.fill(0);
      return;
    }
    const at = apply(this.kinematics.place(x).links[held.link]!, held.point);
    if (held.steps++ % FRESH === 0) held.mass = this.mass(t, x, p, held.link, at);
    const before = held.before ?? at;
    const force = at.map((place, i) => {
      const speed = (place - before[i]!) / h;
      return held.mass * FREQUENCY * (FREQUENCY * (held.target[i]! - place) - 2 * DAMPING * speed);
    }) as Vector;
    held.before = at;
    this.kinematics.torques(held.link, at, force, torques);
  }

  /** Returns the least mass that the arm has at a point [kg]: 1 / trace(J M⁻¹ Jᵀ). */
  private mass(t: number, x: Float64Array, p: Float64Array, link: number, at: Vector): number {
    const pushed = p.slice(), still = x.slice(), moved = x.slice();
    pushed.fill(0, this.n, 2 * this.n);
    this.moving.step(t, SHORT, still, pushed);
    let mobility = 0;
    for (const axis of AXES) {
      pushed.set(this.kinematics.torques(link, at, axis, this.tau), this.n);
      moved.set(x);
      this.moving.step(t, SHORT, moved, pushed);
      for (let i = 0; i < this.n; i++) mobility += (this.tau[i]! * (moved[this.n + i]! - still[this.n + i]!)) / SHORT;
    }
    return mobility > 0 ? 1 / mobility : 0;
  }
}
