// The way that a tool has taken through samples of a motion.
import type { Kinematics } from "./kinematics.ts";

/** Samples of coordinates: those of sample k are the elements of `rows` from `first` on. */
export interface Placed {
  places(k: number): { rows: ArrayLike<number>; first: number };
}

/** Returns the tool's points from one sample to another, the last one among them; of `stride` samples one is taken. */
export function wayOf(kinematics: Kinematics, samples: Placed, from: number, to: number, stride: number): Float32Array {
  const count = Math.floor((to - from) / stride) + 1, points = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const { rows, first } = samples.places(to - (count - 1 - i) * stride);
    const tool = kinematics.place(rows, first).tool();
    points.set([tool[3]!, tool[7]!, tool[11]!], 3 * i);
  }
  return points;
}
