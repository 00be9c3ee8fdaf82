// What is open: the robot as it is edited, with undo, what Python says of it, and the settings of the page.
import type { Description, Examined, Finding, Form, Mistake, Notation, Place, Written } from "../messages.ts";
import { LetGo, MistakeError, type Python } from "../python/client.ts";
import { explained, wordsOf } from "../languages/words.ts";
import type { Words } from "../languages/words.ts";
import { changed, same } from "./descriptions.ts";
import { freshId } from "./drafts.ts";
import { LETTERS } from "../views/quantities.ts";

const MOST_UNDONE = 200;

type Event = "robot" | "examined" | "diagnosed" | "lit" | "view" | "place" | "numbers" | "pose" | "start";

/** Equations that the build derived, for the first moments. */
export interface Prepared {
  robot: Description;
  examined: Examined;
  /** What is said of it, in each language. */
  told: Record<string, { notes: string[]; texts: Record<string, string>; findings: Finding[] }>;
  form: "normal" | "sums";
  equations: import("../messages.ts").Equations;
  torques: { module: string };
}

export class Session {
  readonly python: Python;
  robot: Description = { link: [] };
  /** The name of the robot of the zoo that is open and unchanged, or "". */
  shipped = "";
  prepared: Prepared | null = null;
  examined: Examined | null = null;
  mistake: Mistake | null = null;
  /** Likely mistakes in the file that was opened, which its reader noted. */
  doubts: string[] = [];
  /** What the doctor finds, or found before the last edit, until that has been asked about. */
  findings: Finding[] | null = null;
  /** The cell that was edited last: mistakes of a whole link are shown there. */
  edited: Place = [];
  lang = "en";
  view = "robot";
  /** What the equations are of, and how they are written. */
  quantity = "M";
  form: Form = "sums";
  route = "composite";
  /** The notation of all that is written, "" for our letters, and those that there are. */
  notation = "";
  notations: Notation[] = [];
  /** Whether the terms of equations are shown in numbers, too. */
  numbers = false;
  /** What the fields of a motion have, where it is not what they have at first. */
  start: Record<string, string> = {};
  /** The id under which this robot is kept once it is edited. */
  draft = "";
  /** Counts the robots that were opened: a cell of one never writes into another. */
  opened = 0;
  /** Whether the robot was edited since it was opened. */
  isEdited = false;
  lit: number[] = [];
  /** The robot that the doctor was asked about last. */
  private diagnosed: Description | null = null;
  /** The coordinates that the sliders were moved to [rad or m], if they were. */
  private moved: number[] = [];
  private past: Description[] = [];
  private future: Description[] = [];
  private listeners = new Map<Event, Set<() => void>>();
  private readonly followers = new Map<Event, Set<() => void>>();

  constructor(python: Python) {
    this.python = python;
  }

  get words(): Words {
    return wordsOf(this.lang);
  }

  on(event: Event, listener: () => void): void {
    added(this.listeners, event, listener);
  }

  /** Listens as long as the page is open, in whatever language. */
  follow(event: Event, listener: () => void): void {
    added(this.followers, event, listener);
  }

  /** Forgets all listeners, before the page is built in another language. */
  forget(): void {
    this.listeners.clear();
  }

  tell(event: Event): void {
    for (const listener of [...(this.listeners.get(event) ?? []), ...(this.followers.get(event) ?? [])]) listener();
  }

  /** Opens another robot; the one before can be had back by undo. */
  open(robot: Description, shipped = "", prepared: Prepared | null = null, draft = freshId(), doubts: string[] = []): void {
    if (this.robot.link.length) this.remember();
    this.robot = robot;
    this.opened += 1;
    this.draft = draft;
    this.doubts = doubts;
    this.isEdited = false;
    this.form = prepared?.form ?? "sums";
    this.moved = [];
    this.start = {};
    this.shipped = shipped;
    this.prepared = prepared;
    this.edited = [];
    this.mistake = null;
    this.diagnosed = prepared && robot;
    this.listen();
    this.tell("robot");
    if (prepared) this.tell("examined");
    else void this.examine();
  }

