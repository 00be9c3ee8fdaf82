"""Pictures and films of runs and poses, and mistakes in what is asked of them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import QddotError, SimulationError
from qddot.faces.run import Run
from qddot.papers.draw.labels import symbol


def test_pictures(run: Run) -> None:
    motion = run.plot()
    assert [ax.get_title(loc="left") for ax in motion.axes] == ["coordinates", "rates"]
    energy = run.plot_energy()
    assert [text.get_text() for text in energy.axes[0].get_legend().get_texts()] == [  # type: ignore[union-attr]
        "potential energy P",
        "kinetic energy K",
        "total energy E",
    ]
    assert energy.axes[0].get_ylabel() == "[J]"
    assert energy.axes[1].get_title(loc="left") == "losses"
    assert "q" in run.plot_phase(1).axes[0].get_xlabel()
    assert run.plot_path().axes
    arm = qddot.load("spatial_2r")
    driven = arm.simulate([2.0, 0.3], None, 0.1, 0.01, "rk4", torque=laws.pd([0, 0], 1.0, 1.0))
    assert len(driven.plot().axes) == 3
    assert arm.plot([0.1, 0.2]).axes
    assert qddot.load("rp").plot([0.1, 0.5], frames=False).axes


def test_labels_are_chinese(run: Run) -> None:
    arm = qddot.load("rp")
    for draw in (run.plot, run.plot_energy, run.plot_phase, run.plot_path, arm.plot):
        with refusal(QddotError, "no-such-language"):
            draw(lang="fr")
    assert run.plot_energy(lang="zh").axes[0].get_title(loc="left") == "能量"
    assert "步长" in run.plot(lang="zh").get_suptitle()
    assert "连杆:" in words_of(arm.plot(lang="zh"))[-1]


def words_of(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_movies_and_frames(run: Run, tmp_path: Path) -> None:
    seen: list[float] = []
    small = {"size": (320, 240), "fps": 5}
    made = run.movie(tmp_path / "a.gif", progress=seen.append, **small)
    picture: Any
    with Image.open(made) as picture:
        assert (picture.size, picture.n_frames) == ((320, 240), 6)
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


@pytest.fixture(scope="module")
def stopped() -> Run:
    """An arm of six joints falls to a joint's limit."""
    q0 = [0.4, -0.6, 0.8, -1, 1.2, -1.4]
    return qddot.load("puma560_akb").simulate(q0=q0, duration=1.5, step=0.01, method="rk4")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_film_names_joints_and_shows_energies_and_says_why_it_ends(
    lang: str, stopped: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qddot.papers.draw import film_side
    from qddot.papers.draw.movie import Film

    numbers: list[str] = []
    named: list[str] = []
    write, outline = film_side.Digits.write, film_side._centred

    def writing(digits: Any, picture: Any, text: str) -> None:
        numbers.append(text)
        write(digits, picture, text)

    def outlining(name: str, size: float) -> Any:
        named.append(name)
        return outline(name, size)

    monkeypatch.setattr(film_side.Digits, "write", writing)
    monkeypatch.setattr(film_side, "_centred", outlining)
    run = stopped
    (stop,) = run.stops
    film = Film(run._recording, size=(640, 480), fps=4, lang=lang)
    last = np.asarray(film.picture(len(film) - 1))
    texts = [text.get_text() for text in film._canvas.figure.texts]
    names = [symbol(name) for name in qddot.load("puma560_akb").model.coordinates]
    assert named == names
    assert [text for text in texts if text.endswith(" =")] == [f"{name} =" for name in names]
    clock, *values = numbers
    assert values == [f"{value:.2f} rad".replace("-", "−") for value in film._q[-1]]
    assert clock == f"{film.times[-1]:.2f} s"
    said = "到达上限" if lang == "zh" else "reaches its upper limit"
    assert any(f"{stop.time:.2f} s" in text and stop.joint in text and said in text for text in texts)
    energies = film._canvas.figure.axes[1]
    labels = ["势能 P", "动能 K", "总能量 E"] if lang == "zh" else ["$P$", "$K$", "$E$"]
    assert [line.get_label() for line in energies.lines[:3]] == labels
    np.testing.assert_allclose(energies.lines[2].get_ydata(), run.energy.E[np.isfinite(run.energy.E)])
    model = "PUMA 560，采用 1986 年的连杆参数表" if lang == "zh" else "puma560_akb"
    assert any(text.startswith(f"{model} · {run.arrays.attrs['method']}") for text in texts)
    assert energies.lines[3].get_xdata() == [film.times[-1]] * 2
    # what is beside the arm is drawn in each picture, not once
    assert (np.asarray(film.picture(0)) != last).any()


def test_the_legend_of_a_film_is_above_energies_that_are_all_below_zero() -> None:
    from qddot.papers.draw.movie import Film

    run = qddot.load("two_link").simulate([-1.5, 0.1], None, 0.5, 0.01, "rk4")
    film = Film(run._recording, size=(640, 480), fps=4)
    film.picture(0)
    axes: Any = film._canvas.figure.axes[1]
    low, high = axes.get_ylim()
    curves = (np.concatenate([run.energy.P, run.energy.K, run.energy.E]) - low) / (high - low)
    legend = axes.get_legend().get_window_extent().transformed(axes.transAxes.inverted())
    assert run.energy.E.max() < 0 < curves.min() and curves.max() < legend.y0
    assert np.ptp(curves) > 0.7


def test_a_part_of_a_run_has_its_own_times_and_the_trail_from_before(run: Run) -> None:
    from qddot.papers.draw.movie import Film

    part = Film(run._recording, fps=10, start=0.3, duration=0.4, trail=0.2, title="c = 0", size=(640, 480))
    assert part.times == pytest.approx([0.3, 0.4, 0.5, 0.6, 0.7])
    assert part._fine[[0, -1]] == pytest.approx([0.1, 0.7])
    for line in part._canvas.figure.axes[1].lines[:3]:
        assert np.asarray(line.get_xdata())[[0, -1]] == pytest.approx([0.3, 0.7])
    texts = [text.get_text() for text in part._canvas.figure.texts]
    assert "c = 0" in texts
    assert not any("·" in text for text in texts)


def test_energies_of_several_runs_are_in_one_figure() -> None:
    arm = qddot.load("two_link")
    runs = arm.simulate(np.tile([1.0, 0.0], (3, 1)), duration=1, step=0.01, damping=[[0, 0], [1, 1], [5, 5]])
    ax: Any = runs.plot_energies(["damping 0", "damping 1", "damping 5"]).axes[0]
    for line, energy in zip(ax.lines, runs.energy.E, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), energy)
    assert [text.get_text() for text in ax.get_legend().texts] == ["damping 0", "damping 1", "damping 5"]
    with refusal(QddotError, "labels-of-arms", "2", "3"):
        runs.plot_energies(["a", "b"])


