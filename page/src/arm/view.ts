// The 3-D view of an arm. It draws when something has changed, and leaves nothing behind when it is disposed of.
import {
  AmbientLight, BufferAttribute, BufferGeometry, DirectionalLight, GridHelper, Line, LineBasicMaterial, Quaternion,
  Scene, Vector3, WebGLRenderer,
} from "three";
import type { DrawnArm } from "../messages.ts";
import { Cameras } from "./cameras.ts";
import { Ghosts } from "./ghosts.ts";
import { Grab, type Hand } from "./grab.ts";
import { Kinematics } from "./kinematics.ts";
import { DARK, LIGHT, type Look } from "./look.ts";
import { type Mark, MARKS, Marks } from "./marks.ts";
import { cellOf, type Outline, outlined, pointsOf } from "./outline.ts";
import { Solids } from "./solids.ts";
import { isSoftware } from "./software.ts";

const AT_FIRST: Mark[] = ["frames", "gravity", "scale"];
const LONGEST_PATH = 4000; // points
const COARSE = 0.8; // pixels of the picture to one of the screen

/** Everything that belongs to one arm. */
interface Stage {
  arm: DrawnArm;
  outline: Outline;
  kinematics: Kinematics;
  solids: Solids;
  marks: Marks;
  cameras: Cameras;
  ghosts: Ghosts | null;
  path: Line;
  /** Takes the arm out of the scene. */
  remove: () => void;
  /** Frees what the graphics card holds of it. */
  dispose: () => void;
}

export class ArmView {
  /** What happens when somebody takes hold of a link; without a hand, every pointer turns the camera. */
  hand: Hand | null = null;
  private readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sized: ResizeObserver;
  private readonly software: boolean;
  private readonly shown = new Map<Mark, boolean>(MARKS.map((mark) => [mark, AT_FIRST.includes(mark)]));
  private readonly grab: Grab;
  private stage: Stage | null = null;
  private q: Float64Array = new Float64Array();
  private lit: number[] = [];
  private look: Look;
  private flat = true;
  private waiting = 0;
  private gone = false;
  /** Frees parts of earlier arms: called after the next arm is drawn, so that it can use their shaders. */
  private leaving: (() => void)[] = [];

  /** Throws an Error where the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement, dark = false) {
    this.canvas = canvas;
    this.look = dark ? DARK : LIGHT;
    this.software = isSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, alpha: false });
    this.hurry(false);
    const sun = new DirectionalLight(0xffffff, 2.2), back = new DirectionalLight(0xffffff, 0.7);
    sun.position.set(0.5, -0.8, 1);
    back.position.set(-0.7, 0.6, -0.4);
    this.scene.add(sun, back, new AmbientLight(0xffffff, 1.1));
    this.grab = new Grab(canvas, () => (this.hand && this.stage ? { ...this.stage, hand: this.hand } : null));
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(canvas);
  }

  /** Shows an arm, at its home or in the configuration `q`; the camera goes where all of it is seen. */
  setArm(arm: DrawnArm, q: ArrayLike<number> = new Float64Array(arm.coordinates.length)): void {
    this.q = Float64Array.from(q);
    this.build(arm);
  }

  /** Moves the arm: `q` has its coordinates from the element `from` on. */
  pose(q: ArrayLike<number>, from = 0): void {
    for (let i = 0; i < this.q.length; i++) this.q[i] = q[from + i]!;
    this.replace();
  }

  /** Shows `count` further arms as bare rods; 0 takes them away. */
  setGhosts(count: number): void {
    const stage = this.stage;
    if (!stage || (stage.ghosts?.count ?? 0) === count) return;
    this.dropGhosts(stage);
    if (count > 0) {
      stage.ghosts = new Ghosts(stage.outline, count);
      this.scene.add(stage.ghosts.mesh);
    }
    this.draw();
  }

  /** Moves the further arms: the coordinates of the first from the element `from` on, those of the next `stride` later. */
  poseGhosts(q: ArrayLike<number>, from: number, stride: number): void {
    const stage = this.stage;
    if (!stage?.ghosts) return;
    stage.ghosts.place(stage.kinematics, q, from, stride);
    stage.kinematics.place(this.q);
    this.draw();
  }

  /** Draws the way that the tool has taken, as points one after another. */
  setPath(points: Float32Array): void {
    const stage = this.stage;
    if (!stage) return;
    const at = stage.path.geometry.getAttribute("position") as BufferAttribute;
    const kept = points.subarray(Math.max(0, points.length - 3 * LONGEST_PATH));
    at.array.set(kept);
    at.needsUpdate = true;
    stage.path.geometry.setDrawRange(0, kept.length / 3);
    this.draw();
  }

  /** Switches frames, names, axes, centres of mass, ellipsoids, gravity or the scale on or off. */
  show(mark: Mark, on: boolean): void {
    this.shown.set(mark, on);
    this.stage?.marks.show(mark, on);
    this.draw();
  }

