// Runs Python, with the exact core, beside the page: one question after the other; or keeps its memory for the next visit.
import type { Ask, Mistake, Reply, Sent } from "../messages.ts";
import { type Begun, begin } from "./begin.ts";
import { forget, keep, kept } from "./kept.ts";
import { HELPER, help } from "./parts.ts";

type Answerer = (question: string, asked: string, say: (doing: string) => void) => string;

const say = (reply: Reply) => self.postMessage(reply);
/** What answers, and what is still to come for questions that nobody asks first. */
interface Started {
  answer: Answerer;
  rest: Promise<void> | null;
}

function answererOf({ python, complete }: Begun): Started {
  const { answer } = python.pyimport("qddot.apps.page.answers") as { answer: Answerer };
  return { answer, rest: complete() };
}

async function started(): Promise<Started> {
  const found = await kept();
  try {
    if (found) return answererOf(await begin({ memory: found.arrayBuffer().then((bytes) => new Uint8Array(bytes)) }));
  } catch {
    await forget();
  }
  return answererOf(await begin({}));
}

const isPythons = (error: unknown) => (error as object | null)?.constructor.name === "PythonError";

/** Asks Python, and asks it once more where modules may have been missing that were still on their way. */
async function answered(python: Started, question: string, asked: string, doing: (doing: string) => void): Promise<{ result?: unknown; error?: unknown }> {
  const { answer, rest } = python;
  try {
    const told = JSON.parse(answer(question, asked, doing));
    if (!rest || !told.error) return told;
  } catch (error) {
    if (!rest || !isPythons(error)) throw error;
  }
  await rest;
  python.rest = null;
  return JSON.parse(answer(question, asked, doing));
}

/** Lets the messages be heard that have arrived meanwhile. */
const heard = () => new Promise((resolve) => setTimeout(resolve));

async function answer(python: Started, { id, question, asked }: Ask): Promise<void> {
  say({ kind: "begun", id });
  try {
    const told = await answered(python, question, JSON.stringify(asked), (doing) => say({ kind: "progress", id, doing }));
    if (told.error) say({ kind: "mistake", id, mistake: told.error as Mistake });
    else say({ kind: "result", id, result: told.result });
  } catch (error) {
    // an exception of Python's leaves it well; after any other one it answers nothing more
    say({ kind: isPythons(error) ? "defect" : "fatal", id, text: String(error) });
  }
}

async function serve(): Promise<void> {
  const since = performance.now();
  let waiting: Ask[] = [], isBusy = false;
  try {
    const python = await started();
    self.onmessage = async ({ data }: MessageEvent<Sent>) => {
      if ("drop" in data) waiting = waiting.filter(({ id }) => id !== data.drop);
      else waiting.push(data);
      if (isBusy) return;
      isBusy = true;
      for (let next = waiting.shift(); next; await heard(), next = waiting.shift()) await answer(python, next);
      isBusy = false;
    };
    say({ kind: "ready", seconds: (performance.now() - since) / 1000 });
  } catch (error) {
    say({ kind: "failed", text: String(error) });
  }
}

if (self.name === HELPER) help();
else if (self.name === "keeper") void keep().finally(() => self.close());
else void serve();
