"""A Job has a sweep as programs and numbers only, so that other processes can run it without the user's code."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import cached_property
from typing import Any

from qddot.algebra.program.program import Program
from qddot.algebra.program.recurrence import Recurrence
from qddot.base.records import record
from qddot.base.words.message import Following, say
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.runs.samples import POSITION
from qddot.motion.sweeps.designs import Design
from qddot.motion.sweeps.drawn import Drawn
from qddot.motion.sweeps.measures import along_q

LARGEST = 1 << 23  # numbers kept over time in one chunk
SHORTEST, LONGEST = 512, 1 << 16  # runs in a chunk
CHUNKS = 64  # about the least number of chunks, so that several workers have some
STATUS = ("complete", "not_finite")  # followed by a status for each drawn body, and one for each guard


@record()
class Variable:
    """A variable of the answer has `size` numbers a run, along the dimension `per` if it has one."""

    name: str
    kind: str
    per: str
    size: int
    units: str
    about: str

    @property
    def dims(self) -> tuple[str, ...]:
        """Returns the dimensions after the runs."""
        return (self.per,) if self.per in ("joint", POSITION, "axis") or self.size > 1 else ()


@record()
class Bodies:
    """These are the links that depend on drawn numbers, and the program of their margins, below 0 if impossible."""

    names: tuple[str, ...]
    program: Program


@record()
class Job:
    """A job has everything that one chunk of its runs needs.

    facts: distinguish it from other jobs; drawn: (q0, q̇0, parameters) of a run, with the distributions of drawn numbers
    plant: the plant of every run, as programs only; beginning, ending, velocities, bodies: as in `Reducing`, `Bodies`
    whole: whether runs are kept over time; tubes: whether values are counted between `edges`, which its pilot sets
    """

    facts: Mapping[str, Any]
    drawn: Drawn
    design: Design
    plant: Plant
    method: str
    step: float
    steps: int
    record_every: int
    recurrence: Recurrence
    beginning: Program
    ending: Program
    velocities: Program | None
    bodies: Bodies | None
    variables: tuple[Variable, ...]
    guards: tuple[str, ...]
    whole: bool
    tubes: bool
    chunk: int
    edges: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def kept(self) -> dict[str, tuple[str, int]]:
        """Returns along which dimension q and q̇ are kept, and how many numbers they have."""
        model = self.plant.model
        return {"q": (along_q(model), len(model.positions)), "qd": ("joint", model.n)}

    @property
    def runs(self) -> int:
        return self.design.runs

    @property
    def chunks(self) -> int:
        """Returns the number of chunks; the last one may be shorter."""
        return -(-self.runs // self.chunk)

    def part(self, k: int) -> tuple[int, int]:
        """Returns the first run of a chunk, and the first run after it."""
        return k * self.chunk, min((k + 1) * self.chunk, self.runs)

    @property
    def samples(self) -> int:
        """Returns how many states of each run are kept over time."""
        return self.steps // self.record_every + 1 if self.record_every else 0

    def pilot(self, runs: int) -> Job:
        """Returns a job of only the first runs, kept over time."""
        only = replace(self, facts={**self.facts, "pilot": runs}, whole=True, tubes=False)
        return replace(only, chunk=min(runs, self.runs))

    @property
    def status(self) -> tuple[str, ...]:
        """Returns the names of a run's possible statuses, in the order of their numbers."""
        bodies = self.bodies.names if self.bodies else ()
        before = [*STATUS, *(f"impossible_{body}" for body in bodies), *(["open_loops"] if self.plant.closed else [])]
        names = [*before, *(f"reached_{guard}" for guard in self.guards)]
        return tuple(re.sub(r"\W+", "_", name.replace("'s", "")) for name in names)

    @property
    def first_guard(self) -> int:
        """Returns the place of the first guard in `status`."""
        return len(self.status) - len(self.guards)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Returns the facts with the design, the chunks and the fingerprints of all programs, as JSON has them."""
        programs = [self.recurrence.hash, self.beginning.hash, self.ending.hash]
        design = {type(self.design).__name__.lower(): asdict(self.design)}  # type: ignore[call-overload]
        own = {"design": design, "record_every": self.record_every, "chunk": self.chunk, "programs": programs}
        return dict(json.loads(json.dumps({**self.facts, **own})))

    @cached_property
    def digest(self) -> str:
        """Returns a fingerprint of everything that the numbers depend on."""
        return fingerprint(self.identity)


def fingerprint(identity: Mapping[str, Any]) -> str:
    """Returns the digest of an identity."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:32]


def chunk_of(runs: int, requested: int | None, numbers: int) -> int:
    """Returns how many runs a chunk has: as requested, else a power of two that suits their count and size.

    numbers: how many numbers each run keeps. The result depends on the plan alone, and so do a store's files.
    """
    if requested is not None:
        return requested
    fits = max(1, LARGEST // max(1, numbers))
    size = min(max(runs // CHUNKS, SHORTEST), LONGEST, fits)
    return int(1 << (size - 1).bit_length() if size <= fits else 1 << (fits.bit_length() - 1))


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> Following:
    """Returns a text that says where two identities differ."""
    differing = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    there, here = ([_short(each.get(key)) for key in differing[:3]] for each in (one, other))
    each = zip(differing, there, here, strict=False)
    return Following(say("differs-there", what=key, there=mine, here=yours) for key, mine, yours in each)


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 50 else text[:49] + "…"


def flags(names: Sequence[str]) -> dict[str, Any]:
    """Returns the attributes that name a variable's numbers, as in the CF conventions."""
    return {"flag_values": list(range(len(names))), "flag_meanings": " ".join(names)}