def test_the_trail_of_a_film_is_a_curve_however_few_its_pictures_are() -> None:
    from qddot.papers.draw.movie import Film

    run = qddot.load("two_link").simulate([-0.5, 0.1], None, 1.0, 0.01, "rk4")
    film = Film(run._recording, size=(320, 240), fps=1)
    steps = np.linalg.norm(np.diff(film._path, axis=0), axis=1)
    assert len(film) == 2
    assert steps.max() < 0.05 * steps.sum()


def test_numbers_of_a_film_are_where_a_text_of_matplotlib_would_be() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    from qddot.papers.draw.film_side import Digits

    canvas = FigureCanvasAgg(Figure((3, 1), dpi=100, facecolor="white"))
    blank = Image.new("RGB", (300, 100), "white")
    Digits(canvas.figure, 0.1, 0.5, 14, "#111827").write(blank, "−3.14 rad")
    canvas.figure.text(0.1, 0.5, "−3.14 rad", fontsize=14, color="#111827")
    canvas.draw()
    pictures = [np.array(canvas.buffer_rgba())[..., 0].astype(int), np.array(blank)[..., 0].astype(int)]
    ink = [np.argwhere(picture < 200) for picture in pictures]
    assert np.abs(ink[0].min(0) - ink[1].min(0)).max() <= 2
    assert np.abs(ink[0].max(0) - ink[1].max(0)).max() <= 2


def test_a_film_is_light_or_dark_and_its_letters_grow_with_it(run: Run) -> None:
    from qddot.papers.draw.movie import Film

    brightness, heights = {}, {}
    for theme in ("light", "dark"):
        film = Film(run._recording, size=(1280, 720), fps=1, theme=theme)
        picture = np.asarray(film.picture(0)).astype(int).mean(-1)
        brightness[theme] = (
            picture[-5, 640],
            np.median(picture[250:550, 100:700][picture[250:550, 100:700] != picture[-5, 640]]),
        )
        heights[theme] = [float(text.get_fontsize()) / 72 * 100 for text in film._canvas.figure.texts]
    (paper, arm), (dark, lifted) = brightness["light"], brightness["dark"]
    assert paper == 255 and dark < 30 and lifted > dark + 50 and arm < paper - 50
    assert min(heights["light"]) >= 720 / 40 and heights["light"] == heights["dark"]
    with refusal(SimulationError, "none-of-these", "a-theme"):
        run.pictures("frames", theme="blue")


