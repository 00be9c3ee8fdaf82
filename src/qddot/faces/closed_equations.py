"""ClosedEquations holds the exact equations of one closed chain in its independent coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from qddot.base.system.parts import installed
from qddot.exact.equations.closed.reduced import ChainAttributes, ReducedEquations
from qddot.exact.equations.quantity_table import JOINT_PARTS, SHOWN
from qddot.exact.printing import text as text_of
from qddot.exact.printing.text import WIDTH
from qddot.faces.equations_of_motion import EquationsOfMotion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.closed.coefficients import Quotient
    from qddot.exact.equations.proofs.certificate import Certificate


class ClosedEquations(ChainAttributes):
    """These are M̄ u̇ + C̄ u + Ḡ + springs + friction = Rᵀ τ, where u has the rates of the m independent coordinates.

    M, C (m, m), h = C u, G, springs, friction, tau (m,): those of the closed chain (M̄, C̄, …), written in the kinematic
    coefficients r_kj of R (n, m) and their derivatives r_kj,l; q̇ = R u, and q̇ and u may have quasi-velocities. All
    quantities of a tree but its poses A are there, with u in place of q̇ and torques multiplied by Rᵀ; the Jacobians
    J (b, 6, m) give v = J u.
    phi: the independent conditions of the loops, φ = 0; A (conditions, n): A q̇ = 0, with the rows of φ̇, then those of
    rolling wheels; gamma: γ in A q̈ = −γ.
    """

    def __init__(self, reduced: ReducedEquations, near: NDArray[np.float64] | None = None) -> None:
        """near: q near the closed configuration of proofs"""
        self.reduced, self._near = reduced, near

    def array(self, name: str) -> ExactArray:
        """Returns a quantity by its name. raises QddotError: an unknown name"""
        return self.reduced.array(name)

    @property
    def tree(self) -> EquationsOfMotion:
        """Returns the equations of the chain without its loops."""
        return EquationsOfMotion(self.reduced.tree)

    @property
    def coefficients(self) -> list[Quotient]:
        """Returns the definitions of r_kj and r_kj,l, each a name with numerator and denominator."""
        of = self.reduced.coefficients
        return [*of.first_named, *of.second_named]

    def prove(self, near: NDArray[np.float64] | None = None) -> Certificate:
        """Returns a certificate of the equations where the loops are closed, near one configuration.

        Proved are: det A_d ≠ 0 at a closed configuration that the certificate names, by ball arithmetic, so that the
        rank of A is at least that of the kept conditions there, where A_d has their dependent columns; A q̇ equals the
        conditions' rates, the coefficients solve A R = 0 and Ȧ R + A Ṙ = 0, dM̄/dt − 2C̄ is skew, the energy's rate is
        the power, and Newton–Euler equations of the links give the same torques along q̇ = R u, as identities of
        polynomials, for all closed q with det A_d ≠ 0 and all values of the symbols. That conditions left out follow
        from the others is proved where it holds for all q, and else verified at several closed configurations.
        near: q near the configuration, by default that of the chain, or the neutral position
        """
        from qddot.exact.equations.closed.laws import certified
        from qddot.exact.equations.closed.left_out_conditions import left_out

        with installed():
            from qddot.machine.numeric.closed_evidence import evidence

        eq, rest = self.reduced, left_out(self.reduced)
        rows = rest.there if rest.there or rest.moving else None
        return certified(eq, rest, evidence(eq.model, eq.choice, rows, self._near if near is None else near))

    @property
    def law(self) -> str:
        """Returns the equations in names, "M u̇ + h + G = Rᵀ τ", with springs and friction if there are any."""
        return f"{' + '.join(['M u̇', 'h', 'G', *self._effects])} = Rᵀ τ"

    @property
    def _effects(self) -> list[str]:
        """Returns the names of the torques of springs and of friction that are not zero."""
        return [name for name in JOINT_PARTS if self.array(name)]

    def text(self, only: Sequence[str] | None = None, width: int = WIDTH) -> str:
        """Returns the chosen quantities as plain text, with the definitions of the coefficients.

        only: names, by default the conditions (phi of loops, A of rolling wheels), M, h and G, and springs and friction
        if there are any
        """
        model = self.reduced.model
        conditions = [name for name, there in (("phi", model.loops), ("A", model.rolling)) if there]
        names = [*conditions, *SHOWN, *self._effects] if only is None else list(only)
        arrays = [self.array(name) for name in names]
        parts = [array.text(width) for array in arrays]
        definitions = "\n".join(
            [*(_definition(each, width) for each in self._used(arrays)), *self._implied(arrays, width)]
        )
        place = max((k + 1 for k, name in enumerate(names) if name in ("phi", "A")), default=0)
        return "\n\n".join([*parts[:place], *([definitions] if definitions else []), *parts[place:]])

    def _implied(self, arrays: Sequence[ExactArray], width: int) -> list[str]:
        """Returns the equations of coefficients without quotients, and of their derivatives if the arrays have any."""
        of = self.reduced.coefficients
        names = set[str]().union(*(array.free_symbols for array in arrays))
        slopes = (False, True) if names & set(of.slopes.values()) else (False,)
        return [_zero(each, width) for second in slopes for each in of.implied(second)]

    def _used(self, arrays: Sequence[ExactArray]) -> list[Quotient]:
        """Returns the definitions of the coefficients that occur in arrays, and in the definitions of these."""
        names = set[str]().union(*(array.free_symbols for array in arrays))
        of = self.reduced.coefficients
        second = [each for each in of.second_named if each.name in names]
        names.update(name for each in second for name in each.numerator.variables())
        return [*(each for each in of.first_named if each.name in names), *second]


def _zero(polynomial: Any, width: int) -> str:
    return "\n".join(wrap(f"0 = {text_of.polynomial(polynomial)}", width, subsequent_indent="    "))


def _definition(quotient: Quotient, width: int) -> str:
    """Returns the definition of a coefficient as text, broken between terms."""
    top, bottom = (text_of.polynomial(part) for part in quotient[1:])
    lines = wrap(f"{quotient.name} = ({top})/({bottom})", width, subsequent_indent=" " * (len(quotient.name) + 3))
    return "\n".join(lines)
