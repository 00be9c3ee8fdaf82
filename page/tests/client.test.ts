// Questions are answered one at a time; later ones on a topic replace earlier ones, and a worker that is stuck is ended.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask, Description, Reply } from "../src/messages.ts";
import { LetGo, Fatal, MistakeError, type Post, Python, type State } from "../src/python/client.ts";

class Worker implements Post {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  asked: Ask[] = [];
  ended = false;
  postMessage(ask: Ask): void {
    this.asked.push(ask);
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
  answers(result: unknown): void {
    this.says({ kind: "result", id: this.asked.at(-1)!.id, result });
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

test("questions wait until Python is ready, and go one after the other", async () => {
  const { python, workers, states } = started();
  const first = read(python, "a"), second = read(python, "b");
  assert.equal(workers[0]!.asked.length, 0);
  workers[0]!.ready();
  assert.equal(workers[0]!.asked.length, 1);
  workers[0]!.answers(robot);
  assert.equal(await first, robot);
  assert.deepEqual(workers[0]!.asked[1]!.asked, { lang: "en", text: "b", name: "pasted" });
  workers[0]!.answers({ link: [], name: "b" });
  assert.equal((await second).name, "b");
  assert.deepEqual(states, ["starting", "ready", "busy", "ready", "busy", "ready"]);
});

test("a mistake is an error of what was given, and the next question is answered", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const wrong = read(python, "x");
  const mistake = { text: "no", found: "no", where: "", expected: "", remedy: "", cell: ["link", 0], correction: "", undeclared: "" };
  workers[0]!.says({ kind: "mistake", id: 1, mistake });
  await assert.rejects(wrong, (error) => error instanceof MistakeError && error.mistake === mistake);
  const next = read(python, "y");
  workers[0]!.answers(robot);
  assert.equal(await next, robot);
});

test("of two waiting questions on one topic the later one is asked", async () => {
  const { python, workers } = started();
  const old = read(python, "old", "robot"), other = read(python, "other"), late = read(python, "late", "robot");
  await assert.rejects(old, LetGo);
  workers[0]!.ready();
  workers[0]!.answers(robot);
  await other;
  assert.deepEqual(workers[0]!.asked.map((ask) => (ask.asked as { text: string }).text), ["other", "late"]);
  workers[0]!.answers(robot);
  await late;
});

test("a running question that nobody wants any more ends its worker, but not at once", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const long = read(python, "long", "robot");
  const late = read(python, "late", "robot");
  assert.equal(workers[0]!.ended, false);
  await assert.rejects(long, LetGo);
  assert.equal(workers[0]!.ended, true);
  workers[0]!.answers({ link: [], name: "too late" }); // is not heard
  workers[1]!.ready();
  workers[1]!.answers(robot);
  assert.equal(await late, robot);
});

test("cancel ends the running question; the waiting ones go to the next worker", async () => {
  const { python, workers } = started();
  workers[0]!.ready();
  const long = read(python, "long"), next = read(python, "next");
  python.cancel();
  await assert.rejects(long, LetGo);
  workers[1]!.ready();
  workers[1]!.answers(robot);
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
  workers[1]!.answers(robot);
  assert.equal(await next, robot);
});
