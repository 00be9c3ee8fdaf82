"""The Ledger counts the energy of the arm, the work of the motors, and the losses by friction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qddot.base import html
from qddot.base.checked import real
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Message, say
from qddot.motion.simulate.runs.samples import ENERGY_TOLERANCE, UNKNOWN, Arrays
from qddot.robot.effects import acting
from qddot.robot.effects.kinds import KINDS

LARGEST_TOLERANCE = 1e300
ROUNDING = 1e-12  # of an energy, relative to its terms
LOSSES = {**acting.LOSSES, "damping": "damping"}  # the causes of losses, by the names of the accounts
LOST = {kind.account: kind.lost for kind in KINDS.values() if kind.account}
LOST |= {"damping": say("loss-of-damping"), acting.DISSIPATION: say("loss-of-dissipation")}


@record()
class EnergyCheck:
    """This is true if the balance stayed within a tolerance [J].

    worst: the largest imbalance [J], at time `at` [s] in arm `arm`
    known: the number of samples, of all `samples`, whose energy is known; total: the sum that is zero
    """

    passed: bool
    tolerance: float
    worst: float
    at: float
    arm: int
    known: int
    samples: int
    total: Message

    @property
    def balance(self) -> str:
        """The sum that is zero, in the language in use."""
        return str(self.total)

    @property
    def residual(self) -> str:
        """The sentence with the largest imbalance and its time, in the language in use."""
        return str(say("balance-reaches", balance=self.total, worst=f"{self.worst:.3g}", at=f"{self.at:g}"))

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        check = say(
            "energy-holds" if self.passed else "energy-fails",
            balance=self.total,
            worst=f"{self.worst:.3g}",
            arm=self.arm,
            at=f"{self.at:g}",
            allowed=f"{self.tolerance:g}",
        )
        if self.known == self.samples:
            return str(check)
        return str(say("samples-with-energy", check=check, known=self.known, samples=self.samples))


def joules(value: float) -> str:
    """Returns an energy as text, to microjoules or to a double's precision."""
    return f"{value:.6f}" if abs(value) < 1e9 else f"{value:.6g}"


