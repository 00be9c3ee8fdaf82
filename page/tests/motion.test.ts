import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { apply, Kinematics, type Vector } from "../src/arm/kinematics.ts";
import { wayOf } from "../src/arm/way.ts";
import type { DrawnArm, Moving } from "../src/messages.ts";
import { cell, layoutOf, Recording } from "../src/motion/recording.ts";
import { Samples } from "../src/motion/playback.ts";
import { type Order, type Report, serve, type Site } from "../src/motion/serve.ts";
import { EVERY, Simulation, type Start, STEP } from "../src/motion/simulation.ts";

/** A motion that the native library has run, and what the page needs to run it. */
interface Motion {
  name: string;
  arm: DrawnArm;
  size: number;
  accounts: string[];
  start: Omit<Start, "arm" | "size">;
  time: number[];
  q: number[][];
  K: number[];
  P: number[];
  poses: { q: number[]; T: number[] }[];
  stops: { time: number; q: number[]; reason: string }[];
}
const folder = process.env["MOTIONS"]!;
const motions: Motion[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Motion);
const load = (name: string) => import(pathToFileURL(join(folder, `${name}.mjs`)).href) as Promise<Moving>;
const named = (name: string) => motions.find((motion) => motion.name === name)!;
const started = (motion: Motion, more: Partial<Start> = {}): Start => ({ ...motion.start, arm: motion.arm, size: motion.size, ...more });

/** Runs a motion and returns what is recorded of it. */
function recorded(simulation: Simulation, motion: Motion, arms: number, samples: number): Recording {
  const recording = new Recording(layoutOf(motion.arm, motion.accounts, arms));
  const row = new Float64Array(recording.width);
  for (let k = 0; k <= samples; k++) {
    if (k > 0) assert.ok(simulation.advance());
    simulation.sample(row, 0);
    recording.append(row);
  }
  return recording;
}

test("the step is of fourth order", async () => {
  const { size, start, arm } = named("two_link"), { step } = await load("two_link"), p = new Float64Array(2 * arm.coordinates.length);
  const after = (steps: number) => {
    const x = new Float64Array(size);
    x.set(start.q);
    for (let k = 0; k < steps; k++) step((0.4 * k) / steps, 0.4 / steps, x, p);
    return x;
  };
  const exact = after(1600), [coarse, fine] = [10, 20].map((steps) => Math.hypot(...after(steps).map((value, i) => value - exact[i]!)));
  assert.ok(Math.abs(coarse! / fine! - 16) < 2, `errors ${coarse}, ${fine}`);
});

for (const motion of motions)
  test(`${motion.name} moves as the native run does`, async () => {
    const simulation = new Simulation(await load(motion.name), started(motion));
    const recording = recorded(simulation, motion, motion.start.arms, motion.time.length - 1);
    motion.time.forEach((time, k) => {
      assert.ok(Math.abs(recording.time(k) - time) < 1e-9);
      assert.ok(Math.abs(recording.kinetic(k) - motion.K[k]!) < 1e-6, `K at ${time} s`);
      assert.ok(Math.abs(recording.potential(k) - motion.P[k]!) < 1e-6, `P at ${time} s`);
      motion.q[k]!.forEach((q, i) => assert.ok(Math.abs(recording.coordinate(k, i) - q) < 1e-11 * (1 + Math.abs(q)), `q at ${time} s`));
      assert.ok(Math.abs(recording.balance(k)) < 1e-6, `balance ${recording.balance(k)} at ${time} s`);
    });
  });

for (const motion of motions)
  test(`${motion.name} is drawn where it is`, () => {
    for (const { q, T } of motion.poses) {
      const tool = new Kinematics(motion.arm).place(q).tool();
      T.slice(0, 12).forEach((entry, i) => assert.ok(Math.abs(tool[i]! - entry) < 1e-12));
    }
  });

test("a force on a point works as its torques do", () => {
  const motion = named("elbow_3r"), kinematics = new Kinematics(motion.arm), q = Float64Array.of(0.3, -0.7, 1.1);
  const point: Vector = [0.1, -0.2, 0.3], force: Vector = [1, 2, -3], link = 2, small = 1e-6;
  const at = apply(kinematics.place(q).links[link]!, point);
  const torques = kinematics.torques(link, at, force, new Float64Array(3));
  for (let i = 0; i < 3; i++) {
    const there = [1, -1].map((sign) => {
      const moved = q.slice();
      moved[i]! += sign * small;
      return apply(kinematics.place(moved).links[link]!, point);
    });
    const work = force.reduce((sum, f, k) => sum + f * (there[0]![k]! - there[1]![k]!), 0) / (2 * small);
    assert.ok(Math.abs(work - torques[i]!) < 1e-8);
  }
});

