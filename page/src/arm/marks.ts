// What can be switched on beside the solids: frames with their names, joint axes, centres of mass, ellipsoids, gravity, a scale.
import {
  ArrowHelper, type BufferGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group,
  Matrix4, Mesh, MeshBasicMaterial, type Object3D, Quaternion, SphereGeometry, Sprite, SpriteMaterial, SRGBColorSpace,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { DrawnArm } from "../messages.ts";
import { distance, Kinematics, originOf, STILL, type Vector } from "./kinematics.ts";
import { type Look, SIZE } from "./look.ts";
import { cellOf, type Outline } from "./outline.ts";
import { setMatrix } from "./solids.ts";

export const MARKS = ["frames", "names", "axes", "centres", "ellipsoids", "gravity", "scale"] as const;
export type Mark = (typeof MARKS)[number];
const SIGN = 1.6; // the size of what is said of the whole picture, over that of names
const AXES: [Vector, number][] = [[[1, 0, 0], 0xd32f2f], [[0, 1, 0], 0x2e9d44], [[0, 0, 1], 0x2a62d9]];

export class Marks {
  readonly root = new Group();
  /** Both ends of the arrow of gravity, if there is one. */
  readonly ends: Vector[] = [];
  private readonly kinds = new Map<Mark, Group[]>();
  private readonly groups: Group[];
  private readonly disposals: (() => void)[] = [];

  /** outline: without the plane of motion where a flat arm is seen in space */
  constructor(arm: DrawnArm, outline: Outline, look: Look) {
    const { reach } = outline;
    // base, links, tool
    this.groups = [-1, ...arm.links.keys(), arm.links.length].map(() => new Group());
    for (const group of this.groups) {
      group.matrixAutoUpdate = false;
      this.root.add(group);
    }
    const triad = triadOf(SIZE.frame * reach), coloured = new MeshBasicMaterial({ vertexColors: true });
    this.disposals.push(() => triad.dispose(), () => coloured.dispose());
    const names = ["0", ...arm.links.map((link) => link.name), "tool"];
    this.groups.forEach((group, k) => {
      if (k <= arm.links.length) {
        this.add(group, "frames", new Mesh(triad, coloured));
      }
    });
    for (const [k, line] of linesOf(arm, reach).entries())
      this.add(this.groups[k]!, "names", this.label(names[k]!, [0, 0, 0], look, reach, line));
    for (const { link, point, axis } of outline.joints) {
      const length = SIZE.axis * reach, half = point.map((x, i) => x - (axis[i]! * length) / 2) as Vector;
      this.add(this.groups[link + 1]!, "axes", this.arrow(half, axis, length, look.axis));
    }
    arm.links.forEach((link, k) => {
      if (link.centre) this.add(this.groups[k + 1]!, "centres", this.centre(link.centre as Vector, look, reach));
      if (link.ellipsoid && link.centre)
        this.add(this.groups[k + 1]!, "ellipsoids", this.ellipsoid(link.centre as Vector, link.ellipsoid, look, reach));
    });
    if (Math.hypot(...(arm.gravity as Vector)) > 0) {
      const { from, down } = gravityArrow(outline);
      this.ends = arrowEnds(outline);
      this.add(this.groups[0]!, "gravity", this.arrow(from, down, SIZE.arrow * reach, look.gravity));
      this.add(this.groups[0]!, "gravity", this.label("g", from, look, SIGN * reach));
    }
    const cell = cellOf(reach), [wide, low] = outline.normal ? [0.9, -0.9] : [-0.75, -0.08];
    const corner = standing(outline, wide, low), back = sideways(outline).map((x) => -x) as Vector;
    this.add(this.groups[0]!, "scale", this.arrow(corner, back, cell, look.axis));
    const tip = corner.map((x, i) => x + back[i]! * cell) as Vector; // away from the base, which the letters would cover
    this.add(this.groups[0]!, "scale", this.label(`${cell} m`, tip, look, SIGN * reach, 1));
  }

  place(kinematics: Kinematics): void {
    setMatrix(this.groups[0]!, STILL);
    kinematics.links.forEach((frame, k) => setMatrix(this.groups[k + 1]!, frame));
    setMatrix(this.groups.at(-1)!, kinematics.tool());
  }

  show(mark: Mark, on: boolean): void {
    for (const group of this.kinds.get(mark) ?? []) group.visible = on;
  }

  dispose(): void {
    for (const dispose of this.disposals) dispose();
    this.root.clear();
  }

  private add(group: Group, mark: Mark, ...objects: Object3D[]): void {
    const held = new Group();
    held.add(...objects);
    group.add(held);
    this.kinds.set(mark, [...(this.kinds.get(mark) ?? []), held]);
  }

  private arrow(from: Vector, along: Vector, length: number, colour: number): ArrowHelper {
    const arrow = new ArrowHelper(new Vector3(...along), new Vector3(...from), length, colour, 0.22 * length, 0.12 * length);
    this.disposals.push(() => arrow.dispose());
    return arrow;
  }

  private centre(at: Vector, look: Look, reach: number): Mesh {
    const mesh = this.mesh(new MeshBasicMaterial({ color: look.centre, depthTest: false }));
    mesh.scale.setScalar(SIZE.centre * reach);
    mesh.position.set(...at);
    mesh.renderOrder = 2;
    return mesh;
  }

  private ellipsoid(at: Vector, { radii, axes }: { radii: number[]; axes: number[] }, look: Look, reach: number): Mesh {
    const mesh = this.mesh(new MeshBasicMaterial({ color: look.ellipsoid, transparent: true, opacity: 0.25, depthWrite: false }));
    // a rod's ellipsoid is a line, which must stay visible
    const r = radii.map((radius) => Math.max(radius, 1e-3 * reach));
    const a = (i: number) => axes[i]!;
    mesh.matrixAutoUpdate = false;
    mesh.matrix = new Matrix4().set(
      a(0) * r[0]!, a(1) * r[1]!, a(2) * r[2]!, at[0],
      a(3) * r[0]!, a(4) * r[1]!, a(5) * r[2]!, at[1],
      a(6) * r[0]!, a(7) * r[1]!, a(8) * r[2]!, at[2],
      0, 0, 0, 1,
    );
    mesh.renderOrder = 1;
    return mesh;
  }

  private mesh(material: MeshBasicMaterial): Mesh {
    const shape = new SphereGeometry(1, 24, 16);
    this.disposals.push(() => shape.dispose(), () => material.dispose());
    return new Mesh(shape, material);
  }

  /** Returns a text as a picture that always faces the eye; it is drawn, so that no text is read as markup. */
  private label(text: string, at: Vector, look: Look, reach: number, line = 0): Sprite {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d")!;
    const shown = text.length > 24 ? `${text.slice(0, 23)}…` : text, font = "600 44px system-ui, sans-serif";
    pen.font = font;
    canvas.width = Math.ceil(pen.measureText(shown).width) + 16;
    canvas.height = 60;
    pen.font = font;
    pen.fillStyle = look.text;
    pen.textBaseline = "middle";
    pen.fillText(shown, 8, 32);
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    const material = new SpriteMaterial({ map, depthTest: false });
    const sprite = new Sprite(material), height = 0.055 * reach;
    sprite.scale.set((height * canvas.width) / canvas.height, height, 1);
    sprite.center.set(Math.min(-0.06, (-0.6 * canvas.height) / canvas.width), 0.5 + line);
    sprite.position.set(...at);
    sprite.renderOrder = 3;
    this.disposals.push(() => map.dispose(), () => material.dispose());
    return sprite;
  }
}

/** Returns for the base, each link and the tool the line of its name: names of frames in one place stand below each other. */
function linesOf(arm: DrawnArm, reach: number): number[] {
  const home = new Kinematics(arm), frames = [STILL, ...home.links, home.tool()];
  const places = frames.map(originOf);
  return places.map((place, k) => places.slice(0, k).filter((other) => distance(other, place) < 0.09 * reach).length);
}

/** Returns the axes x, y and z as one shape with colours. */
function triadOf(length: number): BufferGeometry {
  const parts = AXES.flatMap(([axis, colour]) => {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...axis));
    const shaft = new CylinderGeometry(0.015 * length, 0.015 * length, 0.8 * length, 6).translate(0, 0.4 * length, 0);
    const tip = new ConeGeometry(0.06 * length, 0.22 * length, 8).translate(0, 0.89 * length, 0);
    return [shaft, tip].map((part) => part.applyQuaternion(turn).setAttribute("color", painted(part, colour)));
  });
  const whole = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return whole;
}

