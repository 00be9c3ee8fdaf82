"""The arm in motion, as a movie or as pictures: Matplotlib draws every frame, ffmpeg or Pillow joins them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import signature
from pathlib import Path
from shutil import copyfileobj
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import numpy as np
from matplotlib import rc_context
from matplotlib.animation import FFMpegWriter, PillowWriter

from qddot import files, programs
from qddot.errors import SimulationError, shortened
from qddot.plot import COLOURS, STYLE, finite, one_arm
from qddot.scene import Scene, canvas, swept
from qddot.simulate.run import checked_path, is_name
from qddot.words import Words

FORMATS = {".mp4": "H.264", ".gif": "GIF"}
MOST_FRAMES = 100_000
FADES = 12  # pieces of the trail, from faint to full
Progress = Callable[[float], None]


def movie(run: Any, path: str | Path, progress: Progress | None = None, **film: Any) -> Path:
    """Write a movie of one arm of a run, .mp4 or .gif.

    progress: called with the fraction that is done; film: what `Film` takes
    raises SimulationError: a format, a path or a number that does not do, or no ffmpeg for .mp4
    """
    target = checked_path(path, FORMATS)
    shown = Film(run, gif=target.suffix == ".gif", **_known(film))
    writer = _ffmpeg(shown.fps) if target.suffix == ".mp4" else _pillow(shown.fps)
    try:
        # the programs want a name to write to: one in a folder that is closed to others
        with TemporaryDirectory() as folder:
            film_path = Path(folder) / f"movie{target.suffix}"
            with rc_context(shown.style), writer.saving(shown.figure, str(film_path), shown.figure.dpi):
                for done in shown:
                    writer.grab_frame()
                    if progress:
                        progress(done)
            with film_path.open("rb") as drawn:
                files.write({target: lambda file: copyfileobj(drawn, file)})
    except (OSError, CalledProcessError) as error:
        raise SimulationError(f"{target} was not written: {error}") from error
    return target


def frames(run: Any, folder: str | Path, progress: Progress | None = None, **film: Any) -> list[Path]:
    """Write the movie's pictures, frame_00000.png and on, into a folder, which is made; arguments as for `movie`."""
    if not isinstance(folder, str | Path) or not is_name(folder):
        raise SimulationError(f"a folder {shortened(folder)}", expected="its name")
    shown, place, written = Film(run, **_known(film)), Path(folder), []

    def picture(file: BinaryIO) -> None:
        shown.figure.savefig(file, format="png", dpi=shown.figure.dpi)

    try:
        place.mkdir(parents=True, exist_ok=True)
        with rc_context(shown.style):
            for k, done in enumerate(shown):
                written.append(place / f"frame_{k:05d}.png")
                files.write({written[-1]: picture})
                if progress:
                    progress(done)
    except OSError as error:
        raise SimulationError(f"{place} cannot be written: {error.strerror or error}", expected="a folder") from error
    return written


def _known(film: dict[str, Any]) -> dict[str, Any]:
    """raises SimulationError: an option that a film does not have"""
    options = [name for name in signature(Film.__init__).parameters if name not in ("self", "run", "gif")]
    for name in film:
        if name not in options:
            raise SimulationError(f"no option {name!r}", expected=", ".join(options))
    return film


def _check(fps: Any, speed: Any, trail: Any, duration: Any, size: Any) -> None:
    for name, value in (
        ("fps", fps),
        ("speed", speed),
        ("trail", trail),
        ("duration", 1 if duration is None else duration),
    ):
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not is_number or not (value > 0 or (name == "trail" and value == 0)) or not np.isfinite(value):
            raise SimulationError(f"{name} = {shortened(value)}", expected="a number above 0")
    whole = isinstance(size, tuple | list) and len(size) == 2 and all(isinstance(x, int | np.integer) for x in size)
    if not whole or not all(16 <= x <= 8192 for x in size):
        raise SimulationError(f"size = {shortened(size)}", expected="width and height in pixels, 16 to 8192")


