"""The laws of mechanics that equations obey, each a stream of differences that must vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from qddot.dynamics import energies, kinematics, newton_euler
from qddot.dynamics.effects import with_inertias
from qddot.equations.array import ExactArray
from qddot.equations.centres import OwnCentres
from qddot.equations.certificate import PROVED
from qddot.equations.quantities import Quantities
from qddot.equations.routes import by_centres
from qddot.numbers.witness import witness
from qddot.printing import text
from qddot.printing.quantity_names import indices
from qddot.spatial import Motion, Number, Rotation, Vec3, summed

STEPS = {"com_jacobian": ("p_c", "Jv"), "screw": ("J_body",), "newton_euler": ("tau",)}  # of routes, in later laws


class Entry(NamedTuple):
    """This is the place of a difference, which is written only where it is not zero."""

    name: str
    place: tuple[int, ...]
    between: str = ""

    def __str__(self) -> str:
        return f"{self.name}{indices(self.place)}{self.between}"


Difference: TypeAlias = tuple[str | Entry, Any]
Differences: TypeAlias = Iterator[Difference]


class Laws:
    """These are the identities of one model's equations, each a stream of differences that must vanish.

    holding: the verdict on an identity whose differences are all zero; in_routes: what is compared between routes
    """

    holding = PROVED
    in_routes = "M, Γ, G entry by entry"

    def __init__(self, eq: Quantities) -> None:
        self.eq = eq
        self.ring = eq.ring
        self.dynamics = eq.dynamics
        self.arm = self.plain = eq.dynamics.arm
        self.n = range(eq.n)
        self._steps: dict[str, ExactArray] = {}
        self._keep_steps(eq)

    def identities(self, routes: Sequence[str]) -> Iterator[tuple[str, str, Callable[[], Differences]]]:
        """Yields (name, law, differences) of the identities that apply here, first of those with other routes."""
        for route in routes:
            if route != self.eq.route and self.has(route):
                yield f"{route} ≡ {self.eq.route}", self.in_routes, partial(self.route, route)
        for name, law, differences in (
            ("Newton–Euler ≡ Lagrange, symbolic q̈", "τ = M q̈ + C q̇ + G", self.newton_euler),
            ("M is symmetric", "M = Mᵀ = τ of unit accelerations", self.symmetry),
            ("Ṁ − 2C is skew", "C does no work", self.skew),
            ("energy rate = power", "dE/dt = q̇ᵀ(τ − friction)", self.power),
            ("Christoffel symbols", "Γ_ijk = Γ_ikj, b_iii = 0, b_iji = 0", self.christoffel),
            ("Γ is M's", "2Γ_ijk = M_ij,k + M_ik,j − M_jk,i", self.slopes),
            ("Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ", "each Jacobian a derivative", self.jacobians),
            ("kinetic energy", "body axes = base axes = ½ q̇ᵀ M q̇", self.kinetic_energy),
            ("power of the twists", "Σ V·(𝒢V̇ − ad_Vᵀ𝒢V) = τᵀq̇", self.twists),
            ("G = ∂P/∂q", "gravity from the potential", self.gravity),
        ):
            if differences.__name__ in self.dynamics.laws:
                yield name, law, differences

    def has(self, route: str) -> bool:
        """Returns whether a route can be derived in these numbers."""
        return True

    def counterexample(self, place: str, difference: Any) -> tuple[str, str]:
        """Returns the verdict on a difference that is not zero as a form, and its reason."""
        shown = text.polynomial(difference)
        shown = shown if len(shown) < 200 else shown[:200] + " …"
        found = witness(difference)
        if found is None:
            return "undecided", f"{place}: the difference {shown} is not zero as a form; no witness was found"
        state, value = found
        at = ", ".join(f"{name} = {number}" for name, number in state.items())
        return "false", f"{place}: the difference is {shown}, {value:.6g} at {at or 'every state'}"

    def _q(self, value: Any, k: int) -> Any:
        return self.ring.differentiate(value, self.eq.model.coordinates[k])

    def route(self, name: str) -> Differences:
        """Yields M, Γ and G of our route minus those of another."""
        other = self._by(name)
        self._keep_steps(other)
        for quantity in ("M", "christoffel", "G"):
            ours, theirs = getattr(self.eq, quantity), getattr(other, quantity)
            for place, a, b in zip(ours.places, ours.entries, theirs.entries, strict=True):
                yield ("", 0) if a is b else (Entry(ours.name, place, f" ({self.eq.route} − {name})"), a - b)

    def _by(self, route: str) -> Quantities:
        """Returns the same model's equations by another route."""
        if route != "com_jacobian" or not OwnCentres.suit(self.plain):
            return Quantities(self.eq.model, route, self.ring)
        centres = OwnCentres(self.eq.model, self.ring)
        other = Quantities(self.eq.model, route, self.ring, by_centres(self.eq.model, centres))
        other.centres = centres
        return other

    def _keep_steps(self, eq: Quantities) -> None:
        """Keeps the steps of a route that a later law looks at; all else of it may go."""
        self._steps |= {name: eq.steps[name] for name in STEPS.get(eq.route, ())}

    @cached_property
    def _body_torques(self) -> list[Number]:
        """Returns the torques of the bodies by Newton and Euler, which two laws look at."""
        return list(self._steps["tau"].entries) if "tau" in self._steps else self.dynamics.body_torques()

    def newton_euler(self) -> Differences:
        parts = self._body_torques, self.dynamics.torques_of("rotors"), self.dynamics.outside()
        for i, (bodies, rotors, outside) in enumerate(zip(*parts, strict=True)):
            yield f"tau{i + 1}", self.eq.tau.entries[i] - (bodies + rotors + outside)

    def symmetry(self) -> Differences:
        """Yields M minus its transpose, and minus the torques of unit accelerations at rest."""
        M, unit = matrix(self.eq.M), self._unit_accelerations()
        for i in self.n:
            for j in self.n:
                yield f"M{i + 1}{j + 1} − M{j + 1}{i + 1}", M[i][j] - M[j][i]
                yield f"M{i + 1}{j + 1} by unit accelerations", M[i][j] - unit[i][j]

    def _unit_accelerations(self) -> list[list[Number]]:
        still = replace(self.plain, gravity=Vec3.zero(), qd=(0,) * self.eq.n)
        columns = []
        for j in self.n:
            moved = replace(still, qdd=tuple(int(k == j) for k in self.n))
            columns.append(newton_euler.inverse_dynamics(moved).tau)
        return with_inertias([list(row) for row in zip(*columns, strict=True)], self.arm.effects)

    def skew(self) -> Differences:
        M, C = matrix(self.eq.M), matrix(self.eq.C)
        rate = {(i, j): self.ring.time_derivative(M[i][j]) for i in self.n for j in range(i + 1)}
        for i in self.n:
            for j in range(i + 1):
                yield f"Ṁ{i + 1}{j + 1}", rate[i, j] * 2 - (C[i][j] + C[j][i]) * 2

    def power(self) -> Differences:
        E = self.eq.K.entries[0] + self.eq.P.entries[0] + self.dynamics.spring_energy()
        work: Any = 0
        for i in self.n:
            work = work + self.arm.qd[i] * (self.eq.tau.entries[i] - self.eq.friction.entries[i])
        yield "dE/dt", self.ring.time_derivative(E) - work

    def christoffel(self) -> Differences:
        gamma = [matrix(self.eq.christoffel[i]) for i in self.n]
        for i in self.n:
            if not self._carries_itself(i):
                yield f"b_{i + 1}{i + 1}{i + 1}", gamma[i][i][i]
            for j in self.n:
                if i != j and not self._carries(i, j):
                    # in a chain, for i > j: M_ii is the inertia beyond joint i, which q_j does not change
                    yield f"b_{i + 1}{j + 1}{i + 1}", gamma[i][j][i]
                for k in range(j):
                    yield f"christoffel{i + 1}{j + 1}{k + 1}", gamma[i][j][k] - gamma[i][k][j]

    def slopes(self) -> Differences:
        """Yields 2Γ minus the derivatives of M that define it."""
        M, gamma = matrix(self.eq.M), [matrix(self.eq.christoffel[i]) for i in self.n]
        for i in self.n:
            for j in self.n:
                for k in range(j + 1):
                    slopes = self._q(M[i][j], k) + self._q(M[i][k], j) - self._q(M[j][k], i)
                    yield f"christoffel{i + 1}{j + 1}{k + 1}", gamma[i][j][k] * 2 - slopes

    def _carries(self, i: int, j: int) -> bool:
        """Returns whether joint i moves joint j."""
        moving = self.arm.moving
        return any(self.arm.carries(a.index, b.index) for k, a in moving if k == i for m, b in moving if m == j)

    def _carries_itself(self, i: int) -> bool:
        """Returns whether a joint of q_i moves another one of q_i, so that M_ii changes with it."""
        moved = [link.index for k, link in self.arm.moving if k == i]
        return any(self.arm.carries(a, b) for a in moved for b in moved if a != b)

    def jacobians(self) -> Differences:
        """Yields Jacobians of links' origins and known centres of mass, then the routes' own, minus derivatives."""
        T, bodies = kinematics.poses(self.arm), kinematics.body_jacobians(self.arm)
        for link in self.arm.links:
            R, i = T[link.index].R, link.index
            world = kinematics.jacobian(self.arm, i, None, T)
            columns = [(T[i].p, world)]
            if link.com:
                columns.append((T[i].apply(link.com), kinematics.jacobian(self.arm, i, link.com, T)))
            for p, jacobian in columns:
                for j, column in enumerate(jacobian):
                    yield from self._column(f"{link.name}, column {j + 1}", p, R, column or Motion.zero(), j)
            for j, (a, b) in enumerate(zip(world, bodies[i], strict=True)):
                yield from self._same_twist(f"J_body of {link.name}, column {j + 1}", a, b, R)
        if "Jv" in self._steps:
            yield from self._centre_jacobians(self._steps["p_c"], self._steps["Jv"])
        if "J_body" in self._steps:
            yield from self._body_jacobians(self._steps["J_body"], bodies)

    def _column(self, place: str, p: Vec3, R: Rotation, twist: Motion, j: int) -> Differences:
        for name, slope, entry in zip("xyz", p.map(lambda x: self._q(x, j)), twist.v, strict=True):
            yield f"Jv of {place}, {name}", slope - entry
        for axis in R.T:
            for slope, entry in zip(axis.map(lambda x: self._q(x, j)), twist.w.cross(axis), strict=True):
                yield f"Jω of {place}", slope - entry

    def _same_twist(self, place: str, world: Motion | None, body: Motion | None, R: Rotation) -> Differences:
        here, there = body or Motion.zero(), world or Motion.zero()
        for a, b in zip((*R.apply(here.w), *R.apply(here.v)), there, strict=True):
            yield place, a - b

    def _centre_jacobians(self, p_c: ExactArray, Jv: ExactArray) -> Differences:
        for j, name in enumerate(self.eq.model.coordinates):
            for p, entry in zip(p_c.entries, Jv[:, :, j].entries, strict=True):
                yield f"Jv of the centres of mass, column {j + 1}", p_c.ring.differentiate(p, name) - entry

    def _body_jacobians(self, J: ExactArray, bodies: list[list[Motion | None]]) -> Differences:
        n = len(self.n)
        for link in self.arm.links:
            own = J.entries[6 * n * link.index : 6 * n * (link.index + 1)]
            for j, column in enumerate(bodies[link.index]):
                for a, b in zip(own[j::n], column or Motion.zero(), strict=True):
                    yield f"J_body of {link.name} by exponentials, column {j + 1}", a - b

    def kinetic_energy(self) -> Differences:
        body = energies.kinetic_energy(self.arm)
        yield "body − base axes", body - energies.kinetic_energy_in_base(self.arm)
        momentum = energies.momentum(matrix(self.eq.M), self.arm.qd)
        twice: Any = 0
        for rate, p in zip(self.arm.qd, momentum, strict=True):
            twice = twice + rate * p
        yield "K − ½ q̇ᵀ M q̇", self.eq.K.entries[0] * 2 - twice

    def twists(self) -> Differences:
        """Yields the power of the bodies alone: rotors, springs and friction do not act on twists."""
        V = kinematics.twists(self.arm)
        A = kinematics.twist_rates(self.arm, V)
        F = [link.inertia.wrench(V[link.index], A[link.index]) for link in self.arm.links]
        supplied = summed(rate * torque for rate, torque in zip(self.arm.qd, self._body_torques, strict=True))
        yield "Σ V·F − τᵀq̇", energies.power(self.arm, V, F) - supplied

    def gravity(self) -> Differences:
        for k in self.n:
            yield f"G{k + 1}", self.eq.G.entries[k] - self._q(self.eq.P.entries[0], k)


def matrix(array: Any) -> list[list[Any]]:
    """Returns the rows of an array of two dimensions."""
    width = array.shape[1]
    return [list(array.entries[k * width : (k + 1) * width]) for k in range(array.shape[0])]
