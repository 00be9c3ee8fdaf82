"""Runs as users meet them: samples, files, pictures, interruptions and mistakes."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr
from PIL import Image

import qddot
from qddot import laws
from qddot.compilers.steppers import Stepper
from qddot.errors import QddotError, SimulationError
from qddot.faces.run import Run

mpl.use("Agg")


@pytest.fixture(scope="module")
def run() -> Run:
    return qddot.load("spatial_2r").simulate([2.0, 0.3], [0.1, 0.1], 1.0, 0.01, damping=1.0)


@pytest.fixture(autouse=True)
def closed_figures() -> Any:
    yield
    plt.close("all")


def test_a_run_says_what_it_is(run: Run) -> None:
    assert run.data.q.dims == ("arm", "time", "joint")
    assert run.data.sizes == {"arm": 1, "time": 101, "joint": 2}
    assert {name: run.data[name].attrs["units"] for name in ("q", "qd", "tau", "K")} == {
        "q": "rad",
        "qd": "rad/s",
        "tau": "N m",
        "K": "J",
    }
    attrs = run.data.attrs
    assert (attrs["model"], attrs["method"], attrs["step"], attrs["complete"]) == ("spatial_2r", "rk4", 0.01, 1)
    assert attrs["model_hash"] == qddot.load("spatial_2r").model.hash
    assert run.q.shape == (101, 2)
    assert run.complete
    mixed = qddot.load("rp").simulate([0.1, 0.5], None, 0.1, 0.01)
    assert mixed.data.unit.values.tolist() == ["rad", "m"]
    assert mixed.data.q.attrs["units"] == "rad or m"


@pytest.mark.parametrize("batch", [False, True])
def test_files_hold_the_run(batch: bool, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    q0 = [[2.0, 0.3], [1.5, 0.1]] if batch else [2.0, 0.3]
    made = arm.simulate(q0, None, 1.0, 0.01, event=lambda t, q, qd: 1.6 - q[0] if not batch else t - 0.5)
    again = Run.load(made.save(tmp_path / "a.nc"))
    xr.testing.assert_identical(again.data, made._stored())
    assert again.q.shape == made.q.shape
    assert str(again.stops) == str(made.stops)
    assert np.array_equal(again.energy.balance, made.energy.balance, equal_nan=True)
    with pytest.raises(SimulationError, match="cannot be repeated"):
        again.trust()
    with pytest.raises(SimulationError, match="has no arm"):
        again.plot_path()
    lines = made.save(tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "arm,time,q_q1,q_q2,qd_q1,qd_q2,tau_q1,tau_q2,K,P"
    assert len(lines) == 1 + 101 * (2 if batch else 1)
    first = [float(x) for x in lines[2].split(",")]
    assert first[2:4] == made.data.q.values[0, 1].tolist()


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.nc").write_text("no")
    xr.Dataset({"x": 1}).to_netcdf(tmp_path / "b.nc", engine="h5netcdf")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.nc")
    for name in ("a.nc", "b.nc", "c.nc", "pipe.nc"):
        with pytest.raises(SimulationError, match="is not a run"):
            Run.load(tmp_path / name)


def test_an_interrupt_keeps_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.full((3, 2), 0.3)

    def second_call() -> Any:
        seen: list[float] = []

        def progress(done: float) -> None:
            seen.append(done)
            if len(seen) == 2:
                raise KeyboardInterrupt

        return progress

    monkeypatch.setattr("qddot.simulate.simulation.PIECE", 1e-9)
    whole = arm.simulate(q0, None, 1.0, 0.01)
    part = arm.simulate(q0, None, 1.0, 0.01, progress=second_call())
    assert not part.complete
    assert "interrupted" in repr(part)
    count = len(part.time)
    assert 2 <= count < 101
    assert np.array_equal(part.q, whole.q[:, :count])
    assert part.energy.check(1e-3)
    some = arm.simulate(q0, None, 1.0, 0.01, "dop853", progress=second_call())
    assert not some.complete
    assert np.isfinite(some.q[0, :5]).all()
    assert np.isnan(some.q[0, 5:]).all()
    assert np.isnan(some.q[1:, 1:]).all()
    assert "nothing to believe after" in str(some.trust())


def test_progress_reaches_the_end() -> None:
    seen: list[float] = []
    qddot.load("spatial_2r").simulate([0.3, 0.2], None, 1.0, 0.01, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_a_run_too_large_to_hold_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stepper, "advance", lambda *_: pytest.fail("it began"))
    with pytest.raises(SimulationError, match=r"record_every=\d+"):
        qddot.load("spatial_2r").simulate(np.zeros((100_000, 2)), None, 10_000.0, 1e-3)


def test_pictures(run: Run) -> None:
    motion = run.plot()
    assert [ax.get_title(loc="left") for ax in motion.axes] == ["coordinates", "rates"]
    energy = run.energy.plot()
    assert [text.get_text() for text in energy.axes[0].get_legend().get_texts()] == [
        "potential energy P",
        "kinetic energy K",
        "total energy E",
    ]
    assert energy.axes[0].get_ylabel() == "[J]"
    assert energy.axes[1].get_title(loc="left") == "losses"
    assert "q" in run.plot_phase(1).axes[0].get_xlabel()
    assert run.plot_path().axes
    arm = qddot.load("spatial_2r")
    driven = arm.simulate([2.0, 0.3], None, 0.1, 0.01, torque=laws.pd([0, 0], 1.0, 1.0))
    assert len(driven.plot().axes) == 3
    assert arm.plot([0.1, 0.2]).axes
    assert qddot.load("rp").plot([0.1, 0.5], frames=False).axes


def test_chinese_labels_or_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.draw.labels.FONTS", ())
    with pytest.warns(UserWarning, match="no font with Chinese"):
        assert run.energy.plot(lang="zh").axes[0].get_title(loc="left") == "energy"
    monkeypatch.setattr("qddot.draw.labels.FONTS", ("DejaVu Sans",))
    assert run.energy.plot(lang="zh").axes[0].get_title(loc="left") == "能量"
    with pytest.raises(QddotError, match="lang"):
        run.plot(lang="fr")


def test_movies_and_frames(run: Run, tmp_path: Path) -> None:
    seen: list[float] = []
    small = {"size": (320, 240), "fps": 5}
    made = run.movie(tmp_path / "a.gif", progress=seen.append, **small)
    with Image.open(made) as picture:
        assert (picture.size, picture.n_frames) == ((320, 240), 6)  # type: ignore[attr-defined]
    assert seen[-1] == 1
    with Image.open(run.movie(tmp_path / "b.gif", size=(100, 100), duration=0.2)) as picture:
        assert picture.convert("RGB").getpixel((2, 98)) == (255, 255, 255)
        assert picture.info["duration"] == 30  # of a picture at the rate that is asked for by default
    movie = run.movie(tmp_path / "a.mp4", duration=0.4, speed=2.0, camera=(30, 10), **small)
    assert movie.read_bytes()[4:8] == b"ftyp"
    frames = run.pictures(tmp_path / "frames", **small)
    assert [frame.name for frame in frames[:2]] == ["frame_00000.png", "frame_00001.png"]
    pixels = [np.asarray(Image.open(frame).convert("RGB")).astype(int) for frame in (frames[0], frames[-1])]
    assert pixels[0].shape == (240, 320, 3)
    assert (pixels[0] < 128).any()
    assert np.abs(pixels[0] - pixels[1]).max() > 100


def test_a_film_shows_what_a_drawing_of_the_same_pose_shows(run: Run) -> None:
    """What moves is drawn by itself, faces turned away are left out: no pixel inside the arm is another colour."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from qddot.draw.movie import Film

    film = Film(run, size=(960, 720), trail=0, fps=5)
    picture = film.picture(3).astype(int)
    for flat in (film._solid, film._tail):
        flat.remove()
    film._scene.show([np.interp(film.times[3], run.time, column) for column in run.q.T])
    canvas = FigureCanvasAgg(film._canvas.figure)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)
    there = (drawn[180:] < 200).any(-1)
    assert there.sum() > 500
    # at the edges a face's outline covers its neighbour's by half a pixel
    off = np.abs(picture - drawn)[180:][there].max(-1)
    assert (off > 40).mean() < 0.05, (off > 40).mean()