def test_a_small_film_has_the_arm_alone(run: Run) -> None:
    from qddot.papers.draw.movie import Film

    film = Film(run._recording, size=(200, 200), fps=4)
    assert len(film._canvas.figure.axes) == 1
    assert (np.asarray(film.picture(0))[:20] < 60).any(), "the time is written above the arm"


def test_the_arm_fills_a_film(run: Run) -> None:
    """The space that the arm and its path take in the run fills its part of the picture in width or in height."""
    from qddot.papers.draw.movie import Film

    film = Film(run._recording, size=(640, 480), fps=4)
    stage, scene = film._stage, film._scene
    assert ((scene.high - scene.low) / (stage.high - stage.low)).max() > 0.7


def test_a_film_shows_what_a_drawing_of_the_same_pose_shows(run: Run) -> None:
    """What moves is drawn by itself: each pixel inside the arm has the same colour as in a drawing of the whole."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from qddot.papers.draw.movie import Film

    film = Film(run._recording, size=(960, 720), trail=0, fps=5)
    assert film._names is not None
    film._names._letters.set_visible(False)
    picture = np.asarray(film.picture(3)).astype(int)
    for flat in (film._solid, film._tail):
        flat.remove()
    film._stage.arm(3)
    canvas = FigureCanvasAgg(film._canvas.figure)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)
    there = (picture[180:650, :600] < 200).any(-1)
    assert there.sum() > 500
    # a drawing has a dark line round the arm
    off = np.abs(picture - drawn)[180:650, :600][there].max(-1)
    assert (off > 40).mean() < 0.05, (off > 40).mean()


def test_figures_do_not_stay_open_and_show_themselves_in_notebooks(run: Run, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(5):  # Matplotlib warns of more than 20 open ones
            figures: list[Any] = [
                run.plot(),
                run.plot_path(),
                run.plot_phase(),
                run.plot_energy(),
                arm.plot([0.1, 0.2]),
            ]
    run.movie(tmp_path / "a.gif", size=(100, 100), duration=0.1)
    assert plt.get_fignums() == []
    for figure in figures:
        plt.close(figure)  # which has nothing to close
        assert figure._repr_png_()[:4] == b"\x89PNG"
        figure.savefig(tmp_path / "a.png", dpi=30)
        figure.clear()
        assert figure._repr_png_()[:4] == b"\x89PNG"
        with refusal(QddotError, "no-notebook-for-figure"):
            figure.show()


def test_in_a_notebook_films_and_figures_show_themselves(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qddot.base.system import notebook
    from qddot.base.system.progress import bar
    from qddot.papers.draw import movie

    shown: list[Any] = []

    class Handle:
        def update(self, what: Any) -> None:
            shown.append(what)

    def display(what: Any, display_id: bool = False) -> Handle:
        shown.append(what)
        return Handle()

    monkeypatch.setattr(notebook, "is_there", lambda: True)
    monkeypatch.setattr(notebook, "_display", display)
    monkeypatch.setattr(notebook, "SELDOM", 0.0)
    gif: Any = run.movie(tmp_path / "a.gif", size=(64, 64), duration=0.2, fps=10)
    assert [str(what) for what in shown] == [
        "drawing a.gif: 0 %",
        *(f"drawing a.gif: {k} %" for k in (33, 67, 100)),
        "",
    ]
    assert 'value="67"' in shown[2]._repr_html_()
    assert gif._repr_html_().startswith('<img src="data:image/gif;base64,')
    monkeypatch.setattr(movie, "EMBEDDED", 10)
    monkeypatch.chdir(tmp_path)
    mp4: Any = run.movie("b &.mp4", size=(64, 64), duration=0.2)
    assert mp4._repr_html_().startswith('<video controls loop src="b &amp;')
    assert (gif.parent / "none.gif")._repr_html_() is None
    figure = run.plot()
    figure.show()
    assert shown[-1] is figure
    with pytest.raises(KeyboardInterrupt), bar("long"):
        raise KeyboardInterrupt
    assert str(shown[-1]) == ""


def test_a_film_that_ffmpeg_cannot_write_says_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.papers.draw.movie._ffmpeg", lambda: "false")
    with refusal(SimulationError, "file-unwritable"):
        run.movie(tmp_path / "a.mp4", size=(64, 64), duration=0.2)
    assert list(tmp_path.iterdir()) == []


def test_up_is_minus_gravity() -> None:
    from qddot.papers.draw.camera import upright

    turned = upright(np.array([9.81, 0, 0]))
    assert np.allclose(turned @ [-1, 0, 0], [0, 0, 1])
    assert np.allclose(turned @ turned.T, np.eye(3))


def test_mistakes_in_pictures(run: Run, tmp_path: Path) -> None:
    wrong: dict[tuple[str, ...], Any] = {
        ("no-such-index", "arm", "3", "-1", "0"): lambda: run.plot(arm=3),
        ("no-such-index", "joint", "7", "-2", "1"): lambda: run.plot_phase(7),
        ("no-such-index", "joint", "'x'"): lambda: run.plot_phase("x"),
        ("number-not-allowed", "fps", "0"): lambda: run.movie(tmp_path / "a.gif", fps=0),
        ("number-not-allowed", "speed", "-1"): lambda: run.movie(tmp_path / "a.gif", speed=-1),
        ("number-not-allowed", "tolerance", "'x'"): lambda: run.energy.check("x"),
        ("of-another-shape", "q", "(1,)", "2"): lambda: qddot.load("spatial_2r").plot([1.0]),
        ("number-not-allowed", "duration", "0"): lambda: laws.quintic([0], [1], 0),
        ("number-not-allowed", "blend", "0.7"): lambda: laws.trapezoidal([0], [1], 1.0, blend=0.7),
        ("negative-numbers", "kp", "-1"): lambda: laws.pd([0], -1, 1),
        ("law-without-arm", "'x'"): lambda: laws.pd_gravity("x", [0], 1, 1),
        ("not-these-numbers", "kp", "'x'"): lambda: laws.pd([0], "x", 1),
    }
    for says, do in wrong.items():
        with refusal(QddotError, *says):
            do()


def test_without_ffmpeg_a_movie_says_what_to_do(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "")
    with refusal(SimulationError, "no-ffmpeg"):
        run.movie(tmp_path / "a.mp4")


@pytest.mark.parametrize(
    ("film", "says"),
    [
        ({"size": (0, 0)}, ("not-whole-number-within", "width-of-size", "0")),
        ({"size": "ab"}, ("size-not-pixels", "'ab'")),
        ({"size": (100,)}, ("size-not-pixels",)),
        ({"size": (100.5, 100)}, ("not-whole-number-within", "width-of-size", "100.5")),
        ({"camera": "ab"}, ("camera-not-direction", "'ab'")),
        ({"camera": 5}, ("camera-not-direction", "5")),
        ({"camera": ()}, ("camera-not-direction",)),
        ({"camera": (1, "x")}, ("number-not-allowed", "cameras-azimuth", "'x'")),
        ({"speed": 1e-9}, ("too-many-pictures", "100000")),
        ({"fps": float("nan")}, ("number-not-allowed", "fps", "nan")),
        ({"trail": -1}, ("number-not-allowed", "trail", "-1")),
        ({"start": 99}, ("number-not-allowed", "start", "99", "in-seconds", "0")),
        ({"title": 5}, ("title-not-text", "5")),
        ({"bogus": 1}, ("no-option-of-film", "'bogus'")),
    ],
)
def test_mistakes_in_films(run: Run, film: dict[str, Any], says: tuple[str, ...], tmp_path: Path) -> None:
    with refusal(QddotError, *says):
        run.movie(tmp_path / "a.gif", **film)
    assert list(tmp_path.iterdir()) == []


def test_odd_sizes_and_interrupted_films(run: Run, tmp_path: Path) -> None:
    assert run.movie(tmp_path / "a.mp4", size=(321, 201), fps=4, duration=0.5).exists()

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.movie(tmp_path / "b.gif", size=(100, 100), progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]


def test_curves_of_another_unit_have_a_panel_of_their_own() -> None:
    """A floating arm has metres, radians and the numbers of a quaternion; legends are read in rows."""
    run = qddot.load("cart_pole").simulate([0, 0.5], None, 0.1, 0.05)
    axes: Any = run.plot().axes
    assert [ax.get_ylabel() for ax in axes] == ["[m]", "[rad]", "[m/s]", "[rad/s]"]
    assert [ax.get_title(loc="left") for ax in axes] == ["coordinates", "", "rates", ""]
    arm = qddot.load("quadrotor_arm")
    axes = arm.simulate(arm.neutral(), None, 0.1, 0.05).plot().axes
    assert [ax.get_ylabel() for ax in axes] == ["[m]", "[1]", "[rad]", "[m/s]", "[rad/s]"]
    assert [len(ax.lines) for ax in axes] == [3, 4, 2, 3, 5]
    legs = qddot.load("solo12")
    axes = legs.simulate(legs.neutral(), None, 0.02, 0.01).plot().axes
    drawn = [line.get_label() for line in axes[2].lines]
    told = [text.get_text() for text in axes[2].get_legend().get_texts()]
    columns = min(8, len(drawn))
    assert sorted(told) == sorted(drawn) and told[0] == drawn[0] and told[1] == drawn[columns]
