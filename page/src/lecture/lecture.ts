// Shows equations large and alone, for a lecture hall: keys go to the next quantity, the next route, and the next step.
import { LetGo } from "../python/client.ts";
import { explained } from "../languages/words.ts";
import { button, make } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { ALL, ROUTES } from "../views/quantities.ts";
import { equationsOf, type Slide, walkOf } from "./walk.ts";

const LARGEST = 2.4, SMALLEST = 1, SHRINK = 0.92; // rem, and the factor from one try to the next
const REST = 2500; // ms without a pointer's move until the foot goes

export class Lecture {
  private readonly session: Session;
  private readonly title: string;
  private readonly dialog: HTMLDialogElement;
  private readonly head = make("p", { class: "head" });
  private readonly content = make("div", { class: "content", "aria-live": "polite" });
  private readonly body: HTMLElement;
  private readonly count = make("span", { class: "count" });
  private readonly foot: HTMLElement;
  private slides: Slide[] = [];
  /** The slide of the walk that is shown, or −1 where a quantity is. */
  private step = -1;
  private turn = 0;
  private timer = 0;

  /** title: what the arm is called */
  constructor(session: Session, title: string) {
    this.session = session;
    this.title = title;
    const words = session.words.lecture;
    this.body = make("div", { class: "body", tabindex: 0, role: "region", "aria-label": words.title }, this.content);
    this.foot = make("div", { class: "foot" },
      button("←", () => this.quantity(-1), { "aria-label": words.before }), words.quantity, button("→", () => this.quantity(1), { "aria-label": words.next }),
      button("R", () => this.route(1), { "aria-label": `R: ${words.nextRoute}` }), words.route,
      button("↑", () => this.walk(-1), { "aria-label": words.stepBefore }), words.step, button("↓", () => this.walk(1), { "aria-label": words.nextStep }),
      button("Esc", () => this.dialog.close(), { "aria-label": `Esc: ${words.ended}` }), words.ended, this.count);
    this.dialog = make("dialog", { class: "lecture", "aria-label": words.title, onclose: () => this.closed() }, this.head, this.body, this.foot);
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("pointermove", () => this.stir());
  }

  open(): void {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.dialog.requestFullscreen?.().catch(() => {}); // a browser may refuse
    window.addEventListener("resize", this.fit);
    document.addEventListener("fullscreenchange", this.left);
    this.body.focus();
    this.stir();
    void this.show();
  }

  private closed(): void {
    window.removeEventListener("resize", this.fit);
    document.removeEventListener("fullscreenchange", this.left);
    if (document.fullscreenElement) void document.exitFullscreen();
    this.turn += 1;
    this.dialog.remove();
  }

  private key(event: KeyboardEvent): void {
    const act = {
      ArrowRight: () => this.quantity(1), ArrowLeft: () => this.quantity(-1), r: () => this.route(event.shiftKey ? -1 : 1),
      ArrowDown: () => this.walk(1), PageDown: () => this.walk(1), " ": () => this.walk(1),
      ArrowUp: () => this.walk(-1), PageUp: () => this.walk(-1),
    }[event.key === "R" ? "r" : event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    act();
  }

  private quantity(by: number): void {
    const { session } = this, now = this.step < 0 ? by : 0, place = Math.max(0, ALL.indexOf(session.quantity));
    this.step = -1;
    session.look({ quantity: ALL[(place + now + ALL.length) % ALL.length]! });
    void this.show();
  }

  private route(by: number): void {
    const { session } = this;
    this.slides = [];
    if (this.step > 0) this.step = 0;
    session.look({ route: ROUTES[(Math.max(0, ROUTES.indexOf(session.route)) + by + ROUTES.length) % ROUTES.length]! });
    void this.show();
  }

  private walk(by: number): void {
    if (this.scrolled(by)) return;
    if (this.step + by < -1 || (this.slides.length && this.step + by >= this.slides.length)) return;
    this.step += by;
    void this.show();
  }

  /** Goes on in a slide that is longer than the screen. Returns whether there was more of it. */
  private scrolled(by: number): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.body;
    const isMore = this.step >= 0 && (by > 0 ? scrollTop + clientHeight < scrollHeight - 2 : scrollTop > 2);
    if (isMore) this.body.scrollBy({ top: by * 0.8 * clientHeight });
    return isMore;
  }

  private async show(): Promise<void> {
    const { session, content } = this, mine = ++this.turn, words = session.words;
    const { quantity, route } = session, [names, routes] = [words.equations.names, words.equations.routes];
    content.classList.add("waiting");
    try {
      const drawn = this.step < 0 ? await this.written() : (await this.walked())[this.step]!();
      if (mine !== this.turn) return;
      content.replaceChildren(...drawn);
      this.body.scrollTop = 0;
    } catch (error) {
      if (error instanceof LetGo || mine !== this.turn) return;
      content.replaceChildren(make("p", { class: "mistake", role: "alert" }, explained(error, words)));
    }
    content.classList.remove("waiting");
    this.head.textContent = [this.title, this.step < 0 ? names[quantity] : "", routes[route]].filter(Boolean).join(" · ");
    this.count.textContent = this.step < 0 ? "" : `${this.step + 1} / ${this.slides.length}`;
    this.fit();
  }

  private async written(): Promise<HTMLElement[]> {
    const { session } = this, { written, route, quantity: name } = session;
    const asked = { ...written, route, form: written.robot.equations ? "normal" : session.form, name } as const;
    const found = await session.python.ask("equations", asked, { topic: "lecture" });
    return equationsOf(found, session, (numbers) => session.python.ask("more", { ...asked, numbers }));
  }

  private async walked(): Promise<Slide[]> {
    if (!this.slides.length) this.slides = await walkOf(this.session, this.session.route);
    return this.slides;
  }

  /** Makes the letters as large as the slide has room for. */
  private readonly fit = (): void => {
    const { content, body } = this;
    const fits = () => body.scrollHeight <= body.clientHeight + 1 && [body, ...content.querySelectorAll(".cells, .right")].every((each) => each.scrollWidth <= each.clientWidth + 1);
    for (let size = LARGEST; size >= SMALLEST; size *= SHRINK) {
      content.style.fontSize = `${size}rem`;
      if (fits()) return;
    }
  };

  /** Whoever leaves the full screen leaves the lecture. */
  private readonly left = (): void => {
    if (!document.fullscreenElement) this.dialog.close();
  };

  /** Shows the foot as long as a pointer moves. */
  private stir(): void {
    window.clearTimeout(this.timer);
    this.foot.classList.remove("gone");
    this.timer = window.setTimeout(() => this.foot.classList.add("gone"), REST);
  }
}
