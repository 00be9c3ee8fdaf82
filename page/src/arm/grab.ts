// A pointer takes hold of a link and pulls: a mouse, a pen or a finger. Elsewhere it moves the camera.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Cameras } from "./cameras.ts";
import { apply, inverse, type Kinematics, type Vector } from "./kinematics.ts";
import type { Outline } from "./outline.ts";
import type { Solids } from "./solids.ts";

/** What a hand does: `point` is in the link's own axes, `target` in those of the base. */
export interface Hand {
  take(link: number, point: Vector): void;
  pull(target: Vector): void;
  release(): void;
}
interface Reachable {
  solids: Solids;
  cameras: Cameras;
  kinematics: Kinematics;
  outline: Outline;
  hand: Hand;
}

export class Grab {
  private readonly canvas: HTMLCanvasElement;
  private readonly reachable: () => Reachable | null;
  private readonly ended = new AbortController();
  private readonly ray = new Raycaster();
  private held: { pointer: number; plane: Plane; hand: Hand; cameras: Cameras } | null = null;

  constructor(canvas: HTMLCanvasElement, reachable: () => Reachable | null) {
    this.canvas = canvas;
    this.reachable = reachable;
    // before the camera's controls hear of it
    const options = { capture: true, signal: this.ended.signal };
    canvas.addEventListener("pointerdown", (event) => this.down(event), options);
    canvas.addEventListener("pointermove", (event) => this.move(event), options);
    for (const end of ["pointerup", "pointercancel"] as const)
      canvas.addEventListener(end, (event) => this.up(event), options);
  }

  dispose(): void {
    this.letGo();
    this.ended.abort();
  }

  private down(event: PointerEvent): void {
    const there = this.held || event.button !== 0 ? null : this.reachable();
    if (!there) return;
    this.aim(event, there.cameras);
    const hit = this.ray.intersectObjects(there.solids.meshes, false)[0];
    const link = hit?.object.userData["link"] as number | undefined;
    if (!hit || link === undefined || link < 0) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    const towards = there.cameras.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(towards, hit.point);
    this.held = { pointer: event.pointerId, plane, hand: there.hand, cameras: there.cameras };
    there.hand.take(link, apply(inverse(there.kinematics.links[link]!), hit.point.toArray() as Vector));
    there.hand.pull(hit.point.toArray() as Vector);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.held?.pointer) return;
    event.stopImmediatePropagation();
    this.aim(event, this.held.cameras);
    const at = this.ray.ray.intersectPlane(this.held.plane, new Vector3());
    if (at) this.held.hand.pull(at.toArray() as Vector);
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.held?.pointer) return;
    event.stopImmediatePropagation();
    this.letGo();
  }

  private letGo(): void {
    this.held?.hand.release();
    this.held = null;
  }

  private aim(event: PointerEvent, cameras: Cameras): void {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1, y = 1 - (2 * (event.clientY - box.top)) / box.height;
    this.ray.setFromCamera(new Vector2(x, y), cameras.camera);
  }
}
