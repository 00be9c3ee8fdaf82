// What a robot is called: by its title, in the language if it ships with the page.
import type { Shipped } from "./opening.ts";
import type { Session } from "./session.ts";

export function titleOf({ robot, lang }: Session, zoo: Shipped[]): string {
  const shipped = zoo.find((each) => each.title === robot.title);
  return shipped?.titles[lang] ?? String(robot.title || robot.name || "");
}
