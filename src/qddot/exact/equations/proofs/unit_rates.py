"""Proves the equations of long arms with quasi-velocities at unit rates, so that no polynomial contains a rate.

The torques of Newton and Euler are τ(q, ν, ν̇) = A(q) ν̇ + Q(q; ν, ν) + g(q), linear in ν̇ and quadratic in ν. So they
equal M ν̇ + Σ Γ_ijk ν_j ν_k + G for all ν and ν̇ if and only if they do at rest, for unit accelerations at rest, and,
without accelerations and gravity, for the rates e_j and e_j + e_k (polarization).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from qddot.algebra.spatial import Number, Vec3
from qddot.exact.equations.proofs.certificate import Certificate, Report
from qddot.exact.equations.proofs.subject import NEWTON_EULER, Differences, InNormalForm, Place
from qddot.exact.equations.proofs.verdicts import certified
from qddot.exact.equations.routes import Route
from qddot.physics.algorithms import composite, newton_euler
from qddot.physics.mechanism import Mechanism

LONGEST = 11  # successive joints that turn, up to which M is computed in order to count its terms
LARGEST = 500_000  # terms of M, up to which a proof takes less than a minute or two and 2 GB


def suits(mechanism: Mechanism) -> bool:
    """Returns whether a long arm has quasi-velocities, and few enough terms to be proved at unit rates.

    mechanism: the model in polynomials, in the joints' own angles
    """
    turning = {link.index for _, link in mechanism.moving if link.kind.is_angle}
    if not mechanism.brackets or any(len(turning.intersection(path)) > LONGEST for path in mechanism.paths):
        return False
    M: Any = composite.mass_matrix(mechanism)
    return sum(len(entry) for row in M for entry in row if not isinstance(entry, int)) <= LARGEST


def prove(subject: InUnitRates, progress: Report | None = None) -> Certificate:
    """Returns the certificate of the identities that need no rates, and of those that are proved at unit rates.

    progress: called with the name of each identity before it is tried
    """
    return certified([subject], [NEWTON_EULER], progress)


class InUnitRates(InNormalForm):
    """These are the equations in normal form, whose identities are proved at unit rates and unit accelerations."""

    has_rates = False

    def has(self, route: Route) -> bool:
        """Returns whether a route is compared: Newton and Euler's, which needs no derivatives with respect to rates."""
        return route.name == NEWTON_EULER

    def compared(self, route: Route) -> Differences:
        """Yields G, M and Γ minus the torques of Newton and Euler at rest, at unit accelerations, and at unit rates."""
        between = f" ({self.route} − {route.name})"
        M, christoffel = self["M"], self["christoffel"]
        at_rest = newton_euler.torques(self._moving(gravity=self.plain.gravity))
        for i in self.n:
            yield Place("G", (i,), between), self["G"][i] - at_rest[i]
            for j in self.n:
                yield Place("M", (i, j), between), M[i][j] - self.unit_accelerations()[i][j]
        squares = [newton_euler.torques(self._moving(j)) for j in self.n]
        for j in self.n:
            for i in self.n:
                yield Place("christoffel", (i, j, j), between), christoffel[i][j][j] - squares[j][i]
            for k in range(j):
                both = newton_euler.torques(self._moving(j, k))
                for i in self.n:
                    product = both[i] - squares[j][i] - squares[k][i]
                    ours = christoffel[i][j][k] + christoffel[i][k][j]
                    yield Place("christoffel", (i, j, k), between), ours - product

    def _moving(self, *places: int, gravity: Vec3 | None = None) -> Mechanism:
        """Returns the arm without accelerations, at the sum of unit rates in these places."""
        still = (0,) * self.model.n
        rates = tuple(int(k in places) for k in self.n)
        return replace(self.plain, gravity=gravity or Vec3.zero(), qd=rates, qdd=still)

    def unit_accelerations(self) -> list[list[Number]]:
        return self._at_unit_accelerations

    @cached_property
    def _at_unit_accelerations(self) -> list[list[Number]]:
        return super().unit_accelerations()
