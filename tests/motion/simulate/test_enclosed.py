"""An enclosed run holds the true solution: that of closed forms, of more digits, of every start in its box."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, arb_mat
from refusals import refusal

import qddot
from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.motion.enclosing import lohner
from qddot.motion.enclosing.variations import VectorField


def holds(run: Any, truth: Any, samples: Any = slice(None)) -> bool:
    """Whether every number of (time, 2n) lies within the bounds."""
    return bool(((run.lower[samples] <= truth) & (truth <= run.upper[samples])).all())


def test_a_pendulum_lies_within_its_bounds() -> None:
    """θ = 2 asin(k sn(K − ωt, k)) with 30 digits, far closer than the bounds are wide."""
    run = qddot.load("one_link").enclose([0.5], None, 2.0, 0.5, l=0.7)
    with mpmath.workdps(30):
        k = mpmath.sin((mpmath.mpf(0.5) + mpmath.pi / 2) / 2)
        omega = mpmath.sqrt(mpmath.mpf("9.81") / mpmath.mpf("0.7"))
        for sample, t in enumerate(run.time):
            sn = mpmath.ellipfun("sn", mpmath.ellipk(k * k) - omega * mpmath.mpf(t), m=k * k)
            exact = 2 * mpmath.asin(k * sn) - mpmath.pi / 2
            assert mpmath.mpf(run.lower[sample, 0]) <= exact <= mpmath.mpf(run.upper[sample, 0])
    assert (run.upper - run.lower).max() < 1e-11
    assert not run.stops


def test_every_start_in_the_box_stays_within_the_bounds() -> None:
    arm, rng = qddot.load("spatial_2r"), np.random.default_rng(0)
    run = arm.enclose([1.0, 0.5], None, 0.5, 0.25, radius=1e-4)
    corners = np.array([1.0, 0.5, 0.0, 0.0]) + 1e-4 * rng.uniform(-1, 1, (20, 4))
    inside = arm.simulate(corners[:, :2], corners[:, 2:], 0.5, 0.25, "taylor")
    for k in range(20):
        assert holds(run, np.concatenate([inside.q[k], inside.qd[k]], axis=1))
    width = run.upper[-1] - run.lower[-1]
    spread = np.concatenate([inside.q, inside.qd], axis=2)[:, -1]
    assert (width < 6 * np.ptp(spread, axis=0)).all()


def test_every_value_of_a_symbol_stays_within_the_bounds() -> None:
    arm = qddot.load("one_link")
    run = arm.enclose([0.5], None, 0.5, 0.25, radius={"l": 1e-3}, damping=0.1)
    others = arm.simulate([0.5], None, 0.5, 0.25, "taylor", damping=0.1, l=[0.9991, 1.0, 1.0009, 1.1])
    *inside, outside = np.concatenate([others.q, others.qd], axis=2)
    assert all(holds(run, motion) for motion in inside)
    assert not holds(run, outside)


SYMBOLS = {"m1": 1.0, "l": 1.0, "m2": 10.0}
RADIUS = 1e-4


def test_uncertain_symbols_widen_the_bounds_as_they_part_the_motions() -> None:
    """The spread of a hundred values, the extreme ones among them, is nearly all of the width: a symbol is one number.

    If it were an interval in each step's rates, it could differ from step to step, and the bounds would be
    a thousand times as wide.
    """
    arm, rng, names = qddot.load("two_link"), np.random.default_rng(0), ("m2", "l")
    corners = np.array(np.meshgrid(*[[-1.0, 1.0]] * len(names))).reshape(len(names), -1)
    shares = np.concatenate([corners, rng.uniform(-1, 1, (len(names), 100))], axis=1)
    each = {name: SYMBOLS[name] + 0.999 * RADIUS * share for name, share in zip(names, shares, strict=True)}
    q0 = np.tile([0.3, 0.4], (shares.shape[1], 1))
    runs = arm.simulate(q0, None, 0.25, 0.125, "taylor", limits=False, **{**SYMBOLS, **each})
    motions = np.concatenate([runs.q, runs.qd], axis=2)
    run = arm.enclose([0.3, 0.4], None, 0.25, 0.125, radius=dict.fromkeys(names, RADIUS), **SYMBOLS)
    assert not run.stops
    assert all(holds(run, motion) for motion in motions)
    assert (run.upper - run.lower <= 1.1 * np.ptp(motions, axis=0) + 1e-12).all()


CART = """
name = "cart"
convention = "tree"
gravity = ["-g", 0, 0]

