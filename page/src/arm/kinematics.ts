// Where the links of an arm are, in plain numbers: what the view, the hand and the tool's pose start from.
import type { DrawnArm, DrawnLink } from "../messages.ts";

/** A frame in another: twelve numbers, the rows of the rotation, each followed by its entry of the translation. */
export type Frame = Float64Array;
export type Vector = [number, number, number];

export const STILL: Frame = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** Writes the product a · b of two frames into `out`, which may be neither. */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Frame): Frame {
  for (let i = 0; i < 12; i += 4) {
    const x = a[i]!, y = a[i + 1]!, z = a[i + 2]!;
    for (let j = 0; j < 4; j++) out[i + j] = x * b[j]! + y * b[4 + j]! + z * b[8 + j]!;
    out[i + 3]! += a[i + 3]!;
  }
  return out;
}

/** Returns a point of a frame in the frame that it stands in. */
export function apply(frame: ArrayLike<number>, [x, y, z]: Vector): Vector {
  const at = (i: number) => frame[i]! * x + frame[i + 1]! * y + frame[i + 2]! * z + frame[i + 3]!;
  return [at(0), at(4), at(8)];
}

/** Returns a direction of a frame in the frame that it stands in. */
export function turned(frame: ArrayLike<number>, [x, y, z]: Vector): Vector {
  const at = (i: number) => frame[i]! * x + frame[i + 1]! * y + frame[i + 2]! * z;
  return [at(0), at(4), at(8)];
}

export function inverse(frame: ArrayLike<number>): Frame {
  const f = (i: number) => frame[i]!;
  const R = [f(0), f(4), f(8), f(1), f(5), f(9), f(2), f(6), f(10)];
  const p = [f(3), f(7), f(11)];
  const step = (i: number) => -(R[i]! * p[0]! + R[i + 1]! * p[1]! + R[i + 2]! * p[2]!);
  return Float64Array.of(
    R[0]!, R[1]!, R[2]!, step(0),
    R[3]!, R[4]!, R[5]!, step(3),
    R[6]!, R[7]!, R[8]!, step(6),
  );
}

/** Writes the motion of a joint into `out`: a turn about its axis by an angle, or a step along it. */
function moved(link: DrawnLink, way: number, out: Frame): Frame {
  const [x, y, z] = link.axis as Vector;
  if (link.type === "slides") {
    out.set(STILL);
    out[3] = x * way;
    out[7] = y * way;
    out[11] = z * way;
    return out;
  }
  // Rodrigues' formula
  const c = Math.cos(way), s = Math.sin(way), v = 1 - c;
  out[0] = c + x * x * v;
  out[1] = x * y * v - z * s;
  out[2] = x * z * v + y * s;
  out[4] = x * y * v + z * s;
  out[5] = c + y * y * v;
  out[6] = y * z * v - x * s;
  out[8] = x * z * v - y * s;
  out[9] = y * z * v + x * s;
  out[10] = c + z * z * v;
  out[3] = out[7] = out[11] = 0;
  return out;
}

/** The frames of an arm's links and joints in the base frame; `place` moves them. */
export class Kinematics {
  readonly arm: DrawnArm;
  /** Of each link its own frame. */
  readonly links: Frame[];
  /** Of each link its joint's frame before the joint has moved. */
  readonly joints: Frame[];
  private readonly motion = STILL.slice();
  private readonly between = STILL.slice();

  constructor(arm: DrawnArm) {
    this.arm = arm;
    this.links = arm.links.map(() => STILL.slice());
    this.joints = arm.links.map(() => STILL.slice());
    this.place(new Float64Array(arm.coordinates.length));
  }

  /** Moves the arm to a configuration, of which element `from` is the first coordinate. */
  place(q: ArrayLike<number>, from = 0): this {
    this.arm.links.forEach((link, k) => {
      const parent = link.parent < 0 ? STILL : this.links[link.parent]!;
      const joint = multiply(parent, link.placement, this.joints[k]!);
      if (link.coordinate === null) {
        multiply(joint, link.offset, this.links[k]!);
        return;
      }
      moved(link, q[from + link.coordinate]! * link.ratio, this.motion);
      multiply(multiply(joint, this.motion, this.between), link.offset, this.links[k]!);
    });
    return this;
  }

  /** Returns the tool's frame in the base frame. */
  tool(): Frame {
    const { link, pose } = this.arm.tool;
    return multiply(this.links[link]!, pose, STILL.slice());
  }

  /** Returns whether a link is moved by the joint of another, or of itself. */
  isBehind(link: number, joint: number): boolean {
    for (let k = link; k >= 0; k = this.arm.links[k]!.parent) if (k === joint) return true;
    return false;
  }

  /** Writes the torques that a force at a point of a link makes at the joints: τ = Jᵀ f. */
  torques(link: number, point: Vector, force: Vector, out: Float64Array): Float64Array {
    out.fill(0);
    this.arm.links.forEach((each, k) => {
      if (each.coordinate === null || !this.isBehind(link, k)) return;
      const joint = this.joints[k]!, axis = turned(joint, each.axis as Vector);
      const arm: Vector = [point[0] - joint[3]!, point[1] - joint[7]!, point[2] - joint[11]!];
      const felt = each.type === "slides" ? dot(axis, force) : dot(axis, cross(arm, force));
      out[each.coordinate]! += each.ratio * felt;
    });
    return out;
  }
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function distance(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function originOf(frame: ArrayLike<number>): Vector {
  return [frame[3]!, frame[7]!, frame[11]!];
}

/** Returns roll, pitch and yaw [rad] of a frame: R = Rz(yaw) Ry(pitch) Rx(roll). */
export function rollPitchYaw(frame: ArrayLike<number>): Vector {
  const pitch = Math.atan2(-frame[8]!, Math.hypot(frame[0]!, frame[4]!));
  // where the arm points up or down, roll and yaw turn about one line: all of it is yaw
  if (Math.abs(Math.cos(pitch)) < 1e-9) return [0, pitch, Math.atan2(-frame[1]!, frame[5]!)];
  return [Math.atan2(frame[9]!, frame[10]!), pitch, Math.atan2(frame[4]!, frame[0]!)];
}
