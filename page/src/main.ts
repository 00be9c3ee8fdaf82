// Starts the page: the session, Python beside it, the views, and the service worker that keeps it.
import { Python } from "./python/client.ts";
import { PythonWorker } from "./python/script.ts";
import { Opening } from "./shell/opening.ts";
import { Session } from "./shell/session.ts";
import { freshId } from "./shell/drafts.ts";
import { Shell, VIEWS } from "./shell/shell.ts";

const FIRST = "spatial_2r", POSE = [0.9, 0.8]; // in which the motors hold the arm against gravity
const TAB = "qddot.tab"; // the name of this tab, which a reload leaves as it is

const STILL = 8000; // ms without an act of a person
const ACTS = ["pointermove", "click", "wheel", "keydown", "input"];

function tabName(): string {
  try {
    const name = sessionStorage.getItem(TAB) ?? freshId();
    sessionStorage.setItem(TAB, name);
    return name;
  } catch {
    return freshId();
  }
}

/** Keeps the page for later, once Python has started: before that it would delay Python. Then keeps Python's memory, too. */
async function keep(): Promise<void> {
  if (kept || !("serviceWorker" in navigator)) return;
  kept = true;
  await navigator.serviceWorker.register("sw.js");
  await navigator.serviceWorker.ready;
  whenStill(() => new PythonWorker("keeper"));
}

/** Does what takes a processor for seconds when nobody has acted on the page for a while. */
function whenStill(work: () => void): void {
  const acted = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(still, STILL);
  };
  const still = () => {
    for (const act of ACTS) window.removeEventListener(act, acted, true);
    requestIdleCallback(work);
  };
  let timer = window.setTimeout(still, STILL);
  for (const act of ACTS) window.addEventListener(act, acted, { capture: true, passive: true });
}

let kept = false;
const shown: { shell?: Shell } = {};
const python = new Python(
  () => new PythonWorker("python"),
  (state, detail) => {
    shown.shell?.python(state, detail);
    if (state === "ready") keep().catch(() => {}); // a browser may keep nothing
  },
);
const session = new Session(python);
const opening = new Opening(session, tabName(), Object.keys(VIEWS));
shown.shell = new Shell(session, opening);
void opening.begin(FIRST, POSE);