[symbols]
m = { value = 2 }
c = { value = 0.5 }
k = { value = 18 }
J = { value = 0.25 }
g = { value = 9.81 }

[[link]]
name = "cart"
mass = "m"
com = [0, 0, 0]
inertia = { about = "com", xx = 0, yy = 0, zz = 0 }
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x", damping = "c", armature = "J", spring = { stiffness = "k", rest = 0 } }
"""  # noqa: E501


def test_every_symbol_of_a_cart_under_a_law_is_carried() -> None:
    """(m + J) ẍ + (c + 1) ẋ + (k + 8) x = 4 sin t − m g: damping, rotor, spring, gravity and mass are uncertain."""
    arm = qddot.loads(CART)
    radii = {"m": 2e-3, "c": 1e-3, "k": 5e-3, "J": 1e-3, "g": 2e-3}
    values = {"m": 2.0, "c": 0.5, "k": 18.0, "J": 0.25, "g": 9.81}
    spring = qddot.forces.SpringDamper("cart", (0, 0, 0), 8.0, 1.0)
    law = lambda t, q, qd: [4 * qddot.sin(t)]  # noqa: E731
    run = arm.enclose([0.2], [0.1], 1.0, 0.5, torque=law, forces=spring, radius=radii)
    ends = []
    with mpmath.workdps(30):
        for signs in np.array(np.meshgrid(*[[-0.999, 0.999]] * 5)).reshape(5, -1).T:
            m, c, k, J, g = (
                mpmath.mpf(v) + sign * r for v, sign, r in zip(values.values(), signs, radii.values(), strict=True)
            )
            # state: x, ẋ, sin t, cos t, 1
            pull = [-(k + 8) / (m + J), -(c + 1) / (m + J), 4 / (m + J), 0, -m * g / (m + J)]
            A = mpmath.matrix([[0, 1, 0, 0, 0], pull, [0, 0, 0, 1, 0], [0, 0, -1, 0, 0], [0, 0, 0, 0, 0]])
            exact = mpmath.expm(A) * mpmath.matrix([0.2, 0.1, 0, 1, 1])
            ends.append([exact[0], exact[1]])
            for bounds, x in zip(zip(run.lower[-1], run.upper[-1], strict=True), exact, strict=False):
                assert mpmath.mpf(bounds[0]) <= x <= mpmath.mpf(bounds[1])
    assert (run.upper[-1] - run.lower[-1] < 1.1 * np.ptp(np.array(ends, float), axis=0)).all()


class Integral:
    """A law with a state: ż = ½ − x, and a force of 10 z."""

    z0 = (0.25,)

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return 10 * z, 0.5 - q


def test_a_mass_on_a_spring_under_integral_action_lies_within_its_bounds() -> None:
    """x, ẋ and z solve linear equations, whose exponential is taken with 30 digits."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="x")
    body = qddot.Body.of("cart", joint, mass=2, com=(0, 0, 0), about="com", inertia=(0, 0, 0, 0, 0, 0))
    arm = qddot.Robot(qddot.Model("cart", (body,), gravity=(0, 0, -9.81)))
    spring = qddot.forces.SpringDamper("cart", (2.0, 0, 0), 50.0, 4.0)
    run = arm.enclose([0.125], [0.5], 1.0, 0.25, torque=Integral(), forces=spring)
    with mpmath.workdps(30):
        A = mpmath.matrix([[0, 1, 0, 0], [-25, -2, 5, 50], [-1, 0, 0, 0.5], [0, 0, 0, 0]])
        for sample, t in enumerate(run.time):
            exact = mpmath.expm(A * mpmath.mpf(t)) * mpmath.matrix([0.125, 0.5, 0.25, 1])
            for k in range(2):
                assert mpmath.mpf(run.lower[sample, k]) <= exact[k] <= mpmath.mpf(run.upper[sample, k])
    assert (run.upper - run.lower).max() < 1e-13