test("a hand draws the arm to it, and its work stands in the ledger", async () => {
  const motion = named("two_link_gravity");
  const simulation = new Simulation(await load("two_link_gravity"), started(motion, { damping: [0.5, 0.5] }));
  const target: Vector = [0.4, 1.2, 0];
  simulation.take(1, [0, 0, 0]);
  simulation.pull(target);
  const recording = recorded(simulation, motion, 1, 400);
  const tool = apply(new Kinematics(motion.arm).place(recording.places(400).rows, recording.places(400).first).links[1]!, [0, 0, 0]);
  assert.ok(Math.hypot(tool[0] - target[0], tool[1] - target[1]) < 0.01, `${tool}`);
  // the motors carry the weight: what the hand gives goes into the damping, once the arm is at rest
  const [, hand, damping] = [0, 1, 2].map((i) => recording.account(400, i));
  assert.ok(hand! > 0.05 && Math.abs(hand! - damping! - recording.kinetic(400) + recording.kinetic(0)) < 1e-6, `${hand} ${damping}`);
  // the hand's torques are constant during a step, so that its work is exact
  assert.ok(Math.abs(recording.balance(400)) < 1e-6, `${recording.balance(400)}`);
});

test("a double pendulum is doubted when it is chaotic, a damped one is not", async () => {
  const motion = named("two_link"), moving = await load("two_link");
  const wild = new Simulation(moving, started(motion, { q: [2.5, 1], qd: [8, -12], damping: [0, 0] }));
  recorded(wild, motion, 1, 3000);
  assert.ok(wild.horizon > 1 && wild.horizon < 30, `${wild.horizon}`);
  const tame = new Simulation(moving, started(motion, { damping: [5, 5] }));
  recorded(tame, motion, 1, 500);
  assert.equal(tame.horizon, Infinity);
});

test("arms that differ by a hair come apart", async () => {
  const motion = named("two_link"), arms = 5;
  const start = started(motion, { q: [2.5, 1], qd: [8, -12], damping: [0, 0], arms, hair: 1e-6 });
  const recording = recorded(new Simulation(await load("two_link"), start), motion, arms, 2000);
  const apart = (k: number) => {
    const { rows, first, others } = recording.places(k);
    return Math.abs(rows[others + 2 * (arms - 2)]! - rows[first]!);
  };
  assert.ok(Math.abs(apart(0) - 4e-6) < 1e-12);
  assert.ok(apart(2000) > 1e-2, `${apart(2000)}`);
});

test("a computed torque brings the arm to its target", async () => {
  const motion = named("two_link_computed");
  const simulation = new Simulation(await load("two_link_computed"), started(motion, { gains: [0.7, -0.4, 100, 20] }));
  const recording = recorded(simulation, motion, 1, 200);
  // critically damped with 10 rad/s: e (1 + 10 t) exp(−10 t) of the way is left
  const left = (1 + 20) * Math.exp(-20);
  [0.7, -0.4].forEach((goal, i) => {
    const due = goal + (motion.start.q[i]! - goal) * left;
    assert.ok(Math.abs(recording.coordinate(200, i) - due) < 1e-8);
  });
});

test("the worker sends samples in order, and stops when it is told to", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const reports: Report[] = [];
  const site: Site = { onmessage: null, postMessage: (report) => void reports.push(report) };
  const order = (data: Order) => site.onmessage!({ data } as MessageEvent<Order>);
  serve(await load("two_link"), site);
  const motion = named("two_link");
  order({ kind: "start", start: started(motion), number: 7 });
  assert.equal(reports.length, 1);
  order({ kind: "run", speed: 1 });
  for (let k = 0; k < 8; k++) {
    const until = performance.now() + 15;
    while (performance.now() < until);
    context.mock.timers.tick(8);
  }
  const times = reports.flatMap((report) => {
    assert.equal(report.kind, "samples");
    const { rows, number } = report as Extract<Report, { kind: "samples" }>;
    assert.equal(number, 7);
    const width = 1 + motion.size + 2 + 2;
    return Array.from({ length: rows.length / width }, (_, k) => rows[k * width]!);
  });
  assert.ok(times.length > 8);
  times.forEach((time, k) => assert.ok(Math.abs(time - k * EVERY * STEP) < 1e-9));
  order({ kind: "run", speed: 0 });
  const before = reports.length;
  context.mock.timers.tick(800);
  assert.equal(reports.length, before);
});

test("numbers that grow without bound are said to be lost", async () => {
  const motion = named("two_link"), simulation = new Simulation(await load("two_link"), started(motion, { qd: [1e200, 1e200] }));
  assert.equal(simulation.advance(), false);
});

