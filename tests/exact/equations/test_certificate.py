"""All routes are proved equal on every arm, and the laws of mechanics hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from rich.cells import cell_len
from robots import orthogonal_robots, robots

import qddot
from qddot.algebra.expressions.parser import angle
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.algebra.spatial import Force
from qddot.base.words.language import languages, speaking
from qddot.base.words.message import Told
from qddot.exact.equations.proofs.certificate import Certificate, Identity
from qddot.exact.equations.proofs.laws import LAWS
from qddot.exact.equations.proofs.prove import prove
from qddot.exact.equations.proofs.subject import Judge
from qddot.exact.equations.proofs.verdicts import verdict
from qddot.exact.equations.quantities import Quantities
from qddot.physics.algorithms import energies, kinematics, newton_euler
from qddot.physics.lagrange import dh4x4


def test_every_identity_holds_on_the_zoo(zoo_arm: qddot.Robot) -> None:
    certificate = zoo_arm.prove()
    assert certificate, str(certificate)
    assert len(certificate.identities) == 14


@given(orthogonal_robots())
@settings(max_examples=15)
def test_every_identity_holds_on_random_trees_of_up_to_five_joints(arm: qddot.Robot) -> None:
    certificate = arm.prove()
    assert certificate, str(certificate)


@pytest.mark.slow
@given(robots())
@settings(max_examples=25)
def test_every_identity_holds_on_random_trees(arm: qddot.Robot) -> None:
    certificate = arm.prove()
    assert certificate, str(certificate)


def multiplied(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    """The product of polynomials, by their coefficients."""
    product = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def says_zero(relation: Mapping[str, Any]) -> bool:
    """Whether a written certificate of membership holds: its polynomial is Σ monomial · cofactor · minimal.

    That is so exactly, once ξ = 2 cos(2π/N) stands in it; floats suffice to tell which root of the minimal polynomial
    ξ is, and which value an image has.
    """
    images = {key: list(map(Fraction, each)) for key, each in relation["images"].items()}
    minimal = list(map(Fraction, relation["minimal"]))
    xi = 2 * math.cos(2 * math.pi / relation["order"])
    if abs(sum(float(c) * xi**k for k, c in enumerate(minimal))) > 1e-9:
        return False
    rest: dict[tuple[tuple[str, int], ...], dict[int, Fraction]] = {}
    products = [(powers, [Fraction(number)], 1) for number, powers in relation["terms"]]
    products += [(powers, multiplied(list(map(Fraction, each)), minimal), -1) for powers, each in relation["cofactors"]]
    for powers, value, sign in products:
        for key in sorted(powers.keys() & images.keys()):
            for _ in range(powers[key]):
                value = multiplied(value, images[key])
        others = tuple(sorted((key, power) for key, power in powers.items() if key not in images))
        row = rest.setdefault(others, {})
        for k, coefficient in enumerate(value):
            row[k] = row.get(k, Fraction(0)) + sign * coefficient
    return not any(coefficient for row in rest.values() for coefficient in row.values())


def relation_of_20_degrees(constant: int) -> Identity:
    """The verdict on (8 cos³ 20° − 6 cos 20° − constant) c1 a = 0."""
    ring = Ring(Variables(("q1",), ["q1"], symbols=["a"], angles=[angle("20deg")]))
    x, a, (c, _) = ring.generator("cos(20deg)"), ring.generator("a"), ring.cos_sin("q1")
    difference = (x**3 * 8 - x * 6 - constant) * c * a
    return verdict("M = Mᵀ", "M is symmetric", "proved", [(Judge(ring), ("M12", difference))])


def test_what_relations_of_angles_decide_is_written_with_cofactors_that_multiply_out() -> None:
    certificate = Certificate("arm", "", (), (relation_of_20_degrees(1),))
    (identity,) = json.loads(certificate.to_json())["identities"]
    (relation,) = identity["relations"]
    assert identity["verdict"] == "proved" and relation["place"] == "M12"
    assert relation["order"] == 36 and relation["minimal"] == ["-3", "0", "9", "0", "-6", "0", "1"]
    half_turned = [float(Fraction(c)) for c in relation["images"]["cos(20deg)"]]
    xi = 2 * math.cos(math.pi / 18)
    assert sum(c * xi**k for k, c in enumerate(half_turned)) == pytest.approx(math.cos(math.pi / 9), rel=1e-14)
    assert says_zero(relation)
    for spoiled in (
        {**relation, "cofactors": []},
        {**relation, "terms": relation["terms"][1:]},
        {**relation, "minimal": ["-2", *relation["minimal"][1:]]},
        {**relation, "order": 35},
    ):
        assert not says_zero(spoiled)


def test_what_no_relation_decides_has_no_certificate() -> None:
    identity = relation_of_20_degrees(2)
    assert identity.verdict == "false" and identity.relations == ()
    assert all(each.relations == () for each in qddot.load("two_link").prove().identities)


def test_a_wrong_sign_is_refuted_with_a_witness() -> None:
    """Newton–Euler with gravity reversed is not Lagrange: the certificate says where and by how much."""
    right = qddot.load("two_link")
    wrong = Quantities(right.model)
    wrong.derivation.G[0] = -wrong.derivation.G[0]
    certificate = prove(wrong, routes=["screw"])
    assert not certificate
    failed = {identity.name: identity for identity in certificate.identities if identity.verdict != "proved"}
    assert set(failed) == {
        "screw ≡ composite",
        "Newton–Euler ≡ Lagrange, symbolic q̈",
        "energy rate = power",
        "G = ∂P/∂q",
    }
    assert all(identity.verdict == "false" for identity in failed.values())
    assert failed["screw ≡ composite"].detail.startswith("G1 (composite − screw): the difference is ")
    assert " at c" not in failed["G = ∂P/∂q"].detail
    assert "q1 = " in failed["G = ∂P/∂q"].detail


def test_a_wrong_christoffel_symbol_breaks_skewness() -> None:
    eq = Quantities(qddot.load("planar_2r").model)
    eq.derivation.christoffel[0][1][1] = eq.derivation.christoffel[0][1][1] * 2
    failed = [identity.name for identity in prove(eq, ["screw"]).identities if identity.verdict != "proved"]
    assert "Ṁ − 2C is skew" in failed
    assert "Newton–Euler ≡ Lagrange, symbolic q̈" in failed


def test_a_wrong_christoffel_symbol_is_named_by_the_letter_that_is_printed() -> None:
    eq = Quantities(qddot.load("planar_2r").model)
    eq.derivation.christoffel[1][1][1] = eq.derivation.christoffel[0][1][1]
    details = [identity.detail for identity in prove(eq, ["screw"]).identities]
    assert any(detail.startswith("Γ222 (composite − screw): ") for detail in details)
    assert any(detail.startswith("Γ222: the difference is ") for detail in details)
    assert not any("christoffel" in detail for detail in details)


def test_a_certificate_fits_into_eighty_columns() -> None:
    laws = [
        Identity(Told(law.name), Told(law.sentence), "proved", seconds, 1)
        for law in LAWS
        for seconds in (0, 0.1234, 0.99999, 123.4)
    ]
    for lang in languages():
        with speaking(lang):
            assert [line for line in map(str, laws) if cell_len(line) >= 80] == []
    assert {str(each).rpartition("  ")[2].strip() for each in laws[:1]} == {"0.0 ms"}


@pytest.mark.parametrize("seconds", [0.0, 0.00994, 0.00996, 0.9994, 0.9996, 1.0, 59.96, 999.4, 999.5, 86_399.6])
def test_a_duration_has_all_of_its_digits(seconds: float) -> None:
    number, unit = Identity("name", Told("law"), "proved", seconds, 1).duration.split()
    assert float(number) * {"s": 1, "ms": 1e-3}[unit] == pytest.approx(seconds, rel=0.006)  # two digits or more
    assert "e" not in number and len(f"{number} {unit}") <= 7


def test_the_certificate_is_json() -> None:
    import json

    content = json.loads(qddot.load("rp").prove().to_json())
    assert content["holds"] is True
    assert content["model"] == "rp"
    assert all(identity["verdict"] == "proved" for identity in content["identities"])


def failed(eq: Quantities, routes: list[str]) -> set[str]:
    return {identity.name for identity in prove(eq, routes).identities if identity.verdict == "false"}


def test_an_asymmetric_matrix_is_found_from_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong entry below the diagonal, in the equations or in another route."""
    model = qddot.load("planar_2r").model
    wrong = Quantities(model)
    wrong.derivation.M[1][0] = wrong.derivation.M[1][0] * 7
    assert "M is symmetric" in failed(wrong, ["screw"])
    right = dh4x4.inertia_coefficients
    monkeypatch.setattr(
        dh4x4, "inertia_coefficients", lambda *given: [right(*given)[0], [e * 7 for e in right(*given)[1]]]
    )
    assert failed(Quantities(model), ["dh4x4"]) == {"dh4x4 ≡ composite"}