def random_equations(rng: Any, radius: float = 0.0) -> VectorField:
    """x' = a (A sin x + a b B cos x₁ x) + c t, small and smooth, and its derivatives; a and b are near 1."""
    A, B = rng.uniform(-1, 1, (2, 2, 2))
    programs: list[Program] = []
    for orders in range(3):
        graph = Graph()
        x = graph.input("state", (2,))
        (t,) = graph.input("time", (1,))
        a, b = graph.input("parameters", (2,))
        rates = [
            sum(
                (
                    a * (x[j].apply("sin") * float(A[i, j]) + a * b * x[0].apply("cos") * x[j] * float(B[i, j]))
                    for j in range(2)
                ),
                start=t * 0.3,
            )
            for i in range(2)
        ]
        outputs: dict[str, Any] = {"rates": rates}
        by = [*x, a, b] if radius else x
        if orders > 0:
            outputs["jacobian"] = derivatives.jacobian(rates, by)
        if orders > 1:
            direction = graph.input("direction", (len(by),))
            seeds = {each.index: d for each, d in zip(by, direction, strict=True)}
            outputs["turning"] = derivatives.directional([x for row in outputs["jacobian"] for x in row], seeds)
        programs.append(graph.program("f", outputs))
    slopes, jacobian, curvature = programs
    return VectorField(slopes, jacobian, [arb(1, radius)] * 2, (0, 1) if radius else (), curvature if radius else None)


def exact_end(of: VectorField, start: Any, parameters: Any = (1.0, 1.0)) -> Any:
    """The solution at t = 1, with some thirty digits, from Taylor series of high order in small steps."""
    functions: dict[str, Any] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "neg": lambda a: -a,
    }
    series = {"sin": lambda a: a.sin(), "cos": lambda a: a.cos()}
    from flint import arb_series, ctx

    before, ctx.prec, cap, ctx.cap = ctx.prec, 200, ctx.cap, 40
    try:
        x = [arb(float(v)) for v in start]
        for step in range(8):
            expansions = [arb_series([v], prec=1) for v in x]
            for k in range(1, 26):
                inputs: Any = (
                    [arb_series([s[j] for j in range(k)], prec=k) for s in expansions],
                    [arb_series([arb(step) / 8, 1][:k], prec=k)],
                    [arb(float(v)) for v in parameters],
                )
                values: list[Any] = []
                for node in of.rates.nodes:
                    if node.op == "input":
                        values.append(inputs[node.element[0]][node.element[1]])
                    elif node.op == "constant":
                        values.append(arb(node.value))
                    else:
                        values.append({**functions, **series}[node.op](*(values[p] for p in node.args)))
                rates = [values[p] for p in of.rates.results]
                expansions = [
                    arb_series([*(s[j] for j in range(k)), r[k - 1] / k], prec=k + 1)
                    for s, r in zip(expansions, rates, strict=True)
                ]
            h = arb(1) / 8
            x = [arb(sum((s[j] * h**j for j in range(26)), arb(0)).mid()) for s in expansions]
        return x
    finally:
        ctx.prec, ctx.cap = before, cap


def end_box(of: VectorField, box: Any) -> Any:
    sets: list[lohner.Set] = []
    assert lohner.enclosed(lambda _: of, lohner.initial_set(of, box), [1.0], sets.append) == 1.0
    return sets[-1].box


@pytest.mark.parametrize("seed", range(8))
def test_random_systems_lie_within_their_bounds(seed: int) -> None:
    """The ends of starts at the box's corners, with thirty digits, lie inside, and the tube stays narrow."""
    rng = np.random.default_rng(seed)
    of, middle = random_equations(rng), rng.uniform(-1, 1, 2)
    box = end_box(of, [arb(float(v), 1e-6) for v in middle])
    for corner in (-1e-6, 1e-6):
        for exact, bound in zip(exact_end(of, middle + corner * rng.choice([-1, 1], 2) * 0.999), box, strict=True):
            assert bound.contains(exact)
    assert max(float(x.rad()) for x in box) < 1e-4


def corners_inside(seed: int, radius: float) -> tuple[bool, Any, Any]:
    """Whether the ends from the corners of a and b lie within the bounds; the bounds' widths; the ends' spread."""
    rng = np.random.default_rng(seed)
    of, middle = random_equations(rng, radius), rng.uniform(-1, 1, 2)
    box = end_box(of, [arb(float(v)) for v in middle])
    ends = [exact_end(of, middle, (1 + radius * a, 1 + radius * b)) for a in (-0.999, 0.999) for b in (-0.999, 0.999)]
    inside = all(bound.contains(x) for end in ends for x, bound in zip(end, box, strict=True))
    spread = np.ptp(np.array([[float(x.mid()) for x in end] for end in ends]), axis=0)
    return inside, np.array([2 * float(bound.rad()) for bound in box]), spread


