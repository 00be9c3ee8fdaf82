// The solids of an arm: rods along its links, drums and sleeves at its joints, a base, and a ball at the tool.
import {
  type BufferGeometry, BoxGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { DrawnArm } from "../messages.ts";
import { type Kinematics, originOf, type Vector } from "./kinematics.ts";
import { linkColour, type Look, SIZE } from "./look.ts";
import type { Outline } from "./outline.ts";

const SIDES = 20;
const UPRIGHT = new Vector3(0, 1, 0); // the axis of a cylinder as it is made

export class Solids {
  readonly root = new Group();
  /** What a pointer can take hold of: the meshes of each link. */
  readonly meshes: Mesh[] = [];
  private readonly groups: Group[];
  private readonly materials: MeshLambertMaterial[];
  private readonly dark: MeshLambertMaterial;
  private readonly end: MeshLambertMaterial;
  /** The shapes of each link in one material, which become one mesh: calls cost more than triangles. */
  private readonly shapes = new Map<string, { link: number; material: MeshLambertMaterial; parts: BufferGeometry[] }>();
  /** What closes loops: each a cylinder of length 1, which `place` stretches between two links. */
  private readonly closing: { ends: [number, number]; mesh: Mesh }[];
  private lit: ReadonlySet<number> = new Set();
  private look: Look;

  constructor(arm: DrawnArm, outline: Outline, look: Look) {
    this.look = look;
    const plain = () => new MeshLambertMaterial();
    // the base is the first group
    this.groups = [-1, ...arm.links.keys()].map(() => new Group());
    this.materials = this.groups.map(plain);
    this.dark = plain();
    this.end = plain();
    for (const group of this.groups) {
      group.matrixAutoUpdate = false;
      this.root.add(group);
    }
    const r = SIZE.rod * outline.reach;
    for (const { link, from, to } of outline.rods) this.rod(link, from, to, link < 0 ? 1.4 * r : r);
    for (const { link, point, axis, slides } of outline.joints) this.joint(link, point, axis, slides, outline.reach);
    this.base(outline, r);
    this.ball(arm.tool.link, originOf(arm.tool.pose), SIZE.tool * outline.reach, this.end);
    this.merge();
    const shape = new CylinderGeometry(0.7 * r, 0.7 * r, 1, SIDES);
    this.closing = arm.rods.map((ends) => ({ ends, mesh: new Mesh(shape, this.dark) }));
    for (const { mesh } of this.closing) this.root.add(mesh);
    this.setLook(look);
  }

  place(kinematics: Kinematics): void {
    kinematics.links.forEach((frame, k) => setMatrix(this.groups[k + 1]!, frame));
    const origin = (k: number) => new Vector3(...(k < 0 ? [0, 0, 0] as Vector : originOf(kinematics.links[k]!)));
    for (const { ends: [from, to], mesh } of this.closing) {
      const a = origin(from), b = origin(to);
      mesh.scale.y = a.distanceTo(b);
      mesh.position.lerpVectors(a, b, 0.5);
      mesh.quaternion.setFromUnitVectors(UPRIGHT, b.sub(a).normalize());
    }
  }

  /** Lights some links, by their places from 0; −1 is the base. */
  highlight(links: Iterable<number>): void {
    this.lit = new Set(links);
    this.setLook(this.look);
  }

  setLook(look: Look): void {
    this.look = look;
    this.dark.color.set(look.joint);
    this.end.color.set(look.tool);
    this.materials.forEach((material, k) => {
      const lit = this.lit.has(k - 1);
      material.color.set(lit ? look.lit : linkColour(look, k - 1));
      material.emissive.set(lit ? look.lit : 0);
      material.emissiveIntensity = lit ? 0.55 : 0;
      material.transparent = this.lit.size > 0 && !lit;
      material.opacity = material.transparent ? 0.35 : 1;
    });
  }

  dispose(): void {
    for (const mesh of [...this.meshes, ...this.closing.map((rod) => rod.mesh)]) mesh.geometry.dispose();
    for (const material of [...this.materials, this.dark, this.end]) material.dispose();
    this.root.clear();
  }

  private add(link: number, shape: BufferGeometry, material: MeshLambertMaterial, at: Vector3, along = UPRIGHT): void {
    const turn = new Quaternion().setFromUnitVectors(UPRIGHT, along);
    const key = `${link} ${material.id}`, group = this.shapes.get(key) ?? { link, material, parts: [] };
    group.parts.push(shape.applyMatrix4(new Matrix4().compose(at, turn, new Vector3(1, 1, 1))));
    this.shapes.set(key, group);
  }

  private merge(): void {
    for (const { link, material, parts } of this.shapes.values()) {
      const mesh = new Mesh(mergeGeometries(parts), material);
      for (const part of parts) part.dispose();
      mesh.userData["link"] = link;
      this.meshes.push(mesh);
      this.groups[link + 1]!.add(mesh);
    }
    this.shapes.clear();
  }

  private rod(link: number, from: Vector, to: Vector, radius: number): void {
    const a = new Vector3(...from), b = new Vector3(...to);
    const along = b.clone().sub(a), length = along.length(), material = this.materials[link + 1]!;
    this.add(link, new CylinderGeometry(radius, radius, length, SIDES), material, a.lerp(b, 0.5), along.divideScalar(length));
    this.ball(link, to, radius, material);
  }

  private ball(link: number, at: Vector, radius: number, material: MeshLambertMaterial): void {
    this.add(link, new SphereGeometry(radius, SIDES, SIDES / 2), material, new Vector3(...at));
  }

  private joint(link: number, point: Vector, axis: Vector, slides: boolean, reach: number): void {
    const r = SIZE.drum * reach, length = SIZE.drumLength * reach;
    const shape = slides ? new BoxGeometry(1.7 * r, 1.3 * length, 1.7 * r) : new CylinderGeometry(r, r, length, SIDES);
    this.add(link, shape, this.dark, new Vector3(...point), new Vector3(...axis));
  }

  private base({ up, normal }: Outline, r: number): void {
    // a flat arm is fixed to the wall behind it
    const away = new Vector3(...(normal ?? up)), shape = new CylinderGeometry(4 * r, 4 * r, 1.2 * r, 2 * SIDES);
    this.add(-1, shape, this.materials[0]!, away.clone().multiplyScalar(-3 * r), away);
  }
}

/** Gives an object the place of a frame. */
export function setMatrix(object: Group, f: ArrayLike<number>): void {
  const at = (i: number) => f[i]!;
  object.matrix.set(
    at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), 0, 0, 0, 1,
  );
  object.matrixWorldNeedsUpdate = true;
}