MUTATIONS = {
    "Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ": (kinematics, "jacobian"),
    "kinetic energy": (energies, "kinetic_energy_in_base"),
    "power of the twists": (kinematics, "twist_rates"),
    "Newton–Euler ≡ Lagrange, symbolic q̈": (newton_euler, "inertial_wrench"),
}


@pytest.mark.parametrize(("name", "target"), MUTATIONS.items())
def test_each_identity_can_fail(name: str, target: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A function whose result is tripled is no longer what the identity says of it."""
    module, function = target
    right = getattr(module, function)

    def wrong(*given: Any) -> Any:
        value = right(*given)
        if isinstance(value, list):
            return [entry if entry is None else entry * 3 for entry in value]
        return Force(value.n * 3, value.f * 3) if isinstance(value, Force) else value * 3

    monkeypatch.setattr(module, function, wrong)
    assert name in failed(Quantities(qddot.load("spatial_2r").model), ["screw"])


@pytest.mark.parametrize(("link", "place"), [(0, 1), (0, 4), (1, 2), (1, 5), (2, 6)])
def test_a_wrong_column_of_a_jacobian_is_found_on_a_free_base(
    link: int, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = kinematics.jacobian

    def wrong(arm: Any, i: int, *point: Any, **T: Any) -> Any:
        columns = right(arm, i, *point, **T)
        return [c * 3 if c and (i, k) == (link, place) else c for k, c in enumerate(columns)]

    monkeypatch.setattr(kinematics, "jacobian", wrong)
    arm = qddot.load("planar_2r").free(mass="m0", inertia=[["J", 0, 0], [0, "J", 0], [0, 0, "J"]], symbols="m0 J")
    assert failed(Quantities(arm.model), []) >= {"Jv = ∂p/∂q, [Jω] = ∂R/∂q Rᵀ"}


def test_an_inertia_that_moves_with_its_own_joint_is_found() -> None:
    """Γ_iii = 0 and Γ_ijk = Γ_ikj."""
    model = qddot.load("planar_2r").model
    own, uneven = Quantities(model), Quantities(model)
    own.derivation.christoffel[0][0][0] = own.derivation.christoffel[0][0][1]
    uneven.derivation.christoffel[0][0][1] = uneven.derivation.christoffel[0][0][1] * 2
    for wrong in (own, uneven):
        assert "Christoffel symbols" in failed(wrong, ["screw"])
