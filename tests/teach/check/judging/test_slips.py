"""A slip has one state in which it changes nothing in any term, so that the quick test overlooks no slip."""

from __future__ import annotations

import pytest
from drawn_arms import right
from shipped import robot

from qddot.formats.toml import robot_file
from qddot.teach.check.judging.body_variants import of_bodies, of_masses
from qddot.teach.check.judging.entry_forms import EntryForms
from qddot.teach.check.judging.mistakes import KINDS
from qddot.teach.check.judging.modulo import States
from qddot.teach.check.judging.slips import slips, used_keys
from qddot.teach.check.judging.variants import variants


@pytest.mark.parametrize(
    ("arm", "quantity", "place"),
    [("planar_2r", "tau", 0), ("elbow_3r", "h", 1), ("driven_2r", "tau", 1), ("rp", "tau", 0)],
)
def test_a_slip_changes_nothing_in_its_state(arm: str, quantity: str, place: int) -> None:
    eq = right(arm).in_joint_angles
    ring = eq.ring.extended(["pi"]) if "pi" not in eq.ring.index else eq.ring
    forms, states, tried = EntryForms(eq.dynamics.mechanism, ring), States(ring), 0
    for form in forms.of(ring.convert(eq.array(quantity).entries[place])):
        for slip in slips(eq.model, forms, states, used_keys(form.terms)):
            assert slip.kind in KINDS
            for term, value in zip(form.terms, form.values, strict=True):
                new = slip.change(term)
                if new is None or slip.same is None:
                    continue
                difference = states.residues_of(forms.value(new) - value)
                assert states.vanishes(difference, slip.same), (slip.kind, slip.words)
                tried += bool(difference) and not states.vanishes(difference, states.values)
    assert tried > 20


def test_a_planted_model_is_another_one() -> None:
    model = right("driven_2r").model
    mistakes = list(variants(model, {"tau"}))
    kinds = {"gravity sign", "missing armature", "missing springs", "missing damping", "missing friction"}
    kinds |= {"standard or modified DH", "missing mass", "axis reversed"}
    assert {each.kind for each in mistakes} >= kinds
    assert all(each.model.hash != model.hash for each in mistakes)
    assert {each.kind for each in mistakes} <= set(KINDS)


def test_masses_in_numbers_are_exchanged_in_the_model() -> None:
    model = robot("planar_2r").with_values(m1=2).model
    assert not list(of_masses(model))  # symbols are exchanged in the terms
    mapping = robot("planar_2r").to_toml().replace('"m1"', "3").replace('"m2"', "4")
    numeric = robot_file.loads(mapping, "numeric")
    assert {each.kind for each in of_masses(numeric)} == {"mass of another link", "link masses exchanged"}


def test_bodies_without_mass_have_no_mistakes() -> None:
    model = robot("puma560_1986").model
    assert list(of_bodies(model, [body.name for body in model.bodies])) == []