@pytest.mark.parametrize("seed", range(4))
def test_random_systems_with_uncertain_parameters_lie_within_their_bounds(seed: int) -> None:
    """At 1 %, second derivatives count, too; the bounds are not much wider than the motions part."""
    inside, widths, spread = corners_inside(seed, 0.01)
    assert inside
    assert (widths < 3 * spread + 1e-3).all()


@pytest.mark.parametrize("fault", ["half the radii", "no change of the Jacobian", "no column of a parameter"])
def test_bounds_that_forget_a_parameter_are_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    initial_set, turned = lohner.initial_set, lohner._mapped
    if fault == "half the radii":
        monkeypatch.setattr(
            lohner, "initial_set", lambda of, box: replace(s := initial_set(of, box), r0=[x / 2 for x in s.r0])
        )
    elif fault == "no change of the Jacobian":
        still = lambda of, box, direction, time, order: [[0] * (order + 1)] * (of.size * of.columns)  # noqa: E731
        monkeypatch.setattr(lohner, "turning", still)
    else:

        def forgetting(here: lohner.Set, point: Any, J: arb_mat) -> lohner.Set:
            return turned(here, point, arb_mat([[J[i, j] if j < 3 else arb(0) for j in range(4)] for i in range(2)]))

        monkeypatch.setattr(lohner, "_mapped", forgetting)
    assert not all(corners_inside(seed, 0.01)[0] for seed in range(4))


def test_an_enclosure_that_is_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With sets of half the width, the ends from the corners leave the bounds."""
    turned = lohner._mapped

    def planted(here: lohner.Set, point: Any, J: arb_mat) -> lohner.Set:
        after = turned(here, point, J)
        return replace(after, r0=[x / 2 for x in after.r0], r=[x / 2 for x in after.r])

    monkeypatch.setattr(lohner, "_mapped", planted)
    rng = np.random.default_rng(0)
    of, middle = random_equations(rng), rng.uniform(-1, 1, 2)
    box = end_box(of, [arb(float(v), 1e-6) for v in middle])
    inside = [bound.contains(x) for x, bound in zip(exact_end(of, middle + 0.999e-6), box, strict=True)]
    assert not all(inside)


def test_a_box_that_is_too_large_is_told() -> None:
    run = qddot.load("two_link").enclose([1.0, 0.5], None, 1.0, 0.25, radius=0.3)
    assert "no enclosure" in run.stops[0].reason
    assert run.stops[0].time < 1
    assert np.isnan(run.upper[-1]).all()


def test_what_has_no_enclosure_is_refused() -> None:
    arm = qddot.load("one_link")
    for options, match in (
        ({"torque": lambda t, q, qd: [1.0 if q[0] > 0 else 0.0]}, ("enclosed-run-not-smooth",)),
        ({"torque": lambda t, q, qd: [qddot.sign(q[0])]}, ("enclosed-run-not-smooth", "sign")),
        ({"torque": qddot.laws.sampled(lambda t, q, qd: -q, 0.25)}, ("enclosed-run-not-smooth", "a-sampled-law")),
        ({"forces": qddot.forces.Payload(1.0, body=0, taken=0.25)}, ("enclosed-run-with-switches", "some-payloads")),
        (
            {"forces": qddot.forces.Wrench(0, ([0, 1], np.zeros((2, 3))))},
            ("enclosed-run-with-switches", "forces-as-samples"),
        ),
        ({"radius": -1.0}, ("number-not-allowed", "radius", "-1.0", "0")),
        ({"radius": {"nothing": 1.0}}, ("no-radius",)),
        ({"radius": "wide"}, ("number-not-allowed", "radius", "'wide'")),
        ({"progress": 5}, ("progress-no-function", "5")),
    ):
        with refusal(SimulationError, *match):
            arm.enclose([0.5], None, 0.5, 0.25, **options)
    with refusal(SimulationError, "arms-in-an-enclosed-run"):
        arm.enclose([[0.5], [0.6]], None, 0.5, 0.25)
    with refusal(SimulationError, "enclosed-run-needs-no-comparison"):
        arm.enclose([0.5], None, 0.1, 0.1).trust()
    with refusal(SimulationError, "run-without-bounds"):
        _ = arm.simulate([0.5], None, 0.5, 0.25).lower


def test_the_picture_shows_the_tube() -> None:
    run = qddot.load("one_link").enclose([0.5], None, 0.5, 0.1, radius=1e-2)
    figure = run.plot()
    assert [len(ax.collections) for ax in figure.axes] == [1, 1]