class Film:
    """A figure and the poses that pass through it; iterating draws one after the other.

    duration: seconds of the run to show, all by default; speed: times faster than the arm; size: in pixels;
    camera: (elevation, azimuth) in degrees; trail: seconds of the end point's path behind it
    """

    def __init__(
        self,
        run: Any,
        fps: float = 30,
        duration: float | None = None,
        speed: float = 1.0,
        arm: int = 0,
        size: tuple[int, int] = (1280, 720),
        camera: tuple[float, float] | None = None,
        trail: float = 2.0,
        lang: str = "en",
        gif: bool = False,
    ) -> None:
        _check(fps, speed, trail, duration, size)
        # a GIF counts hundredths of a second, a movie's pictures have even sides
        self.fps = 100 / max(2, round(100 / fps)) if gif else fps
        fps, size = self.fps, (size[0] + size[0] % 2, size[1] + size[1] % 2)
        words, data = Words(lang), one_arm(run.data, arm)
        self.style = {**STYLE, **words.style()}
        robot, samples = run.robot(arm), finite(data.q.values)
        times = data.time.values[: len(samples)]
        last = times[-1] if duration is None else min(float(duration), times[-1])
        if last * fps / speed > MOST_FRAMES:
            raise SimulationError(
                f"{last * fps / speed:.3g} pictures", expected=f"at most {MOST_FRAMES}", remedy="a duration, or speed"
            )
        self.times = np.arange(0, last * (1 + 1e-12) + 1e-12, speed / fps)
        q = np.stack([np.interp(self.times, times, column) for column in samples.T], axis=-1)
        with rc_context(self.style):
            self.figure = canvas(size)
            self.scene = Scene(self.figure, robot, swept(robot, samples[times <= last]), camera)
            self._title = self.figure.text(0.03, 0.93, "", fontsize=17, fontweight="bold", color="#1f2937")
            about = f"{data.attrs['model']} · {data.attrs['method']}"
            self.figure.text(0.03, 0.885, about, fontsize=11, color="#6b7280", parse_math=False)
            self._tail = [
                self.scene.line(np.zeros((0, 3)), color=COLOURS[1], linewidth=2, alpha=(k + 1) / FADES, zorder=8)
                for k in range(FADES)
            ]
        self._word, self._q, self._trail, self._speed = words("time"), q, trail, speed
        # the trail in steps of its own, fine enough for a curve
        self._fine = np.linspace(0, last, max(2, int(last * 120)))
        path = np.stack([np.interp(self._fine, times, column) for column in samples.T], axis=-1)
        self._path = robot.skeleton(path)[1] @ self.scene.up.T

    def __iter__(self) -> Iterator[float]:
        for k, (t, q) in enumerate(zip(self.times, self._q, strict=True), 1):
            self.scene.show(q)
            fast = "" if self._speed == 1 else f"  × {self._speed:g}"
            self._title.set_text(f"{self._word} {t:.2f} s{fast}")
            seen = self._path[(self._fine > t - self._trail) & (self._fine <= t)]
            for piece, line in zip(np.array_split(np.arange(len(seen)), FADES), self._tail, strict=True):
                part = seen[piece[0] : piece[-1] + 2] if len(piece) else seen[:0]
                line.set_data_3d(*part.T)
            yield k / len(self.times)


def _pillow(fps: float) -> Any:
    # Matplotlib cuts milliseconds off, and Pillow hundredths of a second: the rate has to be exact
    return PillowWriter(fps=Fraction(100, round(100 / fps)))  # type: ignore[arg-type]


def _ffmpeg(fps: Any) -> Any:
    import matplotlib as mpl

    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        program = get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        program = "ffmpeg"
    found = program if Path(program).is_absolute() else programs.command(program)
    mpl.rcParams["animation.ffmpeg_path"] = found or program
    if not found or not FFMpegWriter.isAvailable():
        raise SimulationError(
            "no ffmpeg for .mp4", remedy='pip install "qddot[movie]", or write a .gif, or frames with run.frames'
        )
    return FFMpegWriter(fps=fps, codec="libx264", extra_args=["-pix_fmt", "yuv420p", "-crf", "20", "-preset", "fast"])
