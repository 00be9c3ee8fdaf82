// Curves over time: the coordinates, and the energies with their imbalance; the horizon of trust stands in both.
import uPlot from "uplot";
import type { Recording } from "./recording.ts";

const MOST = 1200; // points of a curve
const COLOURS = ["#2f6fb0", "#d0672b", "#3c9a5f", "#a3518c", "#c2a12a", "#3b9db3", "#8a5fc0"];

/** A curve: what it is called, and its value in a sample. */
export interface Curve {
  name: string;
  value: (recording: Recording, k: number) => number;
}
export interface Marked {
  /** The time until which the motion is reliable [s], and the time that is shown. */
  horizon: number;
  shown: number;
}

export class Plot {
  private readonly plot: uPlot;
  private readonly curves: Curve[];
  private readonly sized: ResizeObserver;
  private marked: Marked = { horizon: Infinity, shown: 0 };

  constructor(root: HTMLElement, title: string, unit: string, curves: Curve[], dark: boolean, horizon: string, seek: (time: number) => void) {
    this.curves = curves;
    const ink = dark ? "#d1d5db" : "#374151", grid = { stroke: dark ? "#2a313c" : "#e5e7eb", width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: "12px system-ui, sans-serif" };
    this.plot = new uPlot(
      {
        title: `${title} [${unit}]`,
        width: Math.max(200, root.clientWidth),
        height: 190,
        scales: { x: { time: false, range: ({ data }, from, to) => span(from, data[0].length === 1 ? from : to, 0, 1) }, y: { range: (_, from, to) => span(from, to, -1, 1) } },
        axes: [axis, { ...axis, size: 58 }],
        series: [{ label: "t [s]" }, ...curves.map(({ name }, i) => ({ label: name, stroke: COLOURS[i % COLOURS.length]!, width: 1.5, points: { show: false } }))],
        cursor: { drag: { x: false, y: false } },
        hooks: { draw: [(plot) => this.mark(plot, ink, horizon)], ready: [(plot) => listen(plot, seek)] },
      },
      [[], ...curves.map(() => [])],
      root,
    );
    this.sized = new ResizeObserver(() => {
      if (root.clientWidth) this.plot.setSize({ width: root.clientWidth, height: 190 });
    });
    this.sized.observe(root);
  }

  show(recording: Recording, marked: Marked): void {
    this.marked = marked;
    const stride = Math.max(1, Math.ceil(recording.length / MOST)), places: number[] = [];
    for (let k = 0; k < recording.length; k += stride) places.push(k);
    const curves = this.curves.map(({ value }) => places.map((k) => value(recording, k)));
    this.plot.setData([places.map((k) => recording.time(k)), ...curves]);
  }

  dispose(): void {
    this.sized.disconnect();
    this.plot.destroy();
  }

  /** Draws the time that is shown, and a veil over the part that is not reliable. */
  private mark(plot: uPlot, ink: string, horizon: string): void {
    const { ctx, bbox } = plot, right = bbox.left + bbox.width;
    const x = (time: number) => plot.valToPos(time, "x", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (this.marked.horizon < Infinity) {
      const from = Math.max(bbox.left, x(this.marked.horizon));
      ctx.fillStyle = "rgba(220, 80, 60, 0.14)";
      ctx.fillRect(from, bbox.top, Math.max(0, right - from), bbox.height);
      ctx.fillStyle = ink;
      ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
      ctx.textAlign = "left";
      ctx.fillText(horizon, from + 4 * devicePixelRatio, bbox.top + 14 * devicePixelRatio);
    }
    ctx.strokeStyle = ink;
    ctx.beginPath();
    ctx.moveTo(x(this.marked.shown), bbox.top);
    ctx.lineTo(x(this.marked.shown), bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

/** Returns what an axis shows: somewhat more than there is, and a little where there is nothing yet. */
function span(from: number | null, to: number | null, low: number, high: number): [number, number] {
  if (from === null || to === null || !Number.isFinite(from + to)) return [low, high];
  if (from === to) return low < 0 ? [from - 1, to + 1] : [from, from + high];
  const margin = low < 0 ? 0.08 * (to - from) : 0;
  return [from - margin, to + margin];
}

/** A press on a plot shows the arm at that time. */
function listen(plot: uPlot, seek: (time: number) => void): void {
  plot.over.addEventListener("click", (event) => seek(plot.posToVal(event.offsetX, "x")));
}
