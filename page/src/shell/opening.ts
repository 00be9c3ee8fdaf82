// Brings robots in: the zoo, files, pasted text, links and drafts; and keeps what is edited as a draft.
import type { Notation } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { explained, filled } from "../languages/words.ts";
import { Address, lookAt } from "./address.ts";
import { button, make } from "./dom.ts";
import { changedElsewhere, type Draft, draft, drafts, freshId, keepDraft } from "./drafts.ts";
import { BadLink, unpacked } from "./links.ts";
import { say } from "./messages.ts";
import type { Prepared, Session } from "./session.ts";

const PAUSE = 300; // ms after an edit until it is kept
const LARGEST = 5_000_000; // bytes of a file

export interface Shipped {
  name: string;
  title: string;
  /** Its title in each language. */
  titles: Record<string, string>;
  joints: number;
}

interface Index {
  robots: Shipped[];
  accept: string;
  notations: Notation[];
}

export class Opening {
  zoo: Shipped[] = [];
  /** Ends of the names of files that the page opens. */
  private accept = "";
  readonly say = say;
  private readonly session: Session;
  private readonly address: Address;
  private readonly views: readonly string[];
  private timer = 0;
  private isForgetful = false;

  constructor(session: Session, tab: string, views: readonly string[]) {
    this.session = session;
    this.views = views;
    this.address = new Address(session, tab);
    this.listen();
  }

  /** Opens what the address asks for, else the latest draft, else one of the zoo in a pose. */
  async begin(first: string, pose: number[]): Promise<void> {
    ({ robots: this.zoo, accept: this.accept, notations: this.session.notations } = await this.fetched<Index>("index"));
    const kept = drafts()[0];
    if (!(await this.fromAddress())) {
      if (kept) this.draft(kept);
      else await this.shipped(first).then(() => (this.session.pose = pose));
    }
    lookAt(this.session, new URLSearchParams(location.hash.slice(1)), this.views);
    await this.address.begin();
    for (const event of ["place", "view"] as const) this.session.tell(event);
  }

  async shipped(name: string): Promise<void> {
    const prepared = await this.fetched<Prepared>(name);
    this.keepNow();
    this.session.open(prepared.robot, name, prepared);
  }

  /** Opens a draft, to be edited further. */
  draft(kept: Draft): void {
    this.keepNow();
    this.session.open(kept.robot, "", null, kept.id);
  }

  private async fetched<T>(name: string): Promise<T> {
    return (await (await fetch(new URL(`zoo/${name}.json`, document.baseURI))).json()) as T;
  }

  /** A link never replaces what somebody has edited without asking. Returns whether it opened something. */
  private async fromAddress(): Promise<boolean> {
    const asked = new URLSearchParams(location.hash.slice(1)), words = this.session.words.robot;
    const name = asked.get("robot"), fragment = asked.get("r"), own = this.address.own;
    const kept = own?.draft ? draft(own.draft) : null;
    if (kept) {
      this.draft(kept);
      return true;
    }
    try {
      if (name && !this.zoo.some((each) => each.name === name)) {
        say(filled(words.noSuch, { name, names: this.zoo.map((each) => each.name).join(", ") }), "warning");
        return false;
      }
      if (name) return await this.offered(name, () => this.shipped(name));
      if (!fragment) return false;
      const robot = await unpacked(fragment);
      const open = () => (this.keepNow(), this.session.open(robot));
      return await this.offered(String(robot.title ?? robot.name ?? ""), open);
    } catch (error) {
      say(filled(words.badLink, { why: words[error instanceof BadLink ? error.why : "damaged"] }), "warning");
    }
    return false;
  }

  /** Opens a robot, or asks first where that would replace an edited one. */
  private async offered(name: string, open: () => unknown): Promise<boolean> {
    if (!this.session.isEdited) {
      await open();
      return true;
    }
    const words = this.session.words.robot, dialog = make("dialog", { class: "ask", onclose: () => end(false) });
    const end = (take: boolean) => {
      dialog.remove();
      if (take) void open();
      else void this.address.write();
    };
    dialog.append(
      make("p", {}, filled(words.arrived, { name })),
      make("p", { class: "line" }, button(words.take, () => end(true), { class: "main" }), button(words.leave, () => end(false))),
    );
    document.body.append(dialog);
    dialog.showModal();
    return false;
  }

  readonly choose = (): void => {
    const input = make("input", { type: "file", accept: this.accept });
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
    if (file.size > LARGEST) return say(filled(this.session.words.robot.tooLarge, { name: file.name }), "warning");
    await this.text(await file.text(), file.name);
  }

  private async text(text: string, name: string): Promise<boolean> {
    const read = await this.told(this.session.python.ask("read", { text, name }));
    if (!read) return false;
    this.keepNow();
    this.session.open(read.robot, "", null, freshId(), read.doubts);
    return true;
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
      if (!(error instanceof LetGo)) say(explained(error, this.session.words), "warning");
      return null;
    }
  }

  /** Keeps what was edited; says once that the browser keeps nothing. */
  private keepNow(): void {
    window.clearTimeout(this.timer);
    const { session } = this;
    if (!session.isEdited || keepDraft(session.draft, session.robot) || this.isForgetful) return;
    this.isForgetful = true;
    say(session.words.robot.forgetful, "warning");
  }

  private listen(): void {
    window.addEventListener("hashchange", () => void this.turned());
    window.addEventListener("storage", (event) => this.heard(event));
    window.addEventListener("pagehide", () => this.keepNow());
    this.session.follow("robot", () => {
      window.clearTimeout(this.timer);
      if (this.session.isEdited) this.timer = window.setTimeout(() => this.keepNow(), PAUSE);
    });
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

  /** Back and Forward show what was looked at; any other change of the address is a link. */
  private async turned(): Promise<void> {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (!this.address.own) await this.fromAddress();
    lookAt(this.session, asked, this.views);
    for (const event of ["place", "view"] as const) this.session.tell(event);
  }

  /** Where two tabs edit one draft, this one goes on under an id of its own. */
  private heard(event: StorageEvent): void {
    const { session } = this;
    if (changedElsewhere(event) !== session.draft) return;
    session.draft = freshId();
    this.keepNow();
    void this.address.write();
    say(session.words.robot.twoTabs);
  }
}
