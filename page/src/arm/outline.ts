// The lines along which an arm's links run, its extent, and the plane of its motion: what its solids are made from.
import type { DrawnArm, DrawnLink } from "../messages.ts";
import { apply, cross, distance, dot, inverse, originOf, turned, type Vector, Kinematics } from "./kinematics.ts";

const NEARLY = 1e-9; // of the arm's extent: shorter lines are points
const PARALLEL = 1e-6;

/** A line of a link, or of the base where `link` is −1, in the link's own axes. */
export interface Rod {
  link: number;
  from: Vector;
  to: Vector;
}
/** The joint at which a link moves, in the link's own axes. */
export interface JointPlace {
  link: number;
  point: Vector;
  axis: Vector;
  slides: boolean;
}
export interface Outline {
  /** Length of the arm when it is stretched [m]. */
  reach: number;
  rods: Rod[];
  joints: JointPlace[];
  /** The unit normal of the plane in which every point moves, or null. */
  normal: Vector | null;
  /** The direction against gravity; z where there is none. */
  up: Vector;
}

export function outlined(arm: DrawnArm): Outline {
  const joints = arm.links.flatMap((link, k) => (link.coordinate === null ? [] : [jointOf(link, k)]));
  const length = lines(arm, 0).reduce((sum, rod) => sum + distance(rod.from, rod.to), 0);
  const rails = railsOf(arm, 0.4 * length || 1);
  const reach = length + rails.reduce((sum, rail) => sum + 0.5 * distance(rail.from, rail.to), 0) || 1;
  return { reach, rods: [...lines(arm, NEARLY * reach), ...rails], joints, normal: planeOf(arm), up: upOf(arm) };
}

/** Returns the rails on which links slide, as long as their limits; without limits they have some length. */
function railsOf(arm: DrawnArm, some: number): Rod[] {
  return arm.links.flatMap((link) => {
    if (link.type !== "slides" || link.coordinate === null) return [];
    const [low, high] = arm.coordinates[link.coordinate]!.limits ?? [0, some];
    const axis = turned(link.placement, link.axis as Vector), at = originOf(link.placement);
    const end = (way: number) => at.map((x, i) => x + axis[i]! * way) as Vector;
    return [{ link: link.parent, from: end(Math.min(0, low)), to: end(Math.max(high, low + 1e-3 * some)) }];
  });
}

function jointOf(link: DrawnLink, k: number): JointPlace {
  const offset = inverse(link.offset);
  return { link: k, point: originOf(offset), axis: turned(offset, link.axis as Vector), slides: link.type === "slides" };
}

/** Returns the lines of all links: from the joint to the frame, from there to the joints and the tool that it carries. */
function lines(arm: DrawnArm, shortest: number): Rod[] {
  const rods: Rod[] = [];
  const zero: Vector = [0, 0, 0];
  for (let k = -1; k < arm.links.length; k++) {
    const link = arm.links[k];
    const ends = arm.links.filter((child) => child.parent === k).map((child) => toJoint(child));
    if (arm.tool.link === k) ends.push([zero, originOf(arm.tool.pose)]);
    const own = link ? toFrame(link) : [zero];
    // a frame that lies beside the line of its link, as at a centre of mass, is no corner of it
    const beside = own.length === 2 && ends.length > 0;
    for (const path of beside ? ends.map((end) => [own[0]!, ...end.slice(1)]) : [own, ...ends])
      path.slice(1).forEach((to, i) => {
        const from = path[i]!;
        if (distance(from, to) > shortest) rods.push({ link: k, from, to });
      });
  }
  return rods;
}

/** Returns the line from a link's joint to its frame, along d and then a where the frame is a standard one. */
function toFrame(link: DrawnLink): Vector[] {
  const { point, axis } = jointOf(link, 0);
  const along = -dot(point, axis);
  const corner: Vector = [point[0] + axis[0] * along, point[1] + axis[1] * along, point[2] + axis[2] * along];
  const standard = Math.hypot(corner[1], corner[2]) <= NEARLY * Math.hypot(...point);
  return standard ? [point, corner, [0, 0, 0]] : [point, [0, 0, 0]];
}

/** Returns the line from a frame to a joint on its link, along a and then d where the row is a modified one. */
function toJoint(child: DrawnLink): Vector[] {
  const point = originOf(child.placement), axis = turned(child.placement, child.axis as Vector);
  const rest: Vector = [0, point[1], point[2]];
  const modified = Math.hypot(...cross(rest, axis)) <= NEARLY * Math.hypot(...point);
  return modified ? [[0, 0, 0], [point[0], 0, 0], point] : [[0, 0, 0], point];
}

function upOf(arm: DrawnArm): Vector {
  const [x, y, z] = arm.gravity as Vector, strength = Math.hypot(x, y, z);
  return strength > 0 ? [-x / strength, -y / strength, -z / strength] : [0, 0, 1];
}

/** Returns the normal of the plane of motion: all joints turn about parallel axes, and slide across them. */
function planeOf(arm: DrawnArm): Vector | null {
  const at = new Kinematics(arm);
  const axes = (type: string) =>
    arm.links.flatMap((link, k) => (link.type === type ? [turned(at.joints[k]!, link.axis as Vector)] : []));
  const turning = axes("turns"), sliding = axes("slides");
  const normal = turning[0] ?? (sliding.length === 2 ? unit(cross(sliding[0]!, sliding[1]!)) : null);
  if (!normal) return null;
  const parallel = turning.every((axis) => Math.hypot(...cross(axis, normal)) < PARALLEL);
  const across = sliding.every((axis) => Math.abs(dot(axis, normal)) < PARALLEL);
  return parallel && across ? normal : null;
}

function unit(vector: Vector): Vector | null {
  const length = Math.hypot(...vector);
  return length > PARALLEL ? [vector[0] / length, vector[1] / length, vector[2] / length] : null;
}

/** Returns the side of the grid's cells [m]: the largest of 1, 2 and 5 times powers of ten below a quarter of the reach. */
export function cellOf(reach: number): number {
  const most = reach / 4, exponent = Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((each) => each * 10 ** exponent <= most) ?? 1;
  return Number(`${step}e${exponent}`);
}

/** Returns the points that a view of an arm in some configurations must contain. */
export function pointsOf(kinematics: Kinematics, outline: Outline): Vector[] {
  const ends = outline.rods.flatMap(({ link, from, to }) => {
    const frame = kinematics.links[link];
    return frame ? [apply(frame, from), apply(frame, to)] : [from, to];
  });
  return [[0, 0, 0], ...ends];
}
