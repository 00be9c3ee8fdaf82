"""Defines the time derivatives of a state as programs, which a Runge–Kutta method evaluates."""

from __future__ import annotations

from qddot.algebra.program.program import Program, ProgramError
from qddot.base.records import record
from qddot.base.words.message import Listed

PORTS = ("state", "time", "parameters")
PARTS = 4  # of a step: it is looked at where they end, and at samples
MOST_DEFECT = 1e3  # a dense output's defect times the step, relative to the tolerance; it exceeds 100 in stiff motions


def allowed_defect(relative: float) -> float:
    """Returns how often the defect of a dense output, times the step, may exceed a step's tolerance."""
    return float(min(MOST_DEFECT, relative**-0.5))


@record()
class Rates:
    """Rates are programs over the ports `state` (m,), `time` (1,) and `parameters` (p,).

    method: "dop853" or "radau"
    slopes: returns the state's rates (m,); guards: returns numbers that stop an arm when they rise above zero, or None
    jacobian: returns ∂rates/∂state (m, m), for an implicit method
    watched: whether the rates may change so briefly that they have to be looked at within steps
    """

    method: str
    slopes: Program
    guards: Program | None = None
    jacobian: Program | None = None
    watched: bool = False

    def __post_init__(self) -> None:
        for program in self.programs:
            names = tuple(port.name for port in program.inputs)
            if names != PORTS:
                raise ProgramError("rates-ports", where=program.name, names=names, expected=Listed(PORTS))

    @property
    def programs(self) -> tuple[Program, ...]:
        """Returns all programs of these rates."""
        return tuple(program for program in (self.slopes, self.guards, self.jacobian) if program)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Returns the numbers of elements of the state, the parameters and the guards."""
        state, _, parameters = (port.size for port in self.slopes.inputs)
        return state, parameters, self.guards.outputs[0].size if self.guards else 0

    @property
    def hash(self) -> str:
        """Returns a fingerprint of everything that the code depends on."""
        return " ".join(
            (self.method, "watched" * self.watched, *(f"{program.name} {program.hash}" for program in self.programs))
        )