function painted(part: BufferGeometry, colour: number): Float32BufferAttribute {
  const { r, g, b } = new Color(colour), count = part.getAttribute("position").count;
  return new Float32BufferAttribute(Array.from({ length: count }, () => [r, g, b]).flat(), 3);
}

/** Returns both ends of the arrow of gravity. */
export function arrowEnds(outline: Outline): Vector[] {
  const { from, down } = gravityArrow(outline);
  return [from, from.map((x, i) => x + SIZE.arrow * outline.reach * down[i]!) as Vector];
}

/** Returns where the arrow of gravity begins, and its direction. */
function gravityArrow(outline: Outline): { from: Vector; down: Vector } {
  return { from: standing(outline, outline.normal ? 0.75 : 0.5, SIZE.arrow), down: outline.up.map((x) => -x) as Vector };
}

/** Returns a point beside the base and above it, both in parts of the reach. */
function standing(outline: Outline, beside: number, above: number): Vector {
  const aside = sideways(outline);
  return outline.up.map((x, i) => outline.reach * (beside * aside[i]! + above * x)) as Vector;
}

/** Returns a horizontal direction in which the arrow of gravity stands aside: in the plane of a flat arm. */
function sideways({ up, normal }: Outline): Vector {
  const z = new Vector3(...up), other = normal ? new Vector3(...normal) : new Vector3(0.3, 1, 0);
  const aside = z.clone().cross(other);
  if (aside.length() < 1e-6) aside.set(1, 0, 0).projectOnPlane(z);
  return aside.normalize().negate().toArray() as Vector;
}

