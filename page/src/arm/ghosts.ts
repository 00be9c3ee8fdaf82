// Many arms at once, as bare rods of one instanced mesh: a hundred of them are drawn in one call.
import { Color, CylinderGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { apply, type Kinematics } from "./kinematics.ts";
import { SIZE } from "./look.ts";
import type { Outline, Rod } from "./outline.ts";

const UPRIGHT = new Vector3(0, 1, 0);

export class Ghosts {
  readonly mesh: InstancedMesh;
  readonly count: number;
  private readonly rods: Rod[];
  private readonly shape: CylinderGeometry;
  private readonly material = new MeshLambertMaterial();

  constructor(outline: Outline, count: number) {
    this.rods = outline.rods.filter((rod) => rod.link >= 0);
    this.count = count;
    const r = 0.6 * SIZE.rod * outline.reach;
    this.shape = new CylinderGeometry(r, r, 1, 6, 1, true);
    this.mesh = new InstancedMesh(this.shape, this.material, Math.max(1, count * this.rods.length));
    this.mesh.frustumCulled = false;
    const colour = new Color();
    for (let arm = 0; arm < this.count; arm++) {
      colour.setHSL(0.02 + (0.75 * arm) / Math.max(1, this.count), 0.45, 0.68);
      this.rods.forEach((_, i) => this.mesh.setColorAt(arm * this.rods.length + i, colour));
    }
  }

  /** Places all arms: `q` has the coordinates of one after another, from the element `from` on. */
  place(kinematics: Kinematics, q: ArrayLike<number>, from: number, stride: number): void {
    const a = new Vector3(), b = new Vector3(), turn = new Quaternion(), size = new Vector3(1, 1, 1), M = new Matrix4();
    for (let arm = 0; arm < this.count; arm++) {
      kinematics.place(q, from + arm * stride);
      this.rods.forEach((rod, i) => {
        const frame = kinematics.links[rod.link]!;
        a.set(...apply(frame, rod.from));
        b.set(...apply(frame, rod.to)).sub(a);
        size.y = b.length();
        turn.setFromUnitVectors(UPRIGHT, b.divideScalar(size.y));
        M.compose(a.addScaledVector(b, size.y / 2), turn, size);
        this.mesh.setMatrixAt(arm * this.rods.length + i, M);
      });
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
    this.shape.dispose();
    this.material.dispose();
  }
}