def test_figures_do_not_stay_open_and_show_themselves_in_notebooks(run: Run, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(6):
            figures = [run.plot(), run.plot_path(), run.plot_phase(), run.energy.plot(), arm.plot([0.1, 0.2])]
    run.movie(tmp_path / "a.gif", size=(100, 100), duration=0.1)
    assert plt.get_fignums() == []
    for figure in figures:
        assert figure._repr_png_()[:4] == b"\x89PNG"


def test_progress_is_shown_where_a_person_watches(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {"size": (64, 64), "duration": 0.1}
    run.movie(tmp_path / "a.gif", **small)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run.movie(tmp_path / "a.gif", **small)
    said = capsys.readouterr().err
    assert "drawing a.gif" in said
    assert "100 %" in said


def test_a_film_that_ffmpeg_cannot_write_says_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.draw.movie._ffmpeg", lambda: "false")
    with pytest.raises(SimulationError, match="was not written"):
        run.movie(tmp_path / "a.mp4", size=(64, 64), duration=0.2)
    assert list(tmp_path.iterdir()) == []


def test_up_is_minus_gravity() -> None:
    from qddot.draw.scene import upright

    arm = qddot.load("spatial_2r")  # gravity +x
    assert np.allclose(upright(arm) @ [-1, 0, 0], [0, 0, 1])
    assert np.allclose(upright(arm) @ upright(arm).T, np.eye(3))


ARM_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"step": 0}, "step = 0 s"),
    ({"step": -1.0}, "step = -1 s"),
    ({"step": np.nan}, "finite number of seconds"),
    ({"step": "x"}, "finite number of seconds"),
    ({"duration": -1.0}, "duration = -1 s"),
    ({"duration": 1.0, "step": 0.3}, r"does not divide.*step=0\.333"),
    ({"record_every": 7}, "a divisor"),
    ({"record_every": 0}, "a divisor"),
    ({"record_every": "x"}, "a divisor"),
    ({"q0": [1.0]}, r"q0 has the shape \(1,\)"),
    ({"q0": [[[1.0, 2.0]]]}, "q0 has the shape"),
    ({"q0": [np.nan, 0]}, r"q0\[0, 0\] is nan|q0\[0\] is nan"),
    ({"q0": "no"}, "q0 is 'no'"),
    ({"q0": [[1, 2], [3]]}, "q0 is"),
    ({"qd0": [1, 2, 3]}, "qd0 has the shape"),
    ({"q0": np.zeros((3, 2)), "qd0": np.zeros((4, 2))}, "batches of 3 and 4 arms"),
    ({"method": "rk5"}, "did you mean|expected rk4"),
    ({"method": 3}, "method"),
    ({"damping": -1}, "damping has the entry -1"),
    ({"damping": [1, 2, 3]}, "damping has the shape"),
    ({"damping": "x"}, "damping is 'x'"),
    ({"m3": 1.0}, "no symbol 'm3'"),
    ({"m2": "x"}, "m2 is 'x'"),
    ({"m2": np.inf}, "m2 is"),
    ({"m2": [[1.0]]}, "m2 is"),
    ({"torque": [1.0]}, "torque has the shape"),
    ({"torque": "x"}, "torque is 'x'"),
    ({"torque": ([0, 1], [[1, 2]])}, "values of the torque have the shape"),
    ({"torque": ([0, 0.5], [[1, 2], [3, 4]])}, "times that cover"),
    ({"torque": ([1, 0], [[1, 2], [3, 4]])}, "times that cover"),
    ({"torque": lambda t, q, qd: [1.0]}, r"returned the shape \(1,\)"),
    ({"torque": lambda t, q, qd: 1 / 0}, "raised ZeroDivisionError"),
    ({"torque": lambda t, q, qd: None}, "raised TypeError|returned the shape"),
    ({"event": lambda t, q, qd: [1.0, 2.0]}, "returned 2 numbers"),
    ({"event": lambda t, q, qd: 1 if q[0] > 0 else 0}, "cannot be traced"),
    ({"event": lambda t, q, qd: q[0] + 1}, "begins beyond the event"),
    ({"limits": "x"}, "limits = 'x'"),
]


