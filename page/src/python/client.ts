// Asks Python, one question at a time, and lets it go where an answer is no longer wanted.
import type { Answer, Ask, Asked, Lang, Mistake, Question, Reply } from "../messages.ts";

/** A mistake in what was given; Python is well. */
export class MistakeError extends Error {
  readonly mistake: Mistake;
  constructor(mistake: Mistake) {
    super(mistake.text);
    this.mistake = mistake;
  }
}
/** The question was too much for Python in a browser, which has ended and begins again. */
export class Fatal extends Error {}
/** The question was let go: another took its place, or the user stopped it. */
export class LetGo extends Error {}

/** What the client needs of a Web Worker, so that tests can give one of their own. */
export interface Post {
  postMessage(ask: Ask): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}
export type State = "starting" | "ready" | "busy" | "failed";

interface Waiting {
  ask: Ask;
  topic: string;
  since: number;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  progress: (doing: string) => void;
}
export interface Wishes {
  /** Of two questions on one topic only the later one is wanted. */
  topic?: string;
  progress?: (doing: string) => void;
}

/** How long a running question whose answer is no longer wanted may go on, before its worker is ended [ms]. */
const PATIENCE = 1200;

export class Python {
  /** The language in which mistakes and findings are told. */
  lang: Lang = "en";
  private worker: Post;
  private started = false;
  private waiting: Waiting[] = [];
  private running: Waiting | null = null;
  private count = 0;
  private readonly make: () => Post;
  private readonly changed: (state: State, detail: string) => void;

  constructor(make: () => Post, changed: (state: State, detail: string) => void) {
    this.make = make;
    this.changed = changed;
    this.worker = this.begun();
  }

  /** Returns the answer to a question. Throws MistakeError for what was given, LetGo where it is not wanted any more. */
  ask<Q extends Question>(question: Q, asked: Asked<Q>, wishes: Wishes = {}): Promise<Answer<Q>> {
    const topic = wishes.topic ?? "";
    if (topic) this.drop(topic);
    return new Promise((resolve, reject) => {
      const ask = { id: ++this.count, question, asked: { lang: this.lang, ...asked } };
      const progress = wishes.progress ?? (() => {});
      this.waiting.push({ ask, topic, since: 0, resolve: resolve as (result: unknown) => void, reject, progress });
      this.next();
    });
  }

  /** Ends the running question by ending its worker; another worker takes the others. */
  cancel(): void {
    const stopped = this.running;
    this.restart();
    stopped?.reject(new LetGo("stopped"));
  }

  private drop(topic: string): void {
    for (const old of this.waiting.filter((each) => each.topic === topic)) old.reject(new LetGo("replaced"));
    this.waiting = this.waiting.filter((each) => each.topic !== topic);
    const now = this.running;
    if (now?.topic !== topic) return;
    const left = PATIENCE - (performance.now() - now.since);
    setTimeout(() => {
      if (this.running !== now) return;
      this.restart();
      now.reject(new LetGo("replaced"));
    }, Math.max(0, left));
  }

  private begun(): Post {
    this.started = false;
    this.changed("starting", "");
    const worker = this.make();
    worker.onmessage = ({ data }) => {
      if (worker === this.worker) this.heard(data);
    };
    worker.onerror = (event) => {
      if (worker === this.worker) this.heard({ kind: "failed", text: event.message });
    };
    return worker;
  }

  private restart(): void {
    this.worker.terminate();
    this.running = null;
    this.worker = this.begun();
  }

  private next(): void {
    if (!this.started || this.running) return;
    this.running = this.waiting.shift() ?? null;
    if (!this.running) return;
    this.running.since = performance.now();
    this.changed("busy", "");
    this.worker.postMessage(this.running.ask);
  }

  private heard(reply: Reply): void {
    if (reply.kind === "ready") {
      this.started = true;
      this.changed("ready", reply.seconds.toFixed(1));
      this.next();
      return;
    }
    if (reply.kind === "failed") {
      this.changed("failed", reply.text);
      for (const each of [this.running, ...this.waiting]) each?.reject(new Error(reply.text));
      this.running = null;
      this.waiting = [];
      return;
    }
    const now = this.running;
    if (now?.ask.id !== reply.id) return;
    if (reply.kind === "progress") {
      this.changed("busy", reply.doing);
      now.progress(reply.doing);
      return;
    }
    if (reply.kind === "fatal") {
      this.restart();
      now.reject(new Fatal(reply.text));
      return;
    }
    this.running = null;
    this.changed("ready", "");
    if (reply.kind === "result") now.resolve(reply.result);
    else now.reject(reply.kind === "mistake" ? new MistakeError(reply.mistake) : new Error(reply.text));
    this.next();
  }
}
