// What a robot is called: by its title, in Chinese where it ships with one.
import type { Shipped } from "./opening.ts";
import type { Session } from "./session.ts";

export function titleOf({ robot, lang }: Session, zoo: Shipped[]): string {
  const shipped = zoo.find((each) => each.title === robot.title);
  return shipped && lang === "zh" ? shipped.zh : String(robot.title || robot.name || "");
}
