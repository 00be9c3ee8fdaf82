"""Bounds what rounding does to a function of an arm, over a region of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb

from qddot.algebra.numbers.balls import precise
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import CIRCULAR, OPERATIONS, column
from qddot.algebra.program.program import Program
from qddot.base.errors import EvaluationError, refuse_masked, shortened
from qddot.base.words.language import in_english
from qddot.base.words.message import Either, Following, Listed, Told, say
from qddot.machine.compilers import blocks
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.proof.bounds.forms import Array
from qddot.proof.bounds.functions import Interval, UndefinedError
from qddot.proof.bounds.position_ranges import position_ranges
from qddot.proof.bounds.precision import PRECISIONS, SINGLE, Precision
from qddot.proof.bounds.region import Region, region_of
from qddot.proof.bounds.running_error import RunningError
from qddot.proof.bounds.sincos import CircularError, circular_error
from qddot.proof.bounds.turns import Turns
from qddot.robot.joints.refused import refuse_several

WIDE = np.finfo(np.longdouble).nmant > 60  # whether there are numbers that are wider than doubles
STATES = {"float32": 40_000, "float64": 40_000 if WIDE else 2000}  # random states in which the error is estimated
TOGETHER = 1000  # of them, so that the nodes of one walk stay in the cache
CLIMBERS = 16  # states of each result that are moved
MOVED = 0.25  # the share of the coordinates that one move changes
ROUNDS = 24
MOST_BOXES = 5000  # into which a region is divided if it must be
HALVED, NODES = 250, 33_000  # most boxes that are halved to improve a bound, and most nodes in them
LEAST = 1e-300  # below all bounds of rounding errors that are not zero
BITS = 160  # of the numbers to which doubles are compared
LIMITS = {"qd": "rates", "qdd": "accelerations", "tau": "torques"}


class Rounding:
    """This bounds |computed − exact| of a function's results over a region, for compiled and exported code.

    bound: of each entry of the result, an array of its shape; it holds with and without fused multiply-add
    found: the largest errors that a search in the region finds, computed in 160 bits; ratio: bound / found
    state: the input arrays, by name, of the state where an error found is closest to its bound
    assumes: what the bound takes for granted, as sentences
    """

    def __init__(
        self,
        arm: NumericSystem,
        function: str,
        region: Region,
        precision: Precision,
        exported: bool,
        options: Mapping[str, Any],
    ) -> None:
        self.function, self.region, self.dtype = function, region, precision.name
        self._arm, self._precision, self._exported, self._options = arm, precision, exported, options
        self._program = _without_guard(arm.program(function, **options))
        if len(self._program.outputs) > 1:
            raise EvaluationError("several-results", function=function)
        self._turns = Turns(self._program)
        self._box = [self._sides(port.name) for port in self._program.inputs]
        self.bound = self._bounded(self._box)

    def at(self, *state: Any) -> Array:
        """Returns the bound at one state, such as q, qd and qdd, which are rounded to this precision first.

        raises EvaluationError: not the arrays of the function, or an array of a wrong shape
        """
        ports = self._program.inputs
        if len(state) != len(ports):
            raise EvaluationError("count-of-arrays", count=len(state), ports=Listed(port.name for port in ports))
        box = []
        for port, values in zip(ports, state, strict=True):
            refuse_masked(values, port.name, EvaluationError)
            array = np.asarray(values, self.dtype).astype(float)
            if array.shape != port.shape or not np.isfinite(array).all():
                expected = say("count-of-finite-numbers", count=port.size)
                raise EvaluationError("not-finite-numbers", name=port.name, values=shortened(values), expected=expected)
            box.append([(x, x) for x in array.ravel().tolist()])
        return self._bounded(box)

    @property
    def found(self) -> Array:
        return self._seen[0]

    @property
    def state(self) -> Mapping[str, Array]:
        return self._seen[1]

    @property
    def ratio(self) -> Array:
        """Returns bound / found; it is 1 where both are 0, and infinite where only `found` is 0."""
        with np.errstate(all="ignore"):
            return np.where(self.bound == self.found, 1.0, self.bound / self.found)

    @property
    def assumes(self) -> list[str]:
        """Returns what the bound takes for granted."""
        lines = [say("assumed-inputs", dtype=self.dtype), say("assumed-operations"), say("assumed-constants")]
        if self._exported and self._precision is SINGLE:
            lines.append(say("assumed-sines"))
        used = {node.op for node in self._program.nodes}
        for name, operation in OPERATIONS.items():
            if name in used and operation.is_called and name not in CIRCULAR:
                lines.append(say("assumed-function", name=operation.name, ulps=f"{operation.ulps:g}"))
        return list(map(Told, lines))

    def __str__(self) -> str:
        region = Following(self.region.lines())
        lines = [
            say("rounding-over-region", arm=self._arm.name, function=self.function, dtype=self.dtype, region=region),
            say("rounding-bound", bound=f"{self.bound.max():.3g}", found=f"{self.found.max():.3g}"),
            *(say("it-is-assumed", what=what) for what in self.assumes),
        ]
        return "\n".join(map(str, lines))

    @in_english
    def comment(self) -> str:
        """Returns region and bounds, rounded up, as the lines of a comment in source code."""
        bounds = ", ".join(f"{x:.2e}" for x in self.bound.ravel() * 1.01)
        lines = [f"rounding: |computed - exact| <= {bounds}"]
        lines += [f"  for {line}" for line in self.region.lines()] + [f"  if {line}" for line in self.assumes]
        text = "\n".join(lines)
        for sign, plain in (("q̇", "qd"), ("q̈", "qdd"), ("≤", "<=")):
            text = text.replace(sign, plain)
        return text

    def _bounded(self, box: Sequence[Sequence[Interval]]) -> Array:
        """Returns the largest bound of boxes that make up this one, which is halved where a divisor may be zero.

        Boxes of a function that divides are then halved where the bounds are largest, for some seconds.
        """
        more = min(HALVED, NODES // len(self._program.nodes)) if self._divisors else 0
        parts: list[list[list[Interval]]] = []
        results: list[Array] = []
        waiting, count = [[list(side) for side in box]], 0
        while waiting or more > 0:
            if not waiting:
                more -= 1
                shares = np.array(results) / np.maximum(np.min(results, axis=0), LEAST)
                worst = int(shares.max(axis=1).argmax())
                waiting = self._halves(parts[worst])
                if not waiting:
                    break
                del parts[worst], results[worst]
            part = waiting.pop()
            count += 1
            try:
                ranges = position_ranges(self._program, part, self._divisors)
                errors = RunningError(self._program, self._turns, part, self._precision, self._circular, ranges)
            except UndefinedError as error:
                halves = self._halves(part)
                if not halves or count >= MOST_BOXES:
                    middle = ", ".join(f"{(low + high) / 2:.4g}" for low, high in part[0])
                    raise error.at(f"{self._arm.name} near q = ({middle})") from None
                waiting += halves
                continue
            parts.append(part)
            results.append(np.array(errors.results))
        largest: Array = np.max(results, axis=0).reshape(self._program.outputs[0].shape)
        return largest

    def _halves(self, box: list[list[Interval]]) -> list[list[list[Interval]]]:
        """Returns the halves of a box along the widest coordinate that a divisor depends on; none if it is a point."""
        widths = {k: box[0][k][1] - box[0][k][0] for k in self._divisors}
        widest = max(widths, key=lambda k: widths[k], default=None)
        if widest is None or not widths[widest]:
            return []
        low, high = box[0][widest]
        middle = low + (high - low) / 2
        sides = (low, middle), (middle, high)
        return [[[*box[0][:widest], side, *box[0][widest + 1 :]], *box[1:]] for side in sides]

    @cached_property
    def _divisors(self) -> list[int]:
        """Returns the coordinates on which divisors depend."""
        felt: list[frozenset[int]] = []
        divisors: set[int] = set()
        for node in self._program.nodes:
            if node.op == "input":
                felt.append(frozenset({node.element[1]} if node.element[0] == 0 else ()))
            else:
                felt.append(frozenset().union(*(felt[place] for place in node.args)))
            if node.op == "div":
                divisors |= felt[node.args[1]]
        return sorted(divisors)

    def _circular(self, reach: float) -> CircularError:
        if self._exported and self._precision is SINGLE:
            wrong = 2 * OPERATIONS["sin"].ulps * SINGLE.unit
            return CircularError(wrong, wrong * 2**0.5)
        reach = 2.0 ** np.ceil(np.log2(max(reach, 4.0)))  # powers of two, so that few different bounds are computed
        own = [circular_error(self._precision, reach, split) for split in (False, self._exported)]
        return CircularError(max(each.one for each in own), max(each.pair for each in own))

    def _sides(self, array: str) -> list[Interval]:
        """Returns the intervals of an input's elements. raises EvaluationError: the region does not limit it"""
        region = self.region
        if array == "q":
            return list(zip(region.low.tolist(), region.high.tolist(), strict=True))
        has_limits = array in LIMITS
        limits = getattr(region, LIMITS[array]) if has_limits else None
        if limits is None:
            code = "region-without-limit" if has_limits else "not-array-of-region"
            raise EvaluationError(code, array=array, joint=repr(region.names[0]))
        return [(-limit, limit) for limit in limits.tolist()]

    @cached_property
    def _seen(self) -> tuple[Array, Mapping[str, Array]]:
        """Returns the largest errors that a search finds, and the worst state.

        In every second state that it begins with, about half of the inputs are at an end of their interval. The worst
        states of each result are then moved by smaller and smaller random steps.
        """
        random, count = np.random.default_rng(1), STATES[self.dtype]
        low, high = (np.array([side[k] for sides in self._box for side in sides]) for k in (0, 1))
        states = random.uniform(low, high, (count, len(low)))
        ends = random.random(states.shape) < np.where(np.arange(count) % 2, 0.0, 0.5)[:, None]
        states = np.where(ends, np.where(states > (low + high) / 2, high, low), states)
        best, worst = np.full(self.bound.size, -1.0), np.tile(states[0], (self.bound.size, 1))
        for step in (0.0, *0.5 ** np.arange(ROUNDS)):
            states = self._inside(states, low, high)
            errors = self._estimated(states)
            places = errors.argmax(axis=0)
            worst[errors.max(axis=0) > best] = states[places[errors.max(axis=0) > best]]
            best = np.maximum(best, errors.max(axis=0))
            top = states[np.argsort(-errors, axis=0)[:CLIMBERS]].reshape(-1, len(low))
            children = max(count // 4 // len(top), 2)
            moves = random.normal(size=(children, *top.shape)) * (random.random((children, *top.shape)) < MOVED)
            states = (top + (step or 1.0) / 4 * (high - low) * moves).reshape(-1, len(low))
        errors = self._errors(worst)
        with np.errstate(all="ignore"):
            shares = np.nan_to_num(errors / self.bound.ravel()).max(axis=1)
        parts = np.split(worst[np.argmax(shares)], np.cumsum([len(sides) for sides in self._box])[:-1])
        names = [port.name for port in self._program.inputs]
        return errors.max(axis=0).reshape(self.bound.shape), dict(zip(names, parts, strict=True))

    def _inside(self, states: Array, low: Array, high: Array) -> Array:
        """Returns the states in this precision; an input that rounding moves out of the region becomes its middle."""
        rounded = np.clip(states, low, high).astype(self.dtype).astype(float)
        middle = ((low + high) / 2).astype(self.dtype).astype(float)
        return np.where((rounded < low) | (rounded > high), middle, rounded)

    def _estimated(self, states: Array) -> Array:
        """Returns |computed − exact| of this machine's code, (states, results), with exact values in wider floats."""
        arrays, computed = self._computed(states)
        if self._precision is SINGLE:
            exact = np.asarray(self._compute(*arrays)).reshape(len(states), -1)
        elif WIDE:
            walk = Walk(self._program, blocks.functions(), np.longdouble)
            exact = np.concatenate([self._wide(walk, k, arrays) for k in range(0, len(states), TOGETHER)])
        else:
            return self._errors(states)
        error: Array = np.abs(computed - exact).astype(float)
        return error

    def _wide(self, walk: Walk, first: int, arrays: Sequence[Array]) -> Array:
        rows = [array[first : first + TOGETHER].astype(np.longdouble) for array in arrays]
        values = walk([list(array.T) for array in rows])
        return np.stack([values[place] + 0 * rows[0][:, 0] for place in self._program.results], axis=1)

    def _errors(self, states: Array) -> Array:
        """Returns |computed − exact| of this machine's code, (states, results), with exact values of many bits."""
        arrays, computed = self._computed(states)
        errors = np.empty(computed.shape)
        with precise(BITS):
            walk = Walk(self._program, column("ball"), arb)
            for k, row in enumerate(computed.tolist()):
                values = walk([[arb(x) for x in array[k].tolist()] for array in arrays])
                errors[k] = [
                    abs(float(arb(x) - values[place])) for x, place in zip(row, self._program.results, strict=True)
                ]
        return errors

    def _computed(self, states: Array) -> tuple[list[Array], Array]:
        """Returns the inputs, and what this machine's code computes for them, (states, results) in doubles."""
        arrays = np.split(states, np.cumsum([len(sides) for sides in self._box])[:-1], axis=1)
        results = self._compute(*(array.astype(self.dtype) for array in arrays), dtype=self.dtype)
        return arrays, np.asarray(results).astype(float).reshape(len(states), -1)

    def _compute(self, *arrays: Array, **chosen: Any) -> Any:
        return getattr(self._arm, self.function)(*arrays, **self._options, **chosen)


def rounding(
    arm: NumericSystem,
    function: str,
    limits: Mapping[str, Any] | None,
    dtype: Any,
    exported: bool = False,
    **options: Any,
) -> Rounding:
    """Returns the bounds for a function of an arm in a precision.

    exported: for C from `export`, else for this machine's code; options: of the function
    raises QddotError: another precision, an unknown function, an impossible region, or a divisor that may be zero
    """
    tree = arm.system.tree
    refuse_several(tree, say("a-bound-of-rounding"))
    return Rounding(arm, function, region_of(tree, limits), _precision(dtype), exported, options)


def _without_guard(program: Program) -> Program:
    """Returns a program of only the results, which have a meaning wherever its divisors are not zero."""
    results = program.interface.results
    if len(results) == len(program.outputs):
        return program
    return replace(program, outputs=results, results=program.results[: sum(port.size for port in results)])


def _precision(dtype: Any) -> Precision:
    """Returns a precision by its name or NumPy's type. raises EvaluationError: another one"""
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = shortened(dtype)
    if name not in PRECISIONS:
        raise EvaluationError("no-such-dtype", name=name, expected=Either(PRECISIONS))
    return PRECISIONS[name]
