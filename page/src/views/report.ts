// The derivation as a document, or an exam with its solution.
import type { TextFile, Written } from "../messages.ts";
import { LetGo } from "../python/client.ts";
import { button, choice, download, make } from "../shell/dom.ts";
import type { Opening } from "../shell/opening.ts";
import type { Session } from "../shell/session.ts";
import { filled, NAMES } from "../languages/words.ts";
import { notationChoice } from "./notation.ts";
import { ROUTES } from "./quantities.ts";

const SMALL = 3; // joints of an arm whose report is an example
const TYPES: Record<string, string> = { ".html": "text/html", ".ipynb": "application/x-ipynb+json" };

export function reportView(session: Session, opening: Opening): HTMLElement {
  const all = session.words, words = all.report;
  let { lang } = session, format = ".html", exam = false;
  const routes = new Set(["composite"]);
  const status = make("p", { class: "doing", role: "status" });
  const files = make("ul", { class: "files" });
  const preview = make("div", { class: "preview" });
  let shown: Written | null = null;
  const boxes = ROUTES.map((route) => {
    const box = make("input", { type: "checkbox", checked: routes.has(route) });
    box.addEventListener("change", () => (box.checked ? routes.add(route) : routes.delete(route)));
    return make("label", { class: "box" }, box, all.equations.routes[route]!);
  });

  async function build(): Promise<void> {
    files.replaceChildren();
    preview.replaceChildren();
    shown = session.written;
    const type = TYPES[format] ?? "text/plain"; // another format may be chosen while this one is built
    const asked = { ...shown, routes: ROUTES.filter((route) => routes.has(route)), format, lang, exam };
    const progress = (doing: string) => (status.textContent = filled(words.building, { doing: all.doing[doing] ?? doing }));
    progress("…");
    const stop = button(all.python.stop, () => session.python.cancel());
    status.after(stop);
    try {
      const found = await opening.told(session.python.ask("report", asked, { topic: "report", progress }));
      files.replaceChildren(...(found ?? []).map((file) => listed(file, type)));
      preview.replaceChildren(...(found ?? []).slice(0, 1).filter(() => type === TYPES[".html"]).map(framed));
    } catch (error) {
      if (!(error instanceof LetGo)) throw error;
    } finally {
      stop.remove();
      status.textContent = "";
    }
  }

  /** Shows a document below, in a frame in which no script runs. */
  function framed(file: TextFile): HTMLElement {
    return make("iframe", { sandbox: "", srcdoc: file.text, title: filled(words.preview, { name: file.name }) });
  }

  /** Begins with an example: the report of a short arm, which is there in a moment. */
  async function begin(): Promise<void> {
    const { written, examined } = session;
    if (session.view !== "report" || !examined || session.mistake || (shown && session.isStill(shown))) return;
    files.replaceChildren();
    preview.replaceChildren();
    shown = written;
    if (examined.coordinates.length > SMALL) return;
    await build();
    if (session.isStill(written) && preview.firstChild) status.textContent = words.example;
  }

  function listed(file: TextFile, type: string): HTMLElement {
    const size = filled(words.size, { size: (new Blob([file.text]).size / 1000).toFixed(0) });
    const open = () => window.open(URL.createObjectURL(new Blob([file.text], { type: `${type};charset=utf-8` })), "_blank", "noopener");
    return make("li", {}, make("strong", {}, file.name), ` ${size} `,
      type === TYPES[".html"] && button(words.open, open), button(words.download, () => download(file.name, file.text, type)));
  }

  session.on("view", () => void begin());
  session.on("examined", () => void begin());
  session.on("place", () => void begin());
  const kinds: [string, string][] = [["", words.whole], ["exam", words.exam]];
  return make("div", { class: "report sheet" },
    make("h2", {}, words.title),
    make("div", { class: "bar" },
      choice(words.kind, kinds, "", (kind) => (exam = kind !== "")),
      choice(words.language, Object.entries(NAMES), lang, (value) => (lang = value)),
      choice(words.format, Object.entries(words.formats), format, (value) => (format = value)),
      notationChoice(session)),
    make("fieldset", { class: "bar" }, make("legend", {}, words.routes), ...boxes),
    make("p", { class: "line" }, button(words.build, () => void build(), { class: "main", "data-do": "report" })),
    status, files, preview);
}
