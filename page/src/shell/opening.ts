// Brings robots in: the zoo, files, pasted text, links, and the one that was saved; and says short things.
import type { Description } from "../messages.ts";
import { LetGo, MistakeError } from "../python/client.ts";
import { filled } from "../languages/words.ts";
import { button, make } from "./dom.ts";
import { BadLink, unpacked } from "./links.ts";
import type { Prepared, Session } from "./session.ts";

const SAVED = "qddot.robot";
const SHOWN = 6000; // ms that a message stays
const LARGEST = 5_000_000; // bytes of a file

export interface Shipped {
  name: string;
  title: string;
  joints: number;
}

export class Opening {
  zoo: Shipped[] = [];
  private readonly session: Session;
  private readonly messages = make("div", { class: "messages", role: "status", "aria-live": "polite" });
  private timer = 0;

  constructor(session: Session) {
    this.session = session;
    document.body.append(this.messages);
    this.listen();
  }

  /** Opens what the address asks for, else the robot that was saved, else one of the zoo. */
  async begin(first: string): Promise<void> {
    this.zoo = await this.fetched<Shipped[]>("index");
    const saved = this.restored();
    if (saved) this.session.open(saved);
    if (!(await this.fromAddress()) && !saved) await this.shipped(first);
  }

  async shipped(name: string): Promise<void> {
    if (!this.zoo.some((each) => each.name === name)) return;
    const prepared = await this.fetched<Prepared>(name);
    this.session.open(prepared.robot, name, prepared);
  }

  private async fetched<T>(name: string): Promise<T> {
    return (await (await fetch(new URL(`zoo/${name}.json`, document.baseURI))).json()) as T;
  }

  /** A link never replaces what somebody has edited without asking. Returns whether it opened something. */
  private async fromAddress(): Promise<boolean> {
    const asked = new URLSearchParams(location.hash.slice(1));
    const name = asked.get("robot"), fragment = asked.get("r");
    if (name && this.zoo.some((each) => each.name === name)) {
      await this.shipped(name);
      return true;
    }
    if (!fragment) return false;
    try {
      const robot = await unpacked(fragment);
      if (!this.restored() && !this.session.canUndo) {
        this.session.open(robot);
        return true;
      }
      this.offer(robot);
    } catch (error) {
      const words = this.session.words.robot;
      this.say(filled(words.badLink, { why: words[error instanceof BadLink ? error.why : "damaged"] }), "warning");
    }
    return false;
  }

  private offer(robot: Description): void {
    const words = this.session.words.robot;
    const dialog = make("dialog", { class: "ask" });
    const end = (open: boolean) => {
      dialog.remove();
      if (open) this.session.open(robot);
    };
    dialog.append(
      make("p", {}, filled(words.arrived, { name: String(robot.title ?? robot.name ?? "") })),
      make("p", { class: "line" }, button(words.take, () => end(true), { class: "main" }), button(words.leave, () => end(false))),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  readonly choose = (): void => {
    const input = make("input", { type: "file", accept: ".toml,.urdf,.xml,.sdf" });
    input.addEventListener("change", () => input.files?.[0] && void this.file(input.files[0]));
    input.click();
  };

  readonly paste = (): void => {
    const words = this.session.words.robot;
    const area = make("textarea", { rows: 14, "aria-label": words.pasteTitle, spellcheck: "false" });
    const dialog = make("dialog", { class: "paste", onclose: () => dialog.remove() });
    const read = async () => {
      if (await this.text(area.value, words.pasted)) dialog.close();
    };
    dialog.append(
      make("h2", {}, words.pasteTitle), make("p", {}, words.pasteHint), area,
      make("p", { class: "line" }, button(words.read, () => void read(), { class: "main" }), button(words.close, () => dialog.close())),
    );
    document.body.append(dialog);
    dialog.showModal();
  };

  async file(file: File): Promise<void> {
    if (file.size > LARGEST) return this.say(filled(this.session.words.robot.badLink, { why: file.name }), "warning");
    await this.text(await file.text(), file.name);
  }

  private async text(text: string, name: string): Promise<boolean> {
    const robot = await this.told(this.session.python.ask("read", { text, name }));
    if (robot) this.session.open(robot);
    return robot !== null;
  }

  save(): void {
    localStorage.setItem(SAVED, JSON.stringify(this.session.robot));
    this.say(this.session.words.robot.saved);
  }

  /** The robot that was saved, or null. */
  private restored(): Description | null {
    try {
      const robot = JSON.parse(localStorage.getItem(SAVED) ?? "null") as Description | null;
      return robot && Array.isArray(robot.link) ? robot : null;
    } catch {
      return null;
    }
  }

  async copied(text: string): Promise<void> {
    await navigator.clipboard.writeText(text).catch(() => {
      const area = make("textarea", {}, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    });
  }

  /** The answer, or null where something was wrong, which is said. */
  async told<T>(answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof LetGo) return null;
      const text = error instanceof MistakeError ? error.mistake.text : filled(this.session.words.failed, { text: String(error) });
      this.say(text, "warning");
      return null;
    }
  }

  say(text: string, kind = ""): void {
    window.clearTimeout(this.timer);
    this.messages.replaceChildren(make("p", { class: kind }, text));
    this.timer = window.setTimeout(() => this.messages.replaceChildren(), kind ? 3 * SHOWN : SHOWN);
  }

  private listen(): void {
    window.addEventListener("hashchange", () => void this.fromAddress());
    const over = (on: boolean) => document.body.classList.toggle("over", on);
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    document.addEventListener("dragleave", (event) => !event.relatedTarget && over(false));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      const file = event.dataTransfer?.files[0];
      if (file) void this.file(file);
    });
  }
}
