// Starts the page: the session, Python beside it, the views, and the service worker that keeps it.
import { Python } from "./python/client.ts";
import { Opening } from "./shell/opening.ts";
import { Session } from "./shell/session.ts";
import { Shell } from "./shell/shell.ts";

const FIRST = "spatial_2r";

const shown: { shell?: Shell } = {};
const python = new Python(
  () => new Worker(new URL("worker.js", document.baseURI), { type: "module", name: "python" }),
  (state, detail) => shown.shell?.python(state, detail),
);
const session = new Session(python);
const opening = new Opening(session);
shown.shell = new Shell(session, opening);
void opening.begin(FIRST);

// the page is kept once it has been shown, so that keeping it does not hold it up
if ("serviceWorker" in navigator) window.addEventListener("load", () => void navigator.serviceWorker.register("sw.js").catch(() => {}));
