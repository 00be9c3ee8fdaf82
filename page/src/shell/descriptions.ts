// Works with descriptions of robots as plain data; a description is never changed, but made anew.
import type { Description, Json, LinkRow, Place } from "../messages.ts";

/** The same description with another value at a place; undefined takes it away. */
export function changed(robot: Description, place: Place, value: unknown): Description {
  return put(robot as unknown as Json, place, value as Json | undefined) as unknown as Description;
}

function put(whole: Json, place: Place, value: Json | undefined): Json {
  const [first, ...rest] = place;
  if (first === undefined) return value ?? null;
  if (Array.isArray(whole)) {
    const copy = [...whole];
    if (rest.length === 0 && value === undefined) copy.splice(first as number, 1);
    else copy[first as number] = put(copy[first as number] ?? {}, rest, value);
    return copy;
  }
  const copy: { [key: string]: Json } = whole !== null && typeof whole === "object" ? { ...whole } : {};
  if (rest.length === 0 && value === undefined) delete copy[first];
  else copy[first] = put(copy[first] ?? (typeof rest[0] === "number" ? [] : {}), rest, value);
  return copy;
}

/** What stands at a place, or undefined. */
export function at(robot: Description, place: Place): Json | undefined {
  return place.reduce<Json | undefined>(
    (part, key) => (part !== null && typeof part === "object" ? (part as Record<string, Json>)[key as string] : undefined),
    robot as unknown as Json,
  );
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A new link after the others, in the convention of the table. */
export function withLink(robot: Description): Description {
  const k = robot.link.length + 1;
  const mass = { mass: 1, com: [0, 0, 0], inertia: { about: "com", xx: 0.01, yy: 0.01, zz: 0.01 } };
  const geometry: Record<string, LinkRow> = {
    dh: { dh: { theta: `q${k}`, d: 0, a: 1, alpha: 0 } },
    mdh: { mdh: { alpha: 0, a: 1, d: 0, theta: `q${k}` } },
    screws: { screw: [0, 0, 1, 0, -(k - 1), 0], home: { xyz: [k - 1, 0, 0] } },
    body_screws: { screw: [0, 0, 1, 0, 1, 0], home: { xyz: [k - 1, 0, 0] } },
    tree: { parent: nameOf(robot, k - 2), joint: { type: "revolute", axis: [0, 0, 1], xyz: [1, 0, 0] } },
  };
  const link: LinkRow = { name: freeName(robot, k), ...geometry[robot.convention ?? "dh"], ...mass };
  return { ...robot, ...coordinates(robot), link: [...robot.link, link] };
}

/** The list of coordinates is left out, where it would lack that of a new link, or have that of a removed one. */
function coordinates(robot: Description): { coordinates?: string[] } {
  return robot.coordinates ? { coordinates: [] } : {};
}

/** The robot without a link, and without the list of joints that have motors, which may name that of the link. */
export function withoutLink({ driven: _, ...robot }: Description, k: number): Description {
  return { ...robot, ...coordinates(robot), link: robot.link.filter((_, other) => other !== k) };
}

export function nameOf(robot: Description, k: number): string {
  return k < 0 ? "base" : String(robot.link[k]?.["name"] ?? `link${k + 1}`);
}

function freeName(robot: Description, k: number): string {
  const taken = new Set(robot.link.map((_, other) => nameOf(robot, other)));
  for (let number = k; ; number++) if (!taken.has(`link${number}`)) return `link${number}`;
}