@pytest.mark.parametrize(("given", "says"), ARM_CALLS)
def test_mistakes_are_told_before_the_run(given: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stepper, "advance", lambda *_: pytest.fail("it began"))
    arguments = {"q0": [0.1, 0.2], "duration": 1.0, "step": 0.01, **given}
    with pytest.raises(SimulationError, match=says):
        qddot.load("spatial_2r").simulate(**arguments)


def test_a_laws_error_is_kept_as_the_cause() -> None:
    def law(t: float, q: Any, qd: Any) -> Any:
        if t > 0.05:
            raise RuntimeError("the motor is off")
        return [0.0, 0.0]

    with pytest.raises(SimulationError, match=r"at t = 0.055 s: the motor is off") as caught:
        qddot.load("spatial_2r").simulate([0.1, 0.2], None, 0.1, 0.01, torque=law)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("a.xyz", "the format .xyz"),
        ("a", "without a suffix"),
        ("no/a.nc", "does not exist"),
        (3, "a path"),
        (".nc", "suffix"),
        ("a\0b.nc", "a path"),
        ("\ud800.nc" if sys.platform == "linux" else 3, "a path"),
    ],
)
def test_paths_that_cannot_be(run: Run, path: Any, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for write in (run.save, run.movie):
        with pytest.raises(SimulationError, match=says if write == run.save or path != "no/a.nc" else "format|exist"):
            write(path)


def test_mistakes_in_pictures(run: Run, tmp_path: Path) -> None:
    for wrong in (
        lambda: run.plot(arm=3),
        lambda: run.plot_phase(7),
        lambda: run.plot_phase("x"),
        lambda: run.movie(tmp_path / "a.gif", fps=0),
        lambda: run.movie(tmp_path / "a.gif", speed=-1),
        lambda: run.energy.check("x"),
        lambda: qddot.load("spatial_2r").plot([1.0]),
        lambda: laws.quintic([0], [1], 0),
        lambda: laws.trapezoidal([0], [1], 1.0, blend=0.7),
        lambda: laws.pd([0], -1, 1),
        lambda: laws.pd_gravity("x", [0], 1, 1),
        lambda: laws.pd([0], "x", 1),
    ):
        with pytest.raises(QddotError):
            wrong()


def test_without_ffmpeg_a_movie_says_what_to_do(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SimulationError, match=r"qddot\[movie\]"):
        run.movie(tmp_path / "a.mp4")


def test_what_a_law_closes_over_may_change_between_runs() -> None:
    arm = qddot.load("spatial_2r")
    gain, level = np.array([10.0, 10.0]), 0.5
    law = lambda t, q, qd: -gain * q  # noqa: E731
    event = lambda t, q, qd: t - level  # noqa: E731
    first = arm.simulate([1, 0], None, 1.0, 0.01, torque=law, event=event)
    gain[:], level = 0, 0.8
    second = arm.simulate([1, 0], None, 1.0, 0.01, torque=law, event=event)
    assert first.tau[0, 0] == -10
    assert second.tau[0, 0] == 0
    assert [run.stops[0].time for run in (first, second)] == pytest.approx([0.5, 0.8])


def test_nothing_is_believed_of_what_is_not_there() -> None:
    arm = qddot.load("two_link")
    failed = arm.simulate([1, 0], None, 1.0, 0.01, "midpoint", damping=1e5)
    assert failed.stops[0].reason == "the implicit step did not converge"
    assert "did not converge" in failed.notes[0]
    assert failed.trust().horizon == 0
    assert "nothing to believe after 0 s" in str(failed.trust())
    assert "1 of 101 samples" in str(failed.energy.check(1e-3))
    endless = arm.simulate([1, 0], [1e200, 0], 1.0, 0.01)
    assert not endless.energy.check(1)
    assert arm.simulate([1, 0], [100, 100], 1000.0, 100.0).trust().horizon < 1000


def test_a_solver_without_headway_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.simulate.adaptive.MOST_CALLS", 2_000)
    run = qddot.load("two_link").simulate([1, 0], [1e5, 0], 1.0, 0.1, "dop853")
    assert run.stops[0].reason == "the solver made no headway"


def test_an_interrupted_comparison_is_as_long_as_it_is() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([1, 0], None, 1.0, 0.01)
    short = arm.simulate([1, 0], None, 0.5, 0.01)
    run._again = lambda: short
    assert run.trust().horizon == 0.5


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "midpoint", "dop853", "radau"])
def test_rest_on_a_limit_is_no_stop(method: str) -> None:
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="q1", limits=(-1, 1))
    body = qddot.Body.of("block", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    arm = qddot.Robot(qddot.Model("block", (body,), gravity=(0, 0, -9.81)))
    assert arm.simulate([1.0], None, 1.0, 0.01, method).stops == ()
    (stop,) = arm.simulate([0.0], [2.0], 1.0, 0.01, method).stops
    assert stop.time == pytest.approx(0.5)
    at_the_end = arm.simulate([0.0], [1.0], 1.0, 0.01, method, event=lambda t, q, qd: q[0] - 1)
    assert len(at_the_end.stops) <= 1


def test_an_event_that_scipy_loses_is_found_in_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    from qddot.simulate import adaptive

    real = adaptive.solve_ivp

    def lost(*arguments: Any, events: Any = None, **options: Any) -> Any:
        if events:
            raise ValueError("f(a) and f(b) must have different signs")
        return real(*arguments, **options)

    monkeypatch.setattr(adaptive, "solve_ivp", lost)
    run = qddot.load("slider").simulate([0.0], [1.0], 1.0, 0.01, "radau", event=lambda t, q, qd: q[0] - 0.505)
    (stop,) = run.stops
    assert stop.time == pytest.approx(0.51)
    assert np.isnan(run.q[52:]).all()
    assert np.isfinite(run.q[:52]).all()


def test_an_event_that_is_no_number_stops_nothing() -> None:
    arm = qddot.load("spatial_2r")
    for method in ("rk4", "dop853"):
        arm.simulate([1, 0], None, 1.0, 0.01, method, event=lambda t, q, qd: qddot.sqrt(-q[0] - 1e6))
    with pytest.raises(SimulationError, match="event function cannot be traced"):
        arm.simulate([1, 0], None, 1.0, 0.01, event=lambda t, q, qd: float("nan"))


def test_a_batch_says_what_each_arm_was() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([1, 0], None, 0.1, 0.01, m2=[1.0, 2.0, 3.0], damping=[0.5, 0.25])
    assert run.data.value_m2.values.tolist() == [1, 2, 3]
    assert run.data.damping_coefficient.values[2].tolist() == [0.5, 0.25]
    assert run.arm(1).model.defaults()["m2"] == 2
    for wrong in (3, "x", True):
        with pytest.raises(SimulationError, match="an index below 3"):
            run.arm(wrong)


def test_saved_files_are_as_readable_as_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    assert run.save(tmp_path / "a.nc").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert {path.name for path in tmp_path.iterdir()} == {"plain", "a.nc"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"torque": [[1, 1], [2]]}, "torque is"),
        ({"torque": ([0, 1], [[2, 2], [3]])}, "values of the torque is"),
        ({"torque": [[0, 1], [[2, 2], [3, 3]]]}, "torque is"),
        ({"threads": "x"}, "threads = 'x'"),
        ({"threads": 0}, "threads = 0"),
        ({"progress": 5}, "progress = 5"),
        ({"duration": 1e300, "step": 1e-300}, "at most 1e"),
        ({"damping": [1, np.inf]}, r"damping\[1\] is inf"),
        ({"q0": [1 + 2j, 0]}, "q0 is"),
        ({"q0": ["north", 0]}, "q0 is"),
    ],
)
def test_more_mistakes(given: dict[str, Any], says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        qddot.load("spatial_2r").simulate(**{"q0": [0.1, 0.2], "duration": 1.0, "step": 0.01, **given})


def test_texts_and_numpys_integers_are_numbers() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate(["180deg", "-pi/4"], None, 1.0, 0.01, record_every=np.int64(10))  # type: ignore[arg-type]
    assert run.q[0] == pytest.approx([np.pi, -np.pi / 4])
    assert run.energy.check(np.float32(1e-3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "film",
    [
        {"size": (0, 0)},
        {"size": "ab"},
        {"size": (100,)},
        {"size": (100.5, 100)},
        {"camera": "ab"},
        {"camera": 5},
        {"camera": ()},
        {"camera": (1, "x")},
        {"speed": 1e-9},
        {"fps": float("nan")},
        {"trail": -1},
        {"bogus": 1},
    ],
)
def test_mistakes_in_films(run: Run, film: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(QddotError):
        run.movie(tmp_path / "a.gif", **film)
    assert list(tmp_path.iterdir()) == []


def test_odd_sizes_and_interrupted_films(run: Run, tmp_path: Path) -> None:
    assert run.movie(tmp_path / "a.mp4", size=(321, 201), fps=4, duration=0.5).exists()

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.movie(tmp_path / "b.gif", size=(100, 100), progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]


@pytest.mark.parametrize("method", ["dop853", "radau", "rk4"])
@pytest.mark.parametrize("when", [0.25, 0.5, 0.505])
def test_a_torque_that_is_no_number_ends_the_run(method: str, when: float) -> None:
    """At the boundary of two calls of the solver, and within one."""
    law = lambda t, q, qd: qddot.simulate.elementary.sqrt(when - t) * q  # noqa: E731
    run = qddot.load("two_link").simulate([1, 0], duration=1.0, step=0.01, method=method, torque=law)
    (stop,) = run.stops
    assert "grew without bound" in stop.reason or "gave up" in stop.reason
    assert 0.2 < stop.time <= when
    assert np.isfinite(stop.q).all()
    assert np.isfinite(run.q[run.time <= stop.time]).all()
    assert np.isnan(run.q[run.time > stop.time]).all()


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "midpoint", "dop853", "radau"])
def test_masses_of_almost_nothing_end_the_run(method: str) -> None:
    run = qddot.load("two_link").simulate([1, 0], duration=1.0, step=0.01, method=method, m1=1e-300, m2=1e-300)
    assert all(np.isfinite(stop.q).all() for stop in run.stops)
    assert np.isfinite(run.q[0]).all()


@pytest.mark.parametrize("arms", [1, 3])
def test_an_interrupted_run_has_what_was_computed(arms: int) -> None:
    shares = []

    def interrupt(share: float) -> None:
        shares.append(share)
        if share > 0.55:
            raise KeyboardInterrupt

    q0 = [[1, 0]] * arms if arms > 1 else [1, 0]
    run = qddot.load("two_link").simulate(q0, duration=1.0, step=0.01, method="dop853", progress=interrupt)
    assert not run.complete
    data = run.data
    if arms == 1:
        assert len(run.time) == 57
        assert run.stops == ()
        assert all(np.isfinite(data[name]).all() for name in ("q", "qd", "tau", "K", "P"))
        return
    assert len(run.time) == 101
    assert np.isfinite(run.q[0]).all()
    assert [(stop.arm, stop.reason) for stop in run.stops] == [(k, "the run was interrupted") for k in (1, 2)]
    assert 0.6 < run.stops[0].time < 0.7
    assert run.stops[1].time == 0
    for stop in run.stops:
        assert np.isfinite(run.q[stop.arm, run.time <= stop.time]).all()
        assert np.isnan(run.q[stop.arm, run.time > stop.time]).all()