  isShown(mark: Mark): boolean {
    return this.shown.get(mark)!;
  }

  /** Lights links by their places from 0, until it is called again with others. */
  highlight(links: Iterable<number>): void {
    this.lit = [...links];
    this.stage?.solids.highlight(this.lit);
    this.draw();
  }

  /** Returns whether the arm moves in a plane, so that it can be seen flat. */
  get isPlanar(): boolean {
    return this.stage?.outline.normal != null;
  }

  get isFlat(): boolean {
    return this.flat;
  }

  /** Shows a planar arm flat, or in space. */
  setFlat(flat: boolean): void {
    this.flat = flat;
    if (this.stage && this.isPlanar) this.build(this.stage.arm);
  }

  setDark(dark: boolean): void {
    this.look = dark ? DARK : LIGHT;
    if (this.stage) this.build(this.stage.arm);
  }

  /** Returns where the links are, in the configuration that is shown. */
  get kinematics(): Kinematics | null {
    return this.stage?.kinematics.place(this.q) ?? null;
  }

  /** Returns a picture in PNG of what is shown. */
  picture(): Promise<Blob> {
    this.render();
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  }

  /** Returns the same as an address of data, at once. */
  pictureNow(): string {
    this.drawNow();
    return this.canvas.toDataURL("image/png");
  }

  dispose(): void {
    this.gone = true;
    cancelAnimationFrame(this.waiting);
    this.sized.disconnect();
    this.grab.dispose();
    this.clear();
    this.letGo();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** Draws at the next frame. */
  draw(): void {
    if (this.waiting || this.gone) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.render();
    });
  }

  /** Draws coarsely where the processor draws, as long as something moves; elsewhere always as finely as the screen is. */
  hurry(on: boolean): void {
    this.renderer.setPixelRatio(this.software ? (on ? COARSE : 1) : Math.min(2, globalThis.devicePixelRatio || 1));
    this.draw();
  }

  /** Draws at once what the next frame would draw. */
  drawNow(): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.render();
  }

  private render(): void {
    if (!this.stage) return;
    this.renderer.render(this.scene, this.stage.cameras.camera);
    this.letGo();
  }

  private letGo(): void {
    for (const dispose of this.leaving.splice(0)) dispose();
  }

  private build(arm: DrawnArm): void {
    this.clear();
    const outline = outlined(arm), kinematics = new Kinematics(arm).place(this.q);
    const solids = new Solids(arm, outline, this.look), marks = new Marks(arm, this.flat ? outline : { ...outline, normal: null }, this.look);
    const cameras = new Cameras(outline, this.flat, pointsOf(kinematics, outline), marks.ends, this.canvas, () => this.draw());
    const grid = this.grid(outline), path = this.path();
    const parts = [solids.root, marks.root, grid, path];
    this.scene.add(...parts);
    this.renderer.setClearColor(this.look.background);
    const remove = () => {
      this.scene.remove(...parts);
      cameras.dispose();
    };
    const dispose = () => {
      for (const part of [solids, marks, grid]) part.dispose();
      path.geometry.dispose();
      (path.material as LineBasicMaterial).dispose();
    };
    this.stage = { arm, outline, kinematics, solids, marks, cameras, ghosts: null, path, remove, dispose };
    for (const [mark, on] of this.shown) marks.show(mark, on);
    solids.highlight(this.lit);
    this.resize();
    this.replace();
  }

  private clear(): void {
    if (!this.stage) return;
    this.dropGhosts(this.stage);
    this.stage.remove();
    this.leaving.push(this.stage.dispose);
    this.stage = null;
  }

  private dropGhosts(stage: Stage): void {
    if (!stage.ghosts) return;
    this.scene.remove(stage.ghosts.mesh);
    stage.ghosts.dispose();
    stage.ghosts = null;
  }

  private replace(): void {
    if (!this.stage) return;
    const { kinematics, solids, marks } = this.stage;
    kinematics.place(this.q);
    solids.place(kinematics);
    marks.place(kinematics);
    this.draw();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.stage?.cameras.resize(width, height);
    this.draw();
  }

  /** Returns a floor, or for a flat arm the paper behind it. */
  private grid({ reach, up, normal }: Outline): GridHelper {
    const across = this.flat && normal ? normal : up, cell = cellOf(reach), cells = 2 * Math.ceil((1.3 * reach) / cell);
    const grid = new GridHelper(cells * cell, cells, ...this.look.grid);
    grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...across)));
    grid.position.set(...across).multiplyScalar(this.flat && normal ? -0.3 * reach : -0.08 * reach);
    return grid;
  }

  private path(): Line {
    const shape = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3 * LONGEST_PATH), 3));
    shape.setDrawRange(0, 0);
    const line = new Line(shape, new LineBasicMaterial({ color: this.look.path }));
    line.frustumCulled = false;
    return line;
  }
}
