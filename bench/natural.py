"""Compares motions from natural states, by every method, with an integration of another hand.

    python bench/natural.py --minutes 10 [--jobs 2]     what is not yet done on this source, in a fixed order
    python bench/natural.py --report                    the runs of each method so far, and what is wrong
    python bench/natural.py --only two_link:zeros:rest:none:5:default
    … --arms two_link,ur5 --methods default,radau --seconds 0.7 --laws none,tanh

The grid is every robot that ships, at zero, at right angles, at half turns, upright and at 30°, at rest and with one
joint moving, without torque and with constant ones, friction by tanh, pulses that begin later, and dry friction that
the torque just reaches. References are by SciPy over `naturals/dense.c`. A run is wrong if its error is above the
method's tolerance times a number of steps and the growth of errors along this motion, or if it stops without cause.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

from naturals import grid
from naturals.grid import Scenario
from naturals.verdict import Verdict, begins_singular, judged, references
from soaking.state import default_folder, tree_hash

PATIENCE = 300.0  # [s] for one run and its reference
Block = tuple[str, str]  # an arm and a law, which share compiled code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--arms", default="")
    parser.add_argument("--laws", default=",".join(grid.LAWS))
    parser.add_argument("--methods", default=",".join(grid.METHODS))
    parser.add_argument("--seconds", default=",".join(f"{each:g}" for each in grid.SECONDS))
    parser.add_argument("--state", type=Path, default=default_folder() / "natural", metavar="FOLDER")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--only", metavar="ARM:POSE:MOVING:LAW:SECONDS:METHOD")
    chosen = parser.parse_args()
    if chosen.only:
        return only(chosen.only)
    record = Record(chosen.state)
    if not chosen.report:
        asked = Asked(
            chosen.arms.split(",") if chosen.arms else grid.arms(),
            chosen.laws.split(","),
            chosen.methods.split(","),
            tuple(map(float, chosen.seconds.split(","))),
        )
        Pool(record, asked, chosen.jobs, 60 * chosen.minutes).run()
    print(record.report())
    return 1 if record.wrong() else 0


def only(text: str) -> int:
    arm, pose, moving, law, seconds, method = text.split(":")
    scenario = Scenario(arm, pose, moving, law, float(seconds))
    q0, qd0 = grid.start(arm, pose, moving) or (None, None)
    print(f"q0 = {q0}\nqd0 = {qd0}\ntorques {grid.strengths(arm, pose)}, holding {grid.holding(arm, pose)}")
    for each in () if begins_singular(scenario) else references(scenario):
        print(f"{each.how} to {each.times[-1]:g} s: q = {each.q[-1]}, its error {each.error[-1]:.1e}")
        print(f"  growth {each.growth[-1]:.1e}, stiffness {each.stiffness:.1e}/s")
    verdict = judged(scenario, method)
    print(verdict)
    return verdict.outcome == "wrong"


class Asked:
    """The part of the grid that is asked for, in blocks whose runs share compiled code."""

    def __init__(self, arms: list[str], laws: list[str], methods: list[str], seconds: tuple[float, ...]) -> None:
        self.arms, self.laws, self.methods, self.seconds = arms, laws, methods, seconds

    def blocks(self) -> list[Block]:
        return [(arm, law) for arm in self.arms for law in self.laws if law in grid.LAWS]

    def runs(self, block: Block) -> Iterator[tuple[Scenario, str]]:
        for scenario in grid.scenarios([block[0]], self.seconds):
            if scenario.law == block[1]:
                for method in self.methods:
                    yield scenario, method


class Record:
    """The verdicts on this source, in JSON lines."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{tree_hash()}.jsonl"
        self.lines: dict[str, dict[str, Any]] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                one = json.loads(line)
                self.lines[one["key"]] = one

    def add(self, key: str, verdict: Verdict, seconds: float) -> None:
        line = {"key": key, **asdict(verdict), "took": round(seconds, 3)}
        self.lines[key] = line
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def wrong(self) -> list[dict[str, Any]]:
        return [line for line in self.lines.values() if line["outcome"] == "wrong"]

    def report(self) -> str:
        text = [f"{'method':14} {'runs':>6} {'right':>6} {'wrong':>6}  others; worst ratio of error to allowance"]
        for method in grid.METHODS:
            own = [line for line in self.lines.values() if line["key"].endswith(f":{method}")]
            counts: dict[str, int] = {}
            for line in own:
                counts[line["outcome"]] = counts.get(line["outcome"], 0) + 1
            right, wrong = counts.pop("right", 0), counts.pop("wrong", 0)
            others = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
            ratios = [line["ratio"] for line in own if line["outcome"] in ("right", "wrong")]
            text.append(f"{method:14} {len(own):6} {right:6} {wrong:6}  {others}; {max(ratios, default=0):.3g}")
        for line in sorted(self.wrong(), key=lambda each: each["key"]):
            text.append(f"python bench/natural.py --only {line['key']}\n    ratio {line['ratio']:.3g}: {line['about']}")
        return "\n".join(text)