@record(eq=False)
class Ledger:
    """A ledger has K, P, E = K + P, the work of motors and of external forces, each loss, and their balance [J].

    Of a Lagrangian, E is q̇·∂L/∂q̇ − L; that of a prescribed motion changes by −∂L/∂t, which counts as external.
    The balance, ΔE − work of the motors − work of external forces + losses, is zero if the motion is right. Arrays are
    (arm, time), or (time,) for a single arm. arrays: the samples of the run
    """

    arrays: Arrays

    @property
    def time(self) -> NDArray[np.float64]:
        """Returns the samples' times [s], shape (time,)."""
        times: NDArray[np.float64] = self.arrays["time"]
        return times

    @property
    def K(self) -> NDArray[np.float64]:
        """Returns the kinetic energy, armature included [J]."""
        return self.arrays.plain("K")

    @property
    def P(self) -> NDArray[np.float64]:
        """Returns the potential energy of gravity and springs [J]."""
        return self.arrays.plain("P")

    @property
    def E(self) -> NDArray[np.float64]:
        """Returns K + P [J]."""
        return self.K + self.P

    @property
    def work(self) -> NDArray[np.float64]:
        """Returns the energy that the motors have given since the start [J]."""
        return self.arrays.plain("work") if "work" in self.arrays else np.zeros_like(self.K)

    @property
    def external(self) -> NDArray[np.float64]:
        """Returns the energy that external forces have given since the start [J]."""
        return self.arrays.plain("external") if "external" in self.arrays else np.zeros_like(self.K)

    @property
    def losses(self) -> dict[str, NDArray[np.float64]]:
        """Returns the energy that each kind of friction has taken since the start [J]."""
        return {name: self.arrays.plain(name) for name in LOSSES if name in self.arrays}

    @property
    def balance(self) -> NDArray[np.float64]:
        """Returns ΔE − work of the motors − work of external forces + losses [J]."""
        E = self.E
        return E - E[..., :1] - self.work - self.external + sum(self.losses.values(), start=np.zeros_like(E))

    @property
    def _sum(self) -> Message:
        """Returns the balance in words; external forces are named if some act."""
        return say("balance-with-forces" if "external" in self.arrays else "balance-of-energy")

    def rows(self, arm: int, last: int) -> list[list[str]]:
        """Returns each account of one arm as a text, with its joules at the start and at the sample `last`."""
        energies = {"kinetic-energy": self.K, "potential-energy": self.P, "total-energy": self.E}
        pushed = {"work-of-forces": self.external} if "external" in self.arrays else {}
        titles = {key: say(key) for key in (*energies, "work-of-motors", *pushed)}
        each = {**energies, "work-of-motors": self.work, **pushed, **self.losses}
        own = {key: np.atleast_2d(values)[arm] for key, values in each.items()}
        rows = [
            [str({**titles, **LOST}[key]), joules(of[0]) if key in energies else "0", joules(of[last])]
            for key, of in own.items()
        ]
        return [*rows, [str(self._sum), "0", f"{np.atleast_2d(self.balance)[arm, last]:.3g}"]]

    @in_english
    def __repr__(self) -> str:
        return f"<energy ledger of {self.arrays.attrs['model']}: {self.check(0.0).residual}>"

    def _repr_html_(self) -> str:
        check, E = self.check(0.0), np.atleast_2d(self.E)
        head = say("energy-of-run", model=self.arrays.attrs["model"], arm=check.arm, count=len(E))
        last = int(np.flatnonzero(np.isfinite(E[check.arm]))[-1]) if check.known else 0
        titles = (say("energies"), say("start"), say("at-a-time", time=f"{self.time[last]:g}"))
        return html.block(html.lines([head, check.residual]), html.table(titles, self.rows(check.arm, last)))

    @property
    def allowed(self) -> NDArray[np.float64]:
        """Returns the imbalance of each arm that its run's method allows [J], shape (arm,).

        It is a fraction of the most energy that is exchanged: of the largest kinetic energy, change of P, work or loss.
        With a tolerance the fraction has half of its digits, as 1e-7 for 1e-14; with fixed steps it is a hundredth, or
        a tenth with "semi-implicit". The energies' own rounding is always allowed.
        """
        fraction = real(self.arrays.attrs.get(ENERGY_TOLERANCE, UNKNOWN), ENERGY_TOLERANCE, 0, error=SimulationError)
        exchanged = [self.K, self.P - self.P[..., :1], self.work, self.external, *self.losses.values()]
        return fraction * _largest(exchanged) + ROUNDING * _largest([self.P, *exchanged])

    def check(self, tolerance: float | None = None) -> EnergyCheck:
        """Returns whether the balance stays within `tolerance` joules at every sample whose energy is known.

        tolerance: by default what the run's method allows, `allowed`
        raises SimulationError: a tolerance that is not a number, or below 0
        """
        if tolerance is None:
            allowed = self.allowed
        else:
            given = real(tolerance, "tolerance", 0, LARGEST_TOLERANCE, of=say("in-joules"), error=SimulationError)
            allowed = np.full(self.arrays.shape[0], given)
        with np.errstate(invalid="ignore"):
            off = np.abs(np.atleast_2d(self.balance))
        is_known = np.isfinite(off)
        worst = np.where(is_known, off, -1).max(axis=1)
        fails = worst > allowed
        arm = int(np.argmax(np.where(fails | ~fails.any(), worst, -1)))
        sample = int(np.argmax(np.where(is_known[arm], off[arm], -1)))
        # an arm without any known energy fails
        passed = not fails.any() and bool(is_known[:, 0].all())
        at, known, samples = float(self.time[sample]), int(is_known.sum()), int(is_known.size)
        return EnergyCheck(passed, float(allowed[arm]), float(off[arm, sample]), at, arm, known, samples, self._sum)


def _largest(energies: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Returns the size of the largest energy of each arm, shape (arm,); samples that are not finite do not count."""
    sizes = np.abs(np.stack([np.atleast_2d(energy) for energy in energies]))
    largest: NDArray[np.float64] = np.where(np.isfinite(sizes), sizes, 0.0).max(axis=(0, 2))
    return largest
