// Two cameras: one for space, with perspective, and one that looks across the plane of a flat arm's motion.
import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vector } from "./kinematics.ts";
import type { Outline } from "./outline.ts";

const ELEVATION = (20 * Math.PI) / 180;
const AZIMUTH = (-55 * Math.PI) / 180;
const OPENING = 34; // degrees
const MARGIN = 1.1;

export class Cameras {
  camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  private readonly half: number;
  /** The points that must be in the picture: how far beside and above its middle each is, over its distance from the eye. */
  private readonly seen: [number, number][];

  /** seen: points of a picture in space that are within it, whatever its shape */
  constructor(outline: Outline, flat: boolean, points: Vector[], seen: Vector[], canvas: HTMLCanvasElement, changed: () => void) {
    const across = flat ? outline.normal : null, all = points.map((point) => new Vector3(...point));
    // all that the arm can reach is in sight: a flat picture looks at its base, one in space at a point between base and arm
    const target = across ? new Vector3() : middle(all).multiplyScalar(0.6);
    this.half = (across ? 1.08 : 0.72) * outline.reach;
    this.camera = across
      ? new OrthographicCamera(-1, 1, 1, -1, 0.01 * outline.reach, 20 * outline.reach)
      : new PerspectiveCamera(OPENING, 1, 0.01 * outline.reach, 60 * outline.reach);
    const up = upward(outline, across);
    this.camera.up.copy(up);
    const way = across ? new Vector3(...across) : direction(up);
    const far = across ? 8 * outline.reach : this.half / Math.sin((OPENING * Math.PI) / 360);
    this.camera.position.copy(target).addScaledVector(way, far);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(target);
    this.controls.enableRotate = !across;
    if (across) {
      // the gesture that turns a picture in space moves a flat one
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
    }
    this.controls.minDistance = 0.1 * outline.reach;
    this.controls.maxDistance = 30 * outline.reach;
    this.controls.addEventListener("change", changed);
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.seen = seen.map((point) => {
      const { x, y, z } = new Vector3(...point).applyMatrix4(this.camera.matrixWorldInverse);
      return [Math.abs(x / z), Math.abs(y / z)];
    });
  }

  resize(width: number, height: number): void {
    const aspect = width / Math.max(1, height);
    if (this.camera instanceof OrthographicCamera) {
      const [x, y] = aspect > 1 ? [this.half * aspect, this.half] : [this.half, this.half / aspect];
      [this.camera.left, this.camera.right, this.camera.top, this.camera.bottom] = [-x, x, y, -y];
    } else {
      this.camera.aspect = aspect;
      // a narrow picture has across the opening that a broad one has from bottom to top
      const needed = this.seen.flatMap(([x, y]) => [x / aspect, y]).map((side) => MARGIN * side);
      const opening = Math.max(Math.tan((OPENING * Math.PI) / 360) / Math.min(1, aspect), ...needed);
      this.camera.fov = (2 * 180 * Math.atan(opening)) / Math.PI;
    }
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }
}

function middle(points: Vector3[]): Vector3 {
  const low = points[0]!.clone(), high = low.clone();
  for (const point of points) {
    low.min(point);
    high.max(point);
  }
  return low.lerp(high, 0.5);
}

/** Returns what is up in the picture: against gravity, or any direction in a flat picture with gravity along its normal. */
function upward({ up }: Outline, across: Vector | null): Vector3 {
  const z = new Vector3(...up);
  if (!across) return z;
  const flat = z.projectOnPlane(new Vector3(...across));
  if (flat.length() < 1e-6) flat.set(0, 1, 0).projectOnPlane(new Vector3(...across));
  if (flat.length() < 1e-6) flat.set(0, 0, 1);
  return flat.normalize();
}

function direction(up: Vector3): Vector3 {
  const other = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
  const x = other.projectOnPlane(up).normalize(), y = up.clone().cross(x);
  return x
    .multiplyScalar(Math.cos(ELEVATION) * Math.cos(AZIMUTH))
    .addScaledVector(y, Math.cos(ELEVATION) * Math.sin(AZIMUTH))
    .addScaledVector(up, Math.sin(ELEVATION));
}
