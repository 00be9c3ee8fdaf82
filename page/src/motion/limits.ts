// Joint limits end a motion: which one a state is beyond, and how far into a step it is reached.
import type { DrawnArm } from "../messages.ts";

export interface Limit {
  /** Place of the joint's coordinate. */
  joint: number;
  upper: boolean;
  /** The coordinate there [rad or m]. */
  at: number;
}

export function limitsOf(arm: DrawnArm): Limit[] {
  return arm.coordinates.flatMap(({ limits }, joint) =>
    limits ? [{ joint, upper: false, at: limits[0] }, { joint, upper: true, at: limits[1] }] : [],
  );
}

/** Returns the first of some limits that a state is beyond, or null. */
export function beyond(limits: readonly Limit[], x: ArrayLike<number>): Limit | null {
  for (const limit of limits) if (limit.upper ? x[limit.joint]! > limit.at : x[limit.joint]! < limit.at) return limit;
  return null;
}

/** Returns the length of a step of at most `h` seconds at whose end a limit is reached, by bisection; `after` tries one. */
export function lengthTo(limits: readonly Limit[], h: number, after: (length: number) => ArrayLike<number>): number {
  let within = 0, outside = h;
  for (let middle = h / 2; within < middle && middle < outside; middle = (within + outside) / 2) {
    if (beyond(limits, after(middle))) outside = middle;
    else within = middle;
  }
  return outside;
}
