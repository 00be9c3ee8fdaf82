import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Vector3 } from "three";
import { apply, distance, dot, inverse, Kinematics, multiply, originOf, rollPitchYaw, STILL, type Vector } from "../src/arm/kinematics.ts";
import { Cameras } from "../src/arm/cameras.ts";
import { arrowEnds } from "../src/arm/marks.ts";
import { cellOf, outlined, pointsOf } from "../src/arm/outline.ts";
import { lengthText, turnText, typed } from "../src/arm/quantities.ts";
import type { DrawnArm } from "../src/messages.ts";

const folder = process.env["MOTIONS"]!;
const arms = new Map<string, DrawnArm>(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(".json", ""), (JSON.parse(readFileSync(join(folder, name), "utf8")) as { arm: DrawnArm }).arm]),
);
const named = (name: string) => arms.get(name)!;

test("a frame times its inverse stands still", () => {
  const frame = new Kinematics(named("elbow_3r")).place([0.3, -1.2, 2]).links[2]!;
  multiply(frame, inverse(frame), STILL.slice()).forEach((entry, i) => assert.ok(Math.abs(entry - STILL[i]!) < 1e-14));
});

test("roll, pitch and yaw make the frame again", () => {
  for (const [roll, pitch, yaw] of [[0.3, -0.8, 2], [-2, 1.2, -3], [0, Math.PI / 2, 0.4], [0, -Math.PI / 2, -1]] as Vector[]) {
    const [a, b, c] = [roll, pitch, yaw].map((x) => [Math.cos(x), Math.sin(x)] as const);
    const x = Float64Array.of(1, 0, 0, 0, 0, a![0], -a![1], 0, 0, a![1], a![0], 0);
    const y = Float64Array.of(b![0], 0, b![1], 0, 0, 1, 0, 0, -b![1], 0, b![0], 0);
    const z = Float64Array.of(c![0], -c![1], 0, 0, c![1], c![0], 0, 0, 0, 0, 1, 0);
    const frame = multiply(z, multiply(y, x, STILL.slice()), STILL.slice());
    rollPitchYaw(frame).forEach((angle, i) => assert.ok(Math.abs(angle - [roll, pitch, yaw][i]!) < 1e-7));
  }
});

test("arms whose axes are parallel are planar, and only those", () => {
  for (const [name, planar] of [["two_link", true], ["rp", true], ["spatial_2r", false], ["elbow_3r", false]] as const)
    assert.equal(outlined(named(name)).normal !== null, planar, name);
});

test("every point of a planar arm stays in its plane", () => {
  const arm = named("two_link"), outline = outlined(arm), kinematics = new Kinematics(arm);
  for (const q of [[0.4, 2], [-1, 0.3], [3, -2]])
    for (const point of pointsOf(kinematics.place(q), outline)) assert.ok(Math.abs(dot(point, outline.normal!)) < 1e-12);
});

test("rods lead from the base to the tool without a gap", () => {
  for (const name of ["two_link", "spatial_2r", "elbow_3r"]) {
    const arm = named(name), outline = outlined(arm), kinematics = new Kinematics(arm).place(arm.coordinates.map((_, i) => 0.4 + i));
    const ends = outline.rods.map(({ link, from, to }) => {
      const frame = kinematics.links[link] ?? STILL;
      return [apply(frame, from), apply(frame, to)] as const;
    });
    const reached: Vector[] = [originOf(STILL)];
    for (let more = true; more; ) {
      const next = ends.flat().filter((end) => !reached.some((each) => distance(each, end) < 1e-9));
      const joined = next.find((end) => ends.some(([a, b]) => [[a, b], [b, a]].some(([x, y]) => y === end && reached.some((each) => distance(each, x!) < 1e-9))));
      more = joined !== undefined;
      if (joined) reached.push(joined);
    }
    assert.ok(reached.some((each) => distance(each, originOf(kinematics.tool())) < 1e-9), name);
    assert.ok(outline.reach > 0);
  }
});

test("up is against gravity", () => {
  const { up } = outlined(named("spatial_2r"));
  assert.deepEqual(up.map((x) => x + 0), [-1, 0, 0]);
});

test("cells are round and a fair part of the arm", () => {
  for (const reach of [0.013, 0.4, 1, 3.9, 4, 72]) {
    const cell = cellOf(reach);
    assert.match(cell.toExponential(), /^[125]e/);
    assert.ok(cell <= reach / 4 && cell > reach / 10.1);
  }
});

test("angles are typed and said in degrees", () => {
  assert.equal(turnText(-Math.PI / 2), "−90.0°");
  assert.equal(turnText(-1e-9), "0.0°");
  assert.equal(lengthText(-0.25), "−0.250 m");
  assert.ok(Math.abs(typed(" −90° ", true) + Math.PI / 2) < 1e-15);
  assert.equal(typed("0.5", false), 0.5);
  for (const wrong of ["", "x", "1,5", "90 deg", "=1+1"]) assert.ok(Number.isNaN(typed(wrong, true)), wrong);
});

test("the arrow of gravity is within the picture, broad or narrow, flat or in space, for every robot that ships", () => {
  const drawn = join(folder, "drawn");
  const canvas = { style: {}, clientWidth: 1, clientHeight: 1, addEventListener() {}, removeEventListener() {}, getRootNode: () => canvas, ownerDocument: { addEventListener() {}, removeEventListener() {} } };
  for (const name of readdirSync(drawn)) {
    const arm = JSON.parse(readFileSync(join(drawn, name), "utf8")) as DrawnArm;
    const outline = outlined(arm), points = pointsOf(new Kinematics(arm), outline);
    for (const flat of [true, false]) {
      const ends = arrowEnds(flat ? outline : { ...outline, normal: null });
      const cameras = new Cameras(outline, flat, points, ends, canvas as unknown as HTMLCanvasElement, () => {});
      for (const [width, height] of [[800, 400], [350, 390]] as const) {
        cameras.resize(width, height);
        cameras.camera.updateMatrixWorld();
        for (const end of ends) {
          const { x, y } = new Vector3(...end).project(cameras.camera);
          assert.ok(Math.abs(x) < 0.98 && Math.abs(y) < 0.98, `${name}, ${flat ? "flat" : "in space"}, ${width}: ${x}, ${y}`);
        }
      }
    }
  }
});