  /** Takes what the build says of a prepared robot in the language that is chosen. */
  private listen(): void {
    const { prepared } = this, { findings = null, ...said } = prepared?.told[this.lang] ?? {};
    this.examined = prepared && { ...prepared.examined, ...said };
    this.findings = findings;
  }

  /** Changes a cell; goesOn: as part of the change before. */
  edit(place: Place, value: unknown, goesOn = false): void {
    const robot = changed(this.robot, place, value);
    if (same(robot, this.robot)) return;
    if (!goesOn) this.remember();
    this.take(robot, place);
  }

  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.robot);
    this.take(before, []);
  }

  redo(): void {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.robot);
    this.take(after, []);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** The pose in which the arm is shown: at its home or as near to it as its limits are, until somebody moves it. */
  get pose(): number[] {
    const coordinates = this.examined?.arm.coordinates ?? [];
    const home = coordinates.map(({ limits }) => (limits ? Math.min(limits[1], Math.max(limits[0], 0)) : 0));
    return this.moved.length === home.length ? this.moved : home;
  }

  set pose(q: number[]) {
    this.moved = q;
    this.tell("pose");
  }

  get isMoved(): boolean {
    return this.moved.length > 0;
  }

  /** What questions about equations are about. */
  get written(): Written {
    return { robot: this.robot, notation: this.notation };
  }

  isStill(written: Written): boolean {
    return written.robot === this.robot && written.notation === this.notation;
  }

  /** The letter of a quantity in the notation. */
  letter(quantity: string): string {
    const own = this.notations.find(({ name }) => name === this.notation)?.letters ?? {};
    return own[quantity] ?? LETTERS[quantity] ?? quantity;
  }

  /** Shows another quantity, or the same in another form, by another route, or in another notation. */
  look(place: { quantity?: string; form?: Form; route?: string; notation?: string }): void {
    Object.assign(this, place);
    this.tell("place");
  }

  /** Speaks a language: takes what is said in sentences from the build, or asks Python anew. */
  speak(lang: string): void {
    this.lang = this.python.lang = lang;
    if (this.prepared) return this.listen();
    this.diagnosed = null;
    void this.examine();
  }

  /** Lights links of the arm, which is drawn anew only if others were lit. */
  light(links: number[]): void {
    if (same(links, this.lit)) return;
    this.lit = links;
    this.tell("lit");
  }

  /** Asks the doctor, for those who look at its findings; this takes longer than the equations of a short arm. */
  async diagnose(): Promise<void> {
    const robot = this.robot;
    if (!this.examined || this.mistake || this.diagnosed === robot) return;
    this.diagnosed = robot;
    try {
      this.findings = await this.python.ask("diagnose", { robot }, { topic: "diagnose" });
    } catch {
      return; // another question has taken its place, or a mistake is told where the robot is examined
    }
    if (robot === this.robot) this.tell("diagnosed");
  }

  private remember(): void {
    this.past.push(this.robot);
    if (this.past.length > MOST_UNDONE) this.past.shift();
    this.future = [];
  }

  private take(robot: Description, place: Place): void {
    this.robot = robot;
    this.isEdited = true;
    this.shipped = "";
    this.prepared = null;
    this.edited = place;
    this.tell("robot");
    void this.examine();
  }

  private async examine(): Promise<void> {
    const robot = this.robot;
    try {
      const examined = await this.python.ask("examine", { robot }, { topic: "examine" });
      if (robot !== this.robot) return;
      this.examined = examined;
      this.mistake = null;
    } catch (error) {
      if (error instanceof LetGo || robot !== this.robot) return;
      this.mistake = error instanceof MistakeError ? error.mistake : mistakeOf(explained(error, this.words));
    }
    this.tell("examined");
  }
}

function mistakeOf(text: string): Mistake {
  return { text, found: text, where: "", expected: "", remedy: "", cell: [], correction: "", undeclared: "" };
}

function added(all: Map<Event, Set<() => void>>, event: Event, listener: () => void): void {
  if (!all.has(event)) all.set(event, new Set());
  all.get(event)!.add(listener);
}
