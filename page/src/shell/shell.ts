// The frame of the page: its head, the tabs of the views, the state of Python, language and theme.
import type { State } from "../python/client.ts";
import { armView } from "../views/arm.ts";
import { armBeside } from "../views/beside.ts";
import { checkView } from "../views/check.ts";
import { equationsView } from "../views/equations.ts";
import { motionView } from "../views/motion.ts";
import { reportView } from "../views/report.ts";
import { robotView } from "../views/robot.ts";
import { filled, NAMES, spoken, wordsOf } from "../languages/words.ts";
import { button, make } from "./dom.ts";
import { help } from "./help.ts";
import type { Opening } from "./opening.ts";
import type { Session } from "./session.ts";
import { keep, recalled } from "./storage.ts";
import { titleOf } from "./titles.ts";

const LANG = "qddot.lang", THEME = "qddot.theme";
export const VIEWS = { robot: robotView, arm: armView, equations: equationsView, motion: motionView, check: checkView, report: reportView } as const;
type View = keyof typeof VIEWS;
const FIRST: View = "arm"; // where an address asks for nothing

export class Shell {
  private readonly session: Session;
  private readonly opening: Opening;
  private readonly root = make("div", { class: "page" });
  private readonly pill = make("div", { class: "pill", role: "status" });
  private views = {} as Record<View, HTMLElement>;
  private state: [State, string] = ["starting", ""];

  constructor(session: Session, opening: Opening) {
    this.session = session;
    this.opening = opening;
    const asked = new URLSearchParams(location.hash.slice(1)), view = asked.get("view") ?? "";
    if (Object.hasOwn(VIEWS, view)) session.view = view;
    else if (!location.hash) session.view = FIRST;
    session.lang = session.python.lang = spoken(asked.get("lang") ?? recalled(LANG) ?? navigator.language);
    const theme = asked.get("theme") ?? recalled(THEME);
    if (theme) document.documentElement.dataset["theme"] = theme;
    document.body.prepend(this.root);
    this.build();
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Builds the page in the session's language. */
  private build(): void {
    const words = this.session.words;
    document.documentElement.lang = this.session.lang;
    document.title = words.title;
    this.session.forget();
    const main = make("main", { id: "content", tabindex: -1 });
    const title = make("h1", {});
    const tabs = make("nav", { "aria-label": words.title });
    const others = Object.keys(NAMES).filter((lang) => lang !== this.session.lang);
    this.root.replaceChildren(
      make("a", { class: "skip", href: "#content", onclick: (event: Event) => (event.preventDefault(), main.focus()) }, words.skip),
      make("header", {},
        make("div", { class: "brand" }, make("span", { class: "mark", "aria-hidden": "true" }, "q̈"), "qddot"), title, tabs,
        make("div", { class: "tools" }, this.pill,
          button("?", () => help(this.session), { class: "quiet", "aria-label": words.help.button, title: words.help.button }),
          ...others.map((lang) => button(NAMES[lang]!, () => this.speak(lang), { class: "quiet", lang })),
          button("◐", () => this.turn(), { class: "quiet", "aria-label": words.theme, title: words.theme }))),
      main,
    );
    const show = () => {
      const name = this.session.view as View;
      tabs.replaceChildren(...(Object.keys(VIEWS) as View[]).map((view) =>
        button(words.views[view], () => this.go(view), { "aria-current": view === name ? "page" : undefined as never, "data-view": view })));
      if (main.firstElementChild !== this.views[name]) main.replaceChildren(this.views[name]);
    };
    this.session.on("view", show); // before the views hear of it, so that one knows that it stands on the page
    const beside = armBeside(this.session);
    for (const view of Object.keys(VIEWS) as View[]) this.views[view] = VIEWS[view](this.session, this.opening, beside);
    const entitle = () => (title.textContent = this.title());
    this.session.on("robot", entitle);
    entitle();
    this.session.tell("view");
    this.python(...this.state);
  }

  /** The title of the robot that is open, which says whether it was edited. */
  private title(): string {
    const { isEdited, words } = this.session, title = titleOf(this.session, this.opening.zoo);
    return isEdited ? filled(words.edited, { title }) : title;
  }

  private go(view: View): void {
    this.session.view = view;
    this.session.tell("view");
  }

  private speak(lang: string): void {
    this.session.speak(lang);
    keep(LANG, lang);
    this.build();
    this.session.tell("robot");
    this.session.tell("examined");
  }

  private turn(): void {
    const dark = document.documentElement.dataset["theme"]
      ? document.documentElement.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset["theme"] = dark ? "light" : "dark";
    keep(THEME, document.documentElement.dataset["theme"]);
  }

  /** Says what Python is doing; a long computation can be stopped. */
  python(state: State, detail: string): void {
    const { python: words, doing } = wordsOf(this.session.lang);
    this.state = [state, detail];
    this.pill.className = `pill ${state}`;
    this.pill.dataset["python"] = state;
    this.pill.title = state === "failed" ? detail : words.why;
    const ready = state === "ready" && detail ? filled(words.readyIn, { seconds: detail }) : "";
    const text = ready || (state === "busy" ? doing[detail] : "") || words[state];
    this.pill.replaceChildren(make("span", { class: "dot" }), text);
    if (state === "busy") this.pill.append(button(words.stop, () => this.session.python.cancel(), { class: "quiet" }));
  }

  private key(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target.value !== event.target.defaultValue);
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || typing) return;
    event.preventDefault();
    if (event.shiftKey) this.session.redo();
    else this.session.undo();
  }
}