test("between two samples of a run the arm is on a straight line", () => {
  const samples = new Samples(Float64Array.of(0, 0.5, 0.6, 2), Float64Array.of(0, 1, 1, 3, 2, 3, 9, 3));
  for (const [time, place] of [[0, 0], [0.49, 0], [0.5, 1], [1.9, 2], [2, 3]] as const) assert.equal(samples.before(time), place);
  for (const [time, q] of [[0, [0, 1]], [0.25, [0.5, 2]], [0.5, [1, 3]], [1.3, [5.5, 3]], [2, [9, 3]]] as const)
    samples.at(time).forEach((value, i) => assert.ok(Math.abs(value - q[i]!) < 1e-12, `${time} s`));
  assert.equal(samples.duration, 2);
});

test("the way of a tool ends where the tool is", () => {
  const motion = named("two_link"), kinematics = new Kinematics(motion.arm), count = 8;
  const samples = new Samples(Float64Array.from(motion.time.slice(0, count)), Float64Array.from(motion.q.slice(0, count).flat()));
  for (const [from, to, stride, length] of [[0, 7, 2, 4], [1, 7, 2, 4], [3, 3, 1, 1]] as const) {
    const way = wayOf(kinematics, samples, from, to, stride), tool = kinematics.place(motion.q[to]!).tool();
    assert.equal(way.length, 3 * length);
    [3, 7, 11].forEach((place, i) => assert.ok(Math.abs(way[3 * (length - 1) + i]! - tool[place]!) < 1e-6));
  }
});

test("an arm stops at a joint's limit where the native run does", async () => {
  const motion = named("limited"), simulation = new Simulation(await load("limited"), started(motion)), [stop] = motion.stops;
  while (!simulation.reached) assert.ok(simulation.advance());
  const { joint, upper } = simulation.reached, row = new Float64Array(simulation.width);
  assert.equal(stop!.reason, `it reached ${motion.arm.coordinates[joint]!.name}'s ${upper ? "upper" : "lower"} limit`);
  simulation.sample(row, 0);
  assert.ok(Math.abs(row[0]! - stop!.time) < 1e-9, `${row[0]} s`);
  stop!.q.forEach((q, i) => assert.ok(Math.abs(row[1 + i]! - q) < 1e-9));
  // the motion has ended
  simulation.advance();
  assert.equal(simulation.time, row[0]);
});

test("limits that do not count stop nothing, and one that is passed at the start ends the motion there", async () => {
  const motion = named("limited"), moving = await load("limited");
  const free = new Simulation(moving, started(motion, { limits: false }));
  for (let k = 0; k < 100; k++) free.advance();
  assert.equal(free.reached, null);
  free.set([0, 0], [], true);
  free.advance();
  assert.notEqual(free.reached, null);
  const outside = new Simulation(moving, started(motion, { q: [0, -1.2] }));
  assert.deepEqual(outside.reached, { joint: 1, upper: false, at: -1 });
  outside.advance();
  assert.equal(outside.time, 0);
});

test("of many arms one that reaches a limit waits there for the others", async () => {
  const motion = named("limited"), start = started(motion, { q: [0.3, 0.2], qd: [0, 0], arms: 2, hair: 0.599 });
  const simulation = new Simulation(await load("limited"), { ...start, qd: [0.2, 0] });
  const recording = recorded(simulation, motion, 2, 5);
  const other = (k: number) => recording.places(k).rows[recording.places(k).others]!;
  assert.ok(Math.abs(other(3) - 0.9) < 1e-9, `${other(3)}`);
  assert.equal(other(3), other(5));
  assert.equal(simulation.reached, null);
});

test("no cell is a formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "|x", "%0A=1"]) {
    assert.match(cell(text), /^"?'/, JSON.stringify(text));
  }
  assert.equal(cell("q1 [rad]"), "q1 [rad]");
  assert.equal(cell('a "b", c'), '"a ""b"", c"');
  assert.equal(cell('=a "b"'), `"'=a ""b"""`);
});

test("a table has a row a sample, and all of its rows are equally long", async () => {
  const motion = named("two_link");
  const recording = recorded(new Simulation(await load("two_link"), started(motion)), motion, 1, 5);
  const lines = recording.csv().trimEnd().split("\r\n");
  assert.equal(lines.length, 7);
  assert.ok(lines[0]!.startsWith("t [s],q1 [rad],q2 [rad],qd1 [rad/s],"));
  assert.ok(lines.every((line) => line.split(",").length === 1 + 3 * 2 + 3 + 3 + 1));
  assert.ok(lines.slice(1).every((line) => line.split(",").every((value) => Number.isFinite(Number(value)))));
});
