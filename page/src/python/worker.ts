// Runs Python, with the exact core, beside the page: one question after the other; or keeps its memory for the next visit.
import type { PyodideInterface } from "pyodide";
import type { Ask, Mistake, Reply } from "../messages.ts";
import { begin } from "./begin.ts";
import { forget, keep, kept } from "./kept.ts";

type Answerer = (question: string, asked: string, say: (doing: string) => void) => string;

const say = (reply: Reply) => self.postMessage(reply);
const answererOf = (python: PyodideInterface) => python.pyimport("qddot.page.answers").answer as Answerer;

async function started(): Promise<Answerer> {
  const found = await kept();
  try {
    if (found) return answererOf(await begin({ memory: found.arrayBuffer().then((bytes) => new Uint8Array(bytes)) }));
  } catch {
    await forget();
  }
  return answererOf(await begin({}));
}

function serve(): void {
  const since = performance.now();
  const answerer = started();
  answerer.then(
    () => say({ kind: "ready", seconds: (performance.now() - since) / 1000 }),
    (error: unknown) => say({ kind: "failed", text: String(error) }),
  );
  self.onmessage = async ({ data }: MessageEvent<Ask>) => {
    const { id, question, asked } = data;
    try {
      const answer = await answerer;
      const told = JSON.parse(answer(question, JSON.stringify(asked), (doing) => say({ kind: "progress", id, doing })));
      if (told.error) say({ kind: "mistake", id, mistake: told.error as Mistake });
      else say({ kind: "result", id, result: told.result });
    } catch (error) {
      // an exception of Python's leaves it well; after any other one it answers nothing more
      const isWell = (error as object | null)?.constructor.name === "PythonError";
      say({ kind: isWell ? "defect" : "fatal", id, text: String(error) });
    }
  };
}

if (self.name === "keeper") void keep().finally(() => self.close());
else serve();