def work(block: Block, asked: Asked, done: set[str], pipe: Connection) -> None:
    """Sends the key of each run when it begins, and its verdict when it ends."""
    for scenario, method in asked.runs(block):
        key = f"{scenario.key}:{method}"
        if key in done:
            continue
        pipe.send((key, None, 0.0))
        begun = time.monotonic()
        try:
            known = grid.start(scenario.arm, scenario.pose, scenario.moving) is not None
            verdict = judged(scenario, method) if known else Verdict("no such state")
        except Exception as error:
            verdict = Verdict("wrong", float("inf"), about=f"{type(error).__name__}: {error}"[:300])
        pipe.send((key, verdict, time.monotonic() - begun))
    pipe.close()


class Pool:
    """Processes that work on one block each; one that takes too long for a run is ended and begun again after it."""

    def __init__(self, record: Record, asked: Asked, jobs: int, seconds: float) -> None:
        self.record, self.asked, self.jobs = record, asked, jobs
        self.until = time.monotonic() + seconds
        self.processes = multiprocessing.get_context("fork")
        self.waiting = [
            block
            for block in asked.blocks()
            if any(f"{scenario.key}:{method}" not in record.lines for scenario, method in asked.runs(block))
        ]
        self.running: dict[Connection, tuple[Any, Block, str, float]] = {}

    def run(self) -> None:
        try:
            while (self.waiting and time.monotonic() < self.until) or self.running:
                while self.waiting and len(self.running) < self.jobs and time.monotonic() < self.until:
                    self.begin(self.waiting.pop(0))
                for pipe in wait(list(self.running), 1.0):
                    self.receive(pipe)  # type: ignore[arg-type]
                self.end_late()
        finally:
            for process, *_ in self.running.values():
                process.kill()

    def begin(self, block: Block) -> None:
        reading, writing = self.processes.Pipe(duplex=False)
        process = self.processes.Process(target=work, args=(block, self.asked, set(self.record.lines), writing))
        process.start()
        writing.close()
        self.running[reading] = (process, block, "", time.monotonic())

    def receive(self, pipe: Connection) -> None:
        process, block, key, _ = self.running[pipe]
        try:
            key, verdict, took = pipe.recv()
        except EOFError:
            del self.running[pipe]
            process.join()
            if process.exitcode:
                self.record.add(key, Verdict("wrong", float("inf"), about=f"died with {process.exitcode}"), 0.0)
                self.waiting.insert(0, block)
            return
        self.running[pipe] = (process, block, key, time.monotonic())
        if verdict is not None:
            self.record.add(key, verdict, took)
            if verdict.outcome == "wrong":
                print(f"{key}  ratio {verdict.ratio:.3g}: {verdict.about}", flush=True)

    def end_late(self) -> None:
        now = time.monotonic()
        for pipe, (process, block, key, begun) in list(self.running.items()):
            late = now - begun > PATIENCE
            if late or now > self.until:
                process.kill()
                process.join()
                del self.running[pipe]
                if late:
                    self.record.add(key, Verdict("late", about=f"took more than {PATIENCE:g} s"), PATIENCE)
                    self.waiting.insert(0, block)


if __name__ == "__main__":
    sys.exit(main())
