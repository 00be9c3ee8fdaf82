// Asks Python, whose worker answers one question after the other, and lets go of questions that are no longer wanted.
import type { Answer, Ask, Asked, Mistake, Question, Reply, Sent } from "../messages.ts";

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
  postMessage(sent: Sent): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}
export type State = "starting" | "ready" | "busy" | "failed";

interface Waiting {
  ask: Ask;
  topic: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  progress: (doing: string) => void;
}
/** The question that the worker has begun, and when. */
interface Running {
  id: number;
  since: number;
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
  lang = "en";
  private worker: Post;
  private started = false;
  /** Those without an answer. A worker that has started has them all, and need not wait for the page between two of them. */
  private waiting: Waiting[] = [];
  private running: Running | null = null;
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
      this.waiting.push({ ask, topic, resolve: resolve as (result: unknown) => void, reject, progress });
      if (!this.started) return;
      if (this.waiting.length === 1) this.changed("busy", "");
      this.worker.postMessage(ask);
    });
  }

  /** Ends the running question by ending its worker; another worker takes the others. */
  cancel(): void {
    const stopped = this.taken(this.running?.id);
    this.restart();
    stopped?.reject(new LetGo("stopped"));
  }

  private drop(topic: string): void {
    for (const { ask: { id } } of this.waiting.filter((each) => each.topic === topic)) {
      this.taken(id)!.reject(new LetGo("replaced"));
      if (this.started) this.worker.postMessage({ drop: id });
      if (id === this.running?.id) this.tire(this.running);
    }
  }

  /** Ends the worker, unless a question that is no longer wanted ends before. */
  private tire(running: Running): void {
    const left = PATIENCE - (performance.now() - running.since);
    setTimeout(() => running === this.running && this.restart(), Math.max(0, left));
  }

  /** Takes a question off those that wait, if it is among them. */
  private taken(id: number | undefined): Waiting | undefined {
    const taken = this.waiting.find(({ ask }) => ask.id === id);
    this.waiting = this.waiting.filter((each) => each !== taken);
    return taken;
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

  private heard(reply: Reply): void {
    if (reply.kind === "ready") return this.start(reply.seconds);
    if (reply.kind === "failed") return this.fail(reply.text);
    const asked = this.waiting.find(({ ask }) => ask.id === reply.id);
    if (reply.kind === "begun") {
      this.running = { id: reply.id, since: performance.now() };
      if (!asked) this.tire(this.running); // it began before it was let go
    } else if (reply.kind === "progress") {
      if (asked) this.changed("busy", reply.doing);
      asked?.progress(reply.doing);
    } else {
      this.taken(reply.id);
      this.running = null;
      if (reply.kind === "fatal") this.restart();
      else this.changed(this.waiting.length ? "busy" : "ready", "");
      if (reply.kind === "result") asked?.resolve(reply.result);
      else asked?.reject(errorOf(reply));
    }
  }

  private start(seconds: number): void {
    this.started = true;
    this.changed("ready", seconds.toFixed(1));
    if (this.waiting.length) this.changed("busy", "");
    for (const { ask } of this.waiting) this.worker.postMessage(ask);
  }

  private fail(text: string): void {
    this.changed("failed", text);
    for (const each of this.waiting) each.reject(new Error(text));
    this.running = null;
    this.waiting = [];
  }
}

function errorOf(reply: Extract<Reply, { kind: "mistake" | "defect" | "fatal" }>): Error {
  if (reply.kind === "mistake") return new MistakeError(reply.mistake);
  return reply.kind === "fatal" ? new Fatal(reply.text) : new Error(reply.text);
}
