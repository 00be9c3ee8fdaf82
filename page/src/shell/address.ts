// Keeps all that is looked at in the address: the robot, the tab, the quantity, the pose, the start of a motion. So a
// copied address opens the same, a reload loses nothing, and Back goes to the tab before.
import type { Form } from "../messages.ts";
import { LONGEST, packed } from "./links.ts";
import type { Session } from "./session.ts";

const PAUSE = 250; // ms after a change until the address follows
const START = "start."; // before the names of a motion's fields
const KEPT = ["lang", "theme"]; // stay as the address has them
export const FORMS: Form[] = ["sums", "multiple-angle", "normal"];

/** What a history entry of the page has beside its address; an entry without it is a link that somebody followed. */
export interface Entry {
  tab: string;
  /** The draft that was open, or "". */
  draft: string;
}

/** Takes the tab, the quantity, the form, the route and the notation, the pose and the start from an address. */
export function lookAt(session: Session, asked: URLSearchParams, views: readonly string[]): void {
  const view = asked.get("view") ?? "", form = asked.get("form") as Form | null, notation = asked.get("notation") ?? "";
  if (views.includes(view)) session.view = view;
  session.quantity = asked.get("quantity") ?? session.quantity;
  if (form && FORMS.includes(form)) session.form = form;
  session.route = asked.get("route") ?? session.route;
  session.notation = session.notations.some(({ name }) => name === notation) ? notation : "";
  session.numbers = asked.has("numbers");
  const pose = (asked.get("pose") ?? "").split(",").map(Number);
  if (asked.get("pose") && pose.every(Number.isFinite)) session.pose = pose;
  const fields = [...asked].filter(([name]) => name.startsWith(START)).map(([name, value]) => [name.slice(START.length), value]);
  session.start = Object.fromEntries(fields) as Record<string, string>;
}

export class Address {
  private readonly session: Session;
  private readonly tab: string;
  private timer = 0;
  /** The address that is to be written when the timer ends. */
  private soon = "";
  /** The addresses of entries that were left for other tabs, until they are written. */
  private readonly left: string[] = [];
  private robot: { of: unknown; text: string } = { of: null, text: "" };

  constructor(session: Session, tab: string) {
    this.session = session;
    this.tab = tab;
    window.addEventListener("pagehide", () => this.timer && this.settle());
    window.addEventListener("popstate", () => this.left.splice(0)); // Back came before they were written
  }

  /** Writes the address from now on: what it asks for has been opened. */
  begin(): Promise<void> {
    for (const event of ["robot", "place", "numbers", "pose", "start"] as const) this.session.follow(event, () => this.later());
    this.session.follow("view", () => this.turned());
    return this.write();
  }

  /** Whether the entry of the history that is shown is one of this tab's own. */
  get own(): Entry | null {
    const entry = history.state as Entry | null;
    return entry?.tab === this.tab ? entry : null;
  }

  /** Writes the address at once. */
  async write(): Promise<void> {
    const { session } = this, robot = session.robot;
    if (!session.shipped && this.robot.of !== robot && robot.link.length) {
      const text = await packed(robot);
      if (robot !== session.robot) return;
      this.robot = { of: robot, text: text.length > LONGEST ? "" : text };
    }
    this.settle();
  }

  /** Writes the address after the browser has shown what was asked for, since to write it makes the browser lay out the page. */
  private later(): void {
    window.clearTimeout(this.timer);
    this.soon = this.fragment();
    this.timer = window.setTimeout(() => void this.write(), PAUSE);
  }

  /** Another tab of the page is another entry of the history, on top of one with all that was looked at before. */
  private turned(): void {
    const before = this.timer ? this.soon : location.hash.slice(1);
    const shown = new URLSearchParams(before).get("view") ?? "robot";
    if (this.own && shown !== this.session.view) this.left.push(before);
    this.later();
  }

  /** Writes what has changed: the entries that were left for other tabs, then the one that is shown. */
  private settle(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    const [first, ...others] = [...this.left.splice(0), this.fragment()];
    if (`#${first}` !== location.hash || this.own?.draft !== this.session.draft) history.replaceState(this.entry(), "", `#${first}`);
    for (const other of others) history.pushState(this.entry(), "", `#${other}`);
  }

  private entry(): Entry {
    return { tab: this.tab, draft: this.session.draft };
  }

  private fragment(): string {
    const { session } = this, before = new URLSearchParams(location.hash.slice(1)), parts = new URLSearchParams();
    if (session.shipped) parts.set("robot", session.shipped);
    else if (this.robot.text) parts.set("r", this.robot.text);
    parts.set("view", session.view);
    if (session.view === "equations") {
      parts.set("quantity", session.quantity);
      parts.set("form", session.form);
      parts.set("route", session.route);
      if (session.numbers) parts.set("numbers", "");
    }
    if (session.notation) parts.set("notation", session.notation);
    if (session.isMoved) parts.set("pose", session.pose.map((value) => Number(value.toPrecision(6))).join(","));
    for (const [name, value] of Object.entries(session.start)) parts.set(START + name, value);
    for (const name of KEPT) if (before.has(name)) parts.set(name, before.get(name)!);
    return parts.toString();
  }
}
