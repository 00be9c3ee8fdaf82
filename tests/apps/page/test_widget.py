"""What a notebook's view of an arm or of a run hands to the page's script, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.base.system import built_page, programs
from qddot.papers.draw.drawn_arm import drawn_arm
from qddot.papers.draw.in_notebook import sample_indices

SCRIPT = "export default { render() {} };"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a built page."""
    place = tmp_path / "built"
    place.mkdir()
    (place / "index.html").touch()
    (place / "widget.js").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.setattr(built_page, "PACKAGE", "qddot_page_that_nobody_has")
    monkeypatch.setattr(built_page, "CHECKOUT", place)
    return place


def test_an_arm_is_handed_over_as_data_beside_one_script_for_all(built: Path) -> None:
    arm = qddot.load("two_link")
    widget = arm.view([0.3, -0.4])
    assert widget._esm == SCRIPT
    assert widget.arm == drawn_arm(arm.model)
    assert (widget.q, widget.times, widget.lang, widget.stopped) == ([0.3, -0.4], b"", "en", "")
    assert repr(widget) == "<view of two_link>"
    assert arm.view().q == [0.0, 0.0]


def test_an_arm_as_data_has_its_coordinates_with_their_limits() -> None:
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}, {"theta": 0, "d": "slide", "a": 0, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": 1, "joint": {"limits": ["-90deg", 2]}}, {"mass": 1}])
    turning, sliding = drawn_arm(arm.model)["coordinates"]
    assert turning == {"name": "q1", "rate": "qd1", "turns": True, "limits": pytest.approx([-np.pi / 2, 2])}
    assert sliding["name"] == "slide" and not sliding["turns"] and sliding["limits"] is None


def test_its_coordinates_are_checked_from_either_side(built: Path) -> None:
    widget = qddot.load("two_link").view()
    widget.q = np.array([1.0, 2.0])
    assert widget.q == [1.0, 2.0]
    for wrong in ([1.0], [1.0, float("nan")], "no"):
        with pytest.raises(QddotError, match="expected 2 finite numbers"):
            widget.q = wrong
    assert widget.q == [1.0, 2.0]


def test_rods_that_close_loops_are_handed_to_the_view(built: Path) -> None:
    """A delta's forearms join the elbows with the platform: their ends are as far apart as the rods are long."""
    chain = qddot.load_closed_chain("delta")
    widget = chain.view()
    names, q = [link["name"] for link in widget.arm["links"]], np.array(widget.q)
    lengths = []
    for a, b in widget.arm["rods"]:
        p, r = (chain.tree.forward_kinematics(q, body=names[k])[:3, 3] for k in (a, b))
        lengths.append(np.linalg.norm(p - r))
    assert len(lengths) == 3
    np.testing.assert_allclose(lengths, lengths[0], rtol=1e-9)
    assert qddot.load("ur5").view().arm["rods"] == []


def test_a_closed_chain_stays_closed_while_its_sliders_move(built: Path) -> None:
    chain = qddot.load_closed_chain("four_bar")
    widget = chain.view()
    start = chain.some_assembly().q
    assert widget.q == start.tolist()
    widget.q = [start[0] + 0.2, *start[1:]]
    assert widget.q[0] == start[0] + 0.2
    assert np.abs(chain.closure(np.array(widget.q))[0]).max() < 1e-12
    assert widget.q[1:] != start[1:].tolist()
    before = widget.q
    crank = qddot.load_closed_chain("four_bar", independent="q2").view()
    crank.q = [crank.q[0], 3.0, crank.q[2]]  # beyond its dead point
    assert np.abs(chain.closure(np.array(crank.q))[0]).max() < 1e-12
    assert repr(widget) == "<view of four_bar>" and widget.q == before


def test_a_run_is_handed_over_as_samples_that_are_not_too_near(built: Path) -> None:
    run = qddot.load("two_link").simulate([[0.3, 0.4], [0.1, 0.2]], duration=0.205)
    widget = run.view(arm=1, lang="zh")
    times, samples = np.frombuffer(widget.times), np.frombuffer(widget.samples).reshape(-1, 2)
    assert times == pytest.approx([*np.arange(0, 0.205, 0.01), 0.205])
    assert np.array_equal(samples, run.q[1][np.searchsorted(run.time, times)])
    assert widget.q == [0.1, 0.2]


def test_a_run_that_ended_early_says_why(built: Path) -> None:
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": 1, "joint": {"limits": [-1, 1]}}], gravity=[0, -9.81, 0])
    run = arm.simulate([[0.0], [0.9]], [[0.0], [4.0]], 0.1, 0.01)
    stopped = run.view(arm=-1)
    assert "q1's upper limit" in stopped.stopped
    assert np.frombuffer(stopped.times)[-1] < 0.1
    assert np.isfinite(np.frombuffer(stopped.samples)).all()
    assert run.view(arm=0).stopped == ""


def test_the_last_sample_is_always_seen() -> None:
    assert sample_indices(np.array([0.0])) == [0]
    assert sample_indices(np.array([0.0, 0.004, 0.008, 0.012])) == [0, 3]
    assert sample_indices(np.array([0.0, 0.5, 1.0])) == [0, 1, 2]


def test_a_missing_package_is_named_with_its_remedy(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "has_module", lambda name: name != "anywidget")
    with refusal(QddotError, "view-needs-anywidget", '".[widget]"'):
        qddot.load("two_link").view()


def test_a_page_that_is_missing_or_older_is_named_with_its_remedy(built: Path) -> None:
    (built / "widget.js").unlink()
    with refusal(QddotError, "page-of-another-version", "widget.js"):
        qddot.load("two_link").view()
    (built / "index.html").unlink()
    with refusal(QddotError, "page-not-built"):
        qddot.load("two_link").view()


@pytest.mark.parametrize("given", [{"q": [1]}, {"lang": "fr"}])
def test_what_is_no_view_is_refused(built: Path, given: dict[str, object]) -> None:
    with pytest.raises(QddotError, match="expected"):
        qddot.load("two_link").view(**given)


def test_an_installed_page_comes_before_that_of_the_checkout(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = built.parent / "installed" / "some_page"
    installed.mkdir(parents=True)
    (installed / "__init__.py").touch()
    monkeypatch.setattr(built_page, "PACKAGE", "some_page")
    monkeypatch.syspath_prepend(str(installed.parent))
    assert built_page.folder() == built  # nothing is built there
    (installed / "index.html").touch()
    assert built_page.folder() == installed
