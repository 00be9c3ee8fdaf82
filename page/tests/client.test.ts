// The worker has all questions, and answers one at a time; later ones on a topic replace earlier ones, and a worker that is stuck is ended.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Description, Reply, Sent } from "../src/messages.ts";
import { LetGo, Fatal, MistakeError, type Post, Python, type State } from "../src/python/client.ts";

class Worker implements Post {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  asked: Ask[] = [];
  dropped: number[] = [];
  ended = false;
  postMessage(sent: Sent): void {
    if ("drop" in sent) this.dropped.push(sent.drop);
    else this.asked.push(sent);
  }
  terminate(): void {
    this.ended = true;
  }
  says(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }
  ready(): void {
    this.says({ kind: "ready", seconds: 1 });
  }
  begins(place: number): void {
    this.says({ kind: "begun", id: this.asked[place]!.id });
  }
  answers(place: number, result: unknown): void {
    this.begins(place);
    this.says({ kind: "result", id: this.asked[place]!.id, result });
  }
}

function started(): { python: Python; workers: Worker[]; states: State[] } {
  const workers: Worker[] = [], states: State[] = [];
  const make = () => {
    workers.push(new Worker());
    return workers.at(-1)!;
  };
  return { python: new Python(make, (state) => states.push(state)), workers, states };
}

const robot: Description = { link: [] };
const read = (python: Python, text: string, topic = "") => python.ask("read", { text, name: "pasted" }, { topic });

test("questions wait until Python is ready, and then for nothing else", async () => {
  const { python, workers, states } = started();
  const first = read(python, "a"), second = read(python, "b");
  assert.equal(workers[0]!.asked.length, 0);
  workers[0]!.ready();
  assert.deepEqual(workers[0]!.asked.map((ask) => ask.asked), ["a", "b"].map((text) => ({ lang: "en", text, name: "pasted" })));
  workers[0]!.answers(0, robot);
  assert.equal(await first, robot);
  workers[0]!.answers(1, { robot: { link: [], name: "b" }, doubts: [] });
  assert.equal((await second).robot.name, "b");
  assert.deepEqual(states, ["starting", "ready", "busy", "busy", "ready"]);
});

test("a mistake is an error of what was given, and the next question is answered", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const wrong = read(python, "x");
  const mistake = { text: "no", found: "no", where: "", expected: "", remedy: "", cell: ["link", 0], correction: "", undeclared: "" };
  workers[0]!.says({ kind: "mistake", id: 1, mistake });
  await assert.rejects(wrong, (error) => error instanceof MistakeError && error.mistake === mistake);
  const next = read(python, "y");
  workers[0]!.answers(1, robot);
  assert.equal(await next, robot);
});

test("of two questions on one topic the later one is asked", async () => {
  const { python, workers } = started();
  const old = read(python, "old", "robot"), other = read(python, "other"), late = read(python, "late", "robot");
  await assert.rejects(old, LetGo);
  workers[0]!.ready();
  assert.deepEqual(workers[0]!.asked.map((ask) => (ask.asked as { text: string }).text), ["other", "late"]);
  workers[0]!.answers(0, robot);
  await other;
  workers[0]!.answers(1, robot);
  await late;
});

test("a question that waits in the worker is let go there", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const other = read(python, "other"), old = read(python, "old", "robot"), late = read(python, "late", "robot");
  await assert.rejects(old, LetGo);
  assert.deepEqual(workers[0]!.dropped, [workers[0]!.asked[1]!.id]);
  workers[0]!.answers(0, robot);
  workers[0]!.answers(2, robot);
  await Promise.all([other, late]);
  assert.equal(workers[0]!.ended, false);
});

for (const begins of ["before", "after"]) {
  test(`a long question that begins ${begins} nobody wants it any more ends its worker, but not at once`, { timeout: 10_000 }, async () => {
    const { python, workers } = started();
    workers[0]!.ready();
    const long = read(python, "long", "robot");
    if (begins === "before") workers[0]!.begins(0);
    const late = read(python, "late", "robot");
    if (begins === "after") workers[0]!.begins(0);
    await assert.rejects(long, LetGo);
    assert.equal(workers[0]!.ended, false);
    while (!workers[0]!.ended) await new Promise((resolve) => setTimeout(resolve, 50));
    workers[0]!.answers(0, { link: [], name: "too late" }); // is not heard
    workers[1]!.ready();
    workers[1]!.answers(0, robot);
    assert.equal(await late, robot);
  });
}

test("a question that ends soon after nobody wants it any more leaves its worker alone", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const old = read(python, "old", "robot");
  workers[0]!.begins(0);
  const late = read(python, "late", "robot");
  await assert.rejects(old, LetGo);
  workers[0]!.answers(0, { link: [], name: "old" }); // is not heard
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(workers.length, 1);
  workers[0]!.answers(1, robot);
  assert.equal(await late, robot);
});

test("cancel ends the running question; the waiting ones go to the next worker", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const long = read(python, "long"), next = read(python, "next");
  workers[0]!.begins(0);
  python.cancel();
  await assert.rejects(long, LetGo);
  workers[1]!.ready();
  workers[1]!.answers(0, robot);
  assert.equal(await next, robot);
});

test("a worker that cannot start is told to all who wait", async () => {
  const { python, workers, states } = started();
  const asked = read(python, "a");
  workers[0]!.says({ kind: "failed", text: "no WebAssembly" });
  await assert.rejects(asked, /no WebAssembly/);
  assert.equal(states.at(-1), "failed");
});

test("after a question that was too much for Python another one begins, and answers the next question", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const lost = read(python, "x"), next = read(python, "y");
  workers[0]!.says({ kind: "fatal", id: 1, text: "RangeError" });
  await assert.rejects(lost, Fatal);
  assert.equal(workers.length, 2);
  workers[1]!.ready();
  workers[1]!.answers(0, robot);
  assert.equal(await next, robot);
});
