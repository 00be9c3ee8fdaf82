// Which cells the table of a robot has: columns by convention, each with the place of its cell in a link.
import type { Description, LinkRow, Place } from "../messages.ts";

export interface Column {
  title: string;
  /** The place within a link. */
  place: Place;
  wide?: boolean;
  choices?: string[];
}

const TYPES = ["revolute", "continuous", "prismatic", "fixed"];
const XYZ = ["x", "y", "z"];
const TENSOR = ["xx", "yy", "zz", "xy", "xz", "yz"];
const OF_SHAPES = ["shape", "axis", "length", "width", "height", "radius", "inner_radius", "density"];

function triple(title: string, ...place: Place): Column[] {
  return XYZ.map((axis, k) => ({ title: `${title} ${axis}`, place: [...place, k] }));
}

function rotation(title: string, ...place: Place): Column[] {
  return [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => ({ title: `${title} ${i + 1}${j + 1}`, place: [...place, i, j] })));
}

const named: Column = { title: "", place: ["name"], wide: true };

/** Where the joints are. */
export function geometry(robot: Description): Column[] {
  const convention = robot.convention ?? "";
  if (convention === "dh") return [named, ...["theta", "d", "a", "alpha"].map((key) => row("dh", key))];
  if (convention === "mdh") return [named, ...["alpha", "a", "d", "theta"].map((key) => row("mdh", key))];
  if (convention === "screws" || convention === "body_screws") {
    const screw = ["ω x", "ω y", "ω z", "v x", "v y", "v z"].map((title, k) => ({ title, place: ["screw", k] as Place }));
    return [named, ...screw, ...pose(robot, "home")];
  }
  return [
    named,
    { title: "parent", place: ["parent"] },
    { title: "type", place: ["joint", "type"], choices: TYPES },
    ...triple("axis", "joint", "axis"),
    ...pose(robot, "joint"),
    ...(robot.link.some((link) => has(link, ["frame"])) ? pose(robot, "frame") : []),
  ];
}

const GREEK: Record<string, string> = { theta: "θ", alpha: "α" };

function row(convention: string, key: string): Column {
  return { title: GREEK[key] ?? key, place: [convention, key], wide: key === "theta" };
}

/** A place, and the angles or the rotation that the description has. */
function pose(robot: Description, key: string): Column[] {
  const turns = robot.link.some((link) => has(link, [key, "rotation"]));
  const rpy = robot.link.some((link) => has(link, [key, "rpy"])) || (!turns && key === "joint");
  return [...triple("p", key, "xyz"), ...(rpy ? triple("rpy", key, "rpy") : []), ...(turns ? rotation("R", key, "rotation") : [])];
}

export function masses(robot: Description): Column[] {
  const moment = robot.link.some((link) => has(link, ["first_moment"]));
  const about = robot.link.some((link) => has(link, ["inertia", "about"]));
  const ofShapes = OF_SHAPES.filter((key) => robot.link.some((link) => has(link, ["inertia", key])));
  const uniform = robot.link.every((link) => has(link, ["inertia", "shape"]) || has(link, ["inertia", "shapes"]));
  return [
    { title: "m", place: ["mass"] },
    ...triple("c", "com"),
    ...(moment ? triple("m c", "first_moment") : []),
    ...(about ? [{ title: "I about", place: ["inertia", "about"], choices: ["com", "origin", "pseudo"] } as Column] : []),
    ...ofShapes.map((key) => ({ title: key, place: ["inertia", key] })),
    ...(uniform ? [] : TENSOR.map((key) => ({ title: `I ${key}`, place: ["inertia", key] }))),
  ];
}

const EFFECTS: [string, Place][] = [
  ["damping", ["joint", "damping"]],
  ["coulomb", ["joint", "coulomb"]],
  ["armature", ["joint", "armature"]],
  ["stiffness", ["joint", "spring", "stiffness"]],
  ["rest", ["joint", "spring", "rest"]],
];

export function effects(): Column[] {
  const limits: Column[] = [
    { title: "lower limit", place: ["joint", "limits", 0] },
    { title: "upper limit", place: ["joint", "limits", 1] },
  ];
  return [...EFFECTS.map(([title, place]) => ({ title, place })), ...limits];
}

export function has(link: LinkRow, place: Place): boolean {
  let part: unknown = link;
  for (const key of place) part = part !== null && typeof part === "object" ? (part as Record<string, unknown>)[key] : undefined;
  return part !== undefined;
}
