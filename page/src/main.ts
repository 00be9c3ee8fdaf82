// Starts the page: the session, Python beside it, the views, and the service worker that keeps it.
import { Python } from "./python/client.ts";
import { Opening } from "./shell/opening.ts";
import { Session } from "./shell/session.ts";
import { Shell } from "./shell/shell.ts";

const FIRST = "spatial_2r";

/** Keeps the page for later, once Python has started: before that it would hold Python up. */
function keep(): void {
  if (kept || !("serviceWorker" in navigator)) return;
  kept = true;
  navigator.serviceWorker.register("sw.js").catch(() => {});
}

let kept = false;
const shown: { shell?: Shell } = {};
const python = new Python(
  () => new Worker(new URL("worker.js", document.baseURI), { type: "module", name: "python" }),
  (state, detail) => {
    shown.shell?.python(state, detail);
    if (state === "ready") keep();
  },
);
const session = new Session(python);
const opening = new Opening(session);
shown.shell = new Shell(session, opening);
void opening.begin(FIRST);
