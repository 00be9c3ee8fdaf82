// The motion of an arm: its view, the fields, the controls, the curves and the ledger.
import { isDark, onTheme } from "../arm/theme.ts";
import type { Words } from "../languages/words.ts";
import { filled } from "../languages/words.ts";
import type { DrawnArm, Law, Motion } from "../messages.ts";
import { button, download, make } from "../shell/dom.ts";
import { ArmStage } from "../widget.ts";
import { Controls } from "./controls.ts";
import { Fields } from "./fields.ts";
import { Ledger } from "./ledger.ts";
import { Player } from "./player.ts";
import { type Curve, Plot } from "./plots.ts";

const REST = 250; // ms between two drawings of the curves, the clock and the ledger

/** What the panel needs of the page. */
export interface Around {
  words: Words;
  /** Where the script with `serve` is. */
  serving: URL;
  /** Returns the motion that Python writes, or null where Python refused the law: then the page has said why. */
  motion: (law: Law, texts: string[]) => Promise<Motion | null>;
  /** Returns the pose in which the arm is shown elsewhere. */
  pose: () => ArrayLike<number>;
  /** Returns what the fields were filled with before. */
  start: () => Record<string, string>;
  /** Is told what the fields have, when somebody has changed them. */
  started: (filled: Record<string, string>) => void;
}

export class MotionPanel {
  readonly element: HTMLElement;
  private readonly around: Around;
  private readonly stage: ArmStage;
  private readonly player: Player;
  private readonly side = make("div", { class: "motion-fields" });
  private readonly status = make("p", { class: "note", role: "status" });
  private readonly curves = make("div", { class: "plots" });
  private readonly table = make("div", { class: "scroll", tabindex: 0, role: "region" });
  private readonly controls: Controls;
  private readonly ended: () => void;
  private plots: Plot[] = [];
  private ledger: Ledger | null = null;
  private fields: Fields | null = null;
  private arm: DrawnArm | null = null;
  private name = "motion";
  private motion: Motion | null = null;
  private plotted = 0;
  private asked = 0;

  constructor(around: Around) {
    const words = around.words.motion;
    this.around = around;
    this.table.setAttribute("aria-label", words.ledger);
    this.stage = new ArmStage(around.words.arm);
    this.player = new Player(this.stage.view, around.serving, () => this.show());
    this.controls = new Controls(words, {
      toggle: () => this.toggle(),
      again: () => this.begin(),
      setSpeed: (speed) => this.setSpeed(speed),
      seek: (time) => this.player.seek(time),
    });
    const files = make("div", { class: "bar" },
      button(words.table, () => this.csv(), { "data-do": "csv" }),
      button(words.picture, () => void this.picture(), { "data-do": "picture" }));
    const left = make("div", { class: "stage" }, this.stage.element, this.controls.element, make("p", { class: "note" }, words.pull), this.status);
    this.element = make("div", { class: "motion" }, make("div", { class: "with-arm" }, left, this.side), this.curves, this.table, files);
    this.ended = onTheme(() => this.curve());
  }

  /** Takes another arm, or the same one changed; name: of files. */
  setArm(arm: DrawnArm, name: string): void {
    const { pose, words, start } = this.around;
    this.arm = arm;
    this.name = name;
    this.stage.setArm(arm, pose());
    this.fields = new Fields(arm, words.motion, { changed: (anew) => this.changed(anew), again: () => this.begin(), pose, start: start() });
    this.side.replaceChildren(this.fields.element);
    void this.prepare();
  }

  highlight(links: Iterable<number>): void {
    this.stage.view?.highlight(links);
  }

  dispose(): void {
    this.ended();
    this.player.dispose();
    this.dropCurves();
    this.stage.dispose();
  }

