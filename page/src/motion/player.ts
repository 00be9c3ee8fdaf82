// Plays a motion: orders the worker, keeps the samples, and shows the last one, or the one that somebody looks for.
import type { ArmView } from "../arm/view.ts";
import { Kinematics } from "../arm/kinematics.ts";
import { wayOf } from "../arm/way.ts";
import type { DrawnArm, Motion } from "../messages.ts";
import { Host } from "./host.ts";
import type { Limit } from "./limits.ts";
import { layoutOf, Recording } from "./recording.ts";
import type { Report } from "./serve.ts";
import { EVERY, type Start, STEP } from "./simulation.ts";

const PATH = 300; // samples of the tool's way that are drawn,
const STRIDE = 2; // one of so many

export type Ending = "" | "lost" | "full" | "failed" | "limit";

export class Player {
  recording: Recording | null = null;
  horizon = Infinity;
  running = false;
  ended: Ending = "";
  /** What the worker said when it failed. */
  failure = "";
  /** The limit at which the motion ended. */
  reached: Limit | null = null;
  /** How many seconds of the motion are shown in one second. */
  speed = 1;
  /** The sample that is shown. */
  shown = 0;
  private readonly view: ArmView | null;
  private readonly serving: URL;
  private readonly changed: () => void;
  private host: Host | null = null;
  private kinematics: Kinematics | null = null;
  private starts = 0;
  private drawn = -1;
  private waiting = 0;

  /** `changed` is called at most once a frame, when other samples, or another one, are shown. */
  constructor(view: ArmView | null, serving: URL, changed: () => void) {
    this.view = view;
    this.serving = serving;
    this.changed = changed;
  }

  /** Takes another motion. */
  load(motion: Motion): void {
    this.unload();
    this.host = new Host(motion.module, this.serving, (report) => this.heard(report));
  }

  /** Goes to the start of a motion and waits there. */
  begin(arm: DrawnArm, motion: Motion, start: Start): void {
    this.pause();
    this.recording = new Recording(layoutOf(arm, motion.accounts, start.arms));
    [this.horizon, this.ended, this.shown, this.drawn, this.reached] = [Infinity, "", 0, -1, null];
    this.kinematics = new Kinematics(arm);
    this.view?.setGhosts(start.arms - 1);
    this.host?.order({ kind: "start", start, number: ++this.starts });
    if (!this.view || !this.host) return;
    const { host } = this;
    this.view.hand = {
      take: (link, point) => {
        // whoever pulls at an arm wants it to move
        if (!this.running) this.run(this.speed);
        host.order({ kind: "take", link, point });
      },
      pull: (target) => host.order({ kind: "pull", target }),
      release: () => host.order({ kind: "release" }),
    };
  }

  run(speed: number): void {
    this.speed = speed;
    if (this.ended) return;
    this.running = true;
    this.view?.hurry(true);
    this.shown = this.last;
    this.host?.order({ kind: "run", speed });
  }

  pause(): void {
    this.running = false;
    this.view?.hurry(false);
    this.host?.order({ kind: "run", speed: 0 });
  }

  set(damping: number[], gains: number[], limits: boolean): void {
    this.host?.order({ kind: "set", damping, gains, limits });
  }

  /** Shows the sample at a time [s]. */
  seek(time: number): void {
    this.pause();
    // the last sample is nearer to the one before than others are, where a limit ended the motion
    const isLast = time >= (this.recording?.time(this.last) ?? 0);
    this.shown = isLast ? this.last : Math.min(this.last, Math.max(0, Math.round(time / (EVERY * STEP))));
    this.soon();
  }

  get last(): number {
    return Math.max(0, (this.recording?.length ?? 0) - 1);
  }

  unload(): void {
    this.running = false;
    this.host?.dispose();
    this.host = null;
    if (this.view) this.view.hand = null;
  }

  dispose(): void {
    this.unload();
    cancelAnimationFrame(this.waiting);
  }

  private heard(report: Report): void {
    const { recording } = this;
    if (report.kind === "failed") {
      this.failure = report.text;
      this.end("failed");
      return;
    }
    // an order to begin anew may have crossed samples of the motion before
    if (!recording || report.number !== this.starts) return;
    const follows = this.shown === this.last;
    recording.append(report.rows);
    this.horizon = report.horizon;
    if (follows) this.shown = this.last;
    this.reached = report.reached;
    if (report.lost) this.end("lost");
    else if (report.reached) this.end("limit");
    else if (!recording.hasRoom) this.end("full");
    this.soon();
  }

  private end(ending: Ending): void {
    this.pause();
    this.ended = ending;
    this.soon();
  }

  private soon(): void {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
      this.changed();
    });
  }

  private draw(): void {
    const { recording, view } = this;
    if (!recording?.length || !view || this.shown === this.drawn) return;
    this.drawn = this.shown;
    const { rows, first, others } = recording.places(this.shown);
    view.pose(rows, first);
    if (recording.layout.arms > 1) view.poseGhosts(rows, others, recording.n);
    view.setPath(wayOf(this.kinematics!, recording, Math.max(0, this.shown - PATH), this.shown, STRIDE));
    // this is a frame already
    view.drawNow();
  }
}