  /** Has Python write the motion, and goes to its start. */
  private async prepare(): Promise<void> {
    const { fields, around } = this, asked = ++this.asked;
    this.player.unload();
    this.motion = null;
    this.controls.setRunning(false, false);
    this.status.textContent = around.words.motion.preparing;
    const motion = await around.motion(fields!.law, fields!.texts);
    if (asked !== this.asked) return;
    this.status.textContent = "";
    if (!motion) return;
    this.motion = motion;
    this.player.load(motion);
    this.ledger = new Ledger(motion.accounts, around.words.motion);
    this.table.replaceChildren(this.ledger.element);
    this.begin();
  }

  private changed(anew: boolean): void {
    this.around.started(this.fields!.filled);
    if (anew) void this.prepare();
    else if (!this.player.running) this.begin();
    else if (this.fields!.start(0)) this.player.set(this.fields!.damping, this.fields!.gains, this.fields!.limits);
  }

  private begin(): void {
    const start = this.motion && this.fields?.start(this.motion.size);
    this.controls.setRunning(false, !!start);
    if (!start) return;
    this.player.begin(this.arm!, this.motion!, start);
    this.curve();
    this.show();
  }

  private toggle(): void {
    if (this.player.running) this.player.pause();
    else this.player.run(this.player.speed);
    this.plotted = 0;
    this.show();
  }

  private setSpeed(speed: number): void {
    this.player.speed = speed;
    if (this.player.running) this.player.run(speed);
  }

  private show(): void {
    const { recording, shown, running } = this.player;
    const now = performance.now();
    // where the processor draws, each change of the page around the canvas costs as much as a frame
    if (running && now - this.plotted < REST) return;
    this.plotted = now;
    this.controls.setRunning(running, !!this.motion && this.player.ended === "");
    if (!recording?.length) return;
    this.controls.setTime(recording.time(shown), recording.time(this.player.last));
    this.ledger?.show(recording, shown);
    for (const plot of this.plots) plot.show(recording, { horizon: this.player.horizon, shown: recording.time(shown) });
    this.status.textContent = this.said();
  }

  private said(): string {
    const words = this.around.words.motion, { ended, horizon } = this.player;
    const trust = horizon < Infinity ? filled(words.horizon, { time: horizon.toFixed(2) }) : words.trusted;
    if (ended === "failed") return this.player.failure;
    const why = ended === "limit" ? this.limitSaid() : ended && words[ended];
    return [why, trust].filter(Boolean).join(" ");
  }

  private limitSaid(): string {
    const words = this.around.words.motion, { recording, reached, last } = this.player;
    const side = reached!.upper ? words.upper : words.lower, joint = recording!.layout.coordinates[reached!.joint]!;
    return filled(last ? words.reached : words.beyond, { joint, side, time: recording!.time(last).toFixed(3) });
  }

  /** Draws the curves anew, in the colours of light or dark. */
  private curve(): void {
    const { recording } = this.player, words = this.around.words.motion;
    this.dropCurves();
    if (!recording) return;
    const { coordinates, turns } = recording.layout;
    const unit = turns.every(Boolean) ? "rad" : turns.some(Boolean) ? "rad, m" : "m";
    const states = coordinates.map((name, i): Curve => ({ name, value: (of, k) => of.coordinate(k, i) }));
    const energies: Curve[] = [
      { name: "K", value: (of, k) => of.kinetic(k) },
      { name: "P", value: (of, k) => of.potential(k) },
      { name: "E", value: (of, k) => of.energy(k) },
    ];
    this.plots = [[words.coordinates, unit, states], [words.energies, "J", energies]].map(([title, unit, curves]) => {
      const place = make("div");
      this.curves.append(place);
      return new Plot(place, title as string, unit as string, curves as Curve[], isDark(), words.doubted, (time) => this.player.seek(time));
    });
    this.plotted = 0;
  }

  private dropCurves(): void {
    for (const plot of this.plots) plot.dispose();
    this.plots = [];
    this.curves.replaceChildren();
  }

  private csv(): void {
    if (this.player.recording) download(`${this.name}.csv`, this.player.recording.csv(), "text/csv");
  }

  private async picture(): Promise<void> {
    const blob = await this.stage.view?.picture();
    if (!blob) return;
    const address = URL.createObjectURL(blob), link = make("a", { href: address, download: `${this.name}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
