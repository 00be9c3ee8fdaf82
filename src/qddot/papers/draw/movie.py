"""Shows the arm in motion, as a movie or as pictures: Matplotlib draws, ffmpeg or Pillow joins the pictures."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from PIL import Image

from qddot.base.checked import real, whole
from qddot.base.errors import SimulationError, check_one_of, reason_of, shortened
from qddot.base.system import files, notebook, parts, programs
from qddot.base.system.progress import bar
from qddot.base.words.message import Listed, say
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.saved_runs import SIMULATE, checked_path
from qddot.papers.draw import lettering
from qddot.papers.draw.camera import Direction
from qddot.papers.draw.film_side import LETTERS, NARROWEST, SHARE, Digits, Energies, JointNames, ending
from qddot.papers.draw.labels import Words, plain
from qddot.papers.draw.plot import COLOURS, STYLE, about, finite, one_arm
from qddot.papers.draw.posed import PosedArm
from qddot.papers.draw.scene import Scene
from qddot.papers.draw.stage import EDGE, Stage
from qddot.papers.draw.theme import THEMES

if sys.platform == "win32":
    from pathlib import WindowsPath as _Path
else:
    from pathlib import PosixPath as _Path

FORMATS = {".mp4": "H.264", ".gif": "GIF"}
MOST_FRAMES = 100_000
DPI = 100
NEARLY_WHITE = 248  # grey value, of 255
SAMPLES = 12  # pictures that a GIF's palette is made from
QUALITY = 60  # quality of a WebP, out of 100
SIZES = 16, 8192  # pixels of a side
CLOCK = 1.9  # size of the time, in letters of the side panel
SMALLEST, LARGEST = 6.5, 24.0  # letters [points]
FADES = 12  # pieces of the trail, from faint to opaque
EMBEDDED = 30e6  # bytes up to which a notebook embeds a movie; longer ones stay in their file
Progress = Callable[[float], None]


class MovieFile(_Path):
    """This is the path of a movie, which shows itself in a notebook."""

    def _repr_html_(self) -> str | None:
        return notebook.film(self, EMBEDDED) if self.suffix in FORMATS and self.is_file() else None


def movie(
    run: Recording, path: str | Path, overwrite: bool = False, progress: Progress | None = None, **film: Any
) -> MovieFile:
    """Writes a movie of one arm of a run, .mp4 or .gif, and returns its path, which shows the movie in a notebook.

    overwrite: whether a file is replaced that is there already and not an earlier movie
    progress: a function that is called with the completed fraction; by default a terminal shows a bar
    film: the options of `Film`
    raises SimulationError: an unknown format or option, a path that cannot be written or may not be replaced, a number
        out of its range, or no ffmpeg for .mp4; QddotError: no such arm or language, or a camera that is not two
        or three numbers
    """
    target = checked_path(path, FORMATS, overwrite)
    clip = Film(run, gif=target.suffix == ".gif", **_checked_options(film))
    join = _gif if target.suffix == ".gif" else partial(_mp4, _ffmpeg())
    with bar(str(say("drawing-of", name=target.name)), progress) as drawn:
        content = {target: lambda file: join(clip, file, drawn)}
        files.save(content, str(target), SIMULATE, overwrite, SimulationError)
    return MovieFile(target)


def frames(
    run: Recording, folder: str | Path, overwrite: bool = False, progress: Progress | None = None, **film: Any
) -> list[Path]:
    """Writes the movie's pictures, frame_00000.png and so on, into a folder, which is made; returns their paths.

    Arguments and errors are those of `movie`.
    """
    if not isinstance(folder, str | Path) or not files.is_name(folder):
        raise SimulationError("not-folder-name", folder=shortened(folder))
    clip, place = Film(run, **_checked_options(film)), Path(folder)
    targets = [place / f"frame_{k:05d}.png" for k in range(len(clip))]
    files.check(targets, SIMULATE, overwrite, SimulationError)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SimulationError("pictures-unwritable", place=place, reason=reason_of(error)) from error
    with bar(str(say("drawing-of", name=place.name)), progress) as drawn:
        for target, picture in zip(targets, clip.pictures(drawn), strict=True):
            write = partial(picture.save, format="PNG")
            files.save({target: write}, str(place), SIMULATE, overwrite, SimulationError)
    return targets


def _checked_options(film: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a film. raises SimulationError: an option that a film does not have"""
    options = [name for name in signature(Film.__init__).parameters if name not in ("self", "run", "gif")]
    for name in film:
        if name not in options:
            raise SimulationError("no-option-of-film", name=repr(name), expected=Listed(options))
    return film


def _check(fps: Any, speed: Any, trail: Any, duration: Any, size: Any, title: Any) -> None:
    for name, value in (("fps", fps), ("speed", speed), ("duration", 1 if duration is None else duration)):
        real(value, name, 0, above=True, error=SimulationError)
    real(trail, "trail", 0, error=SimulationError)
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise SimulationError("size-not-pixels", size=shortened(size))
    if title is not None and not isinstance(title, str):
        raise SimulationError("title-not-text", title=shortened(title))
    for name, pixels in zip(("width-of-size", "height-of-size"), size, strict=True):
        whole(pixels, say(name), *SIZES, error=SimulationError)


class Film:
    """A film is a series of pictures; the still parts are drawn once, and the moving parts in each picture.

    start, duration: seconds of the run to show, by default the whole run; speed: how many times faster than the arm's
    own motion; size: in pixels; camera: as in `Camera`; trail: seconds of the end point's path that is drawn; title: in
    place of the model's name and the method; theme: light or dark
    """

    def __init__(
        self,
        run: Recording,
        fps: float = 30,
        duration: float | None = None,
        speed: float = 1.0,
        arm: int = 0,
        size: tuple[int, int] = (1280, 720),
        camera: Direction | None = None,
        trail: float = 2.0,
        lang: str = "",
        start: float = 0.0,
        title: str | None = None,
        theme: str = "light",
        gif: bool = False,
    ) -> None:
        _check(fps, speed, trail, duration, size, title)
        check_one_of(theme, THEMES, say("a-theme"), SimulationError)
        # a GIF counts hundredths of a second, a movie's pictures have even sides
        self.fps = 100 / max(2, round(100 / fps)) if gif else fps
        fps, size = self.fps, (size[0] + size[0] % 2, size[1] + size[1] % 2)
        words, one = Words(lang), one_arm(run.arrays, arm)
        self._theme = look = THEMES[theme]
        self.style = {**STYLE, **look.style(), **words.style(str(one.attrs["model"]), title or "")}
        if lettering.STAND_IN in self.style.get("font.family", ()):
            lettering.complain(words.lang)
        model, samples = run.model(arm), finite(one["q"])
        times = one["time"][: len(samples)]
        first = real(start, "start", 0, float(times[-1]), of=say("in-seconds"), error=SimulationError)
        last = times[-1] if duration is None else min(first + float(duration), times[-1])
        if (last - first) * fps / speed > MOST_FRAMES:
            raise SimulationError(
                "too-many-pictures", count=f"{(last - first) * fps / speed:.3g}", most_frames=MOST_FRAMES
            )
        self.times = np.arange(first, last * (1 + 1e-12) + 1e-12, speed / fps)
        self._scene = Scene(PosedArm(model, _at(self.times, times, samples), run.closed), camera)
        # the trail has its own steps, fine enough for a curve
        drawn_from = max(0.0, first - trail)
        self._fine = np.linspace(drawn_from, last, max(2, int((last - drawn_from) * 120)))
        self._path = self._scene.camera.seen(PosedArm(model, _at(self._fine, times, samples)).end)
        self._scene.include(self._path)
        with rc_context(self.style):
            wide, high = size[0] / DPI, size[1] / DPI
            self._canvas = FigureCanvasAgg(Figure(figsize=(wide, high), dpi=DPI, facecolor=look.paper))
            figure = self._canvas.figure
            beside = SHARE if min(size) >= NARROWEST * 0.75 and size[0] >= NARROWEST else 0.0
            letters = float(np.clip(LETTERS * high, SMALLEST, LARGEST))
            stage = (0, 0, (1 - beside) * wide, 0.86 * high)
            self._stage = Stage(figure, self._scene, stage, look, max(1.0, letters / 9))
            area = (1 - beside, 0.02, beside, 0.84)
            span = (first, float(last))
            self._energies = Energies(self._canvas, one, span, model, words, area, look, letters) if beside else None
            self._names = JointNames(self._stage, self._scene, look, letters) if beside else None
            self._q = _at(self.times, times, samples)
            above, below = (CLOCK * letters, 0.93), (letters, 0.875)
            (clock, line), (small, under) = (above, below) if title is None else (below, above)
            bold, faint = {"fontweight": "bold"}, {"color": look.faint}
            time = figure.text(0.03, line, words("time"), fontsize=clock, **(bold if title is None else faint))
            beside_time = time.get_window_extent(self._canvas.get_renderer()).x1 / figure.bbox.width + 0.01
            weight, ink = ("bold", look.ink) if title is None else ("normal", look.faint)
            self._clock = Digits(figure, beside_time, line, clock, ink, weight)
            subject = about(one, words) if title is None else plain(title)
            end = ending(run.stops, arm, words)
            said = f"{subject} · {end}" if end else subject
            figure.text(0.03, under, said, fontsize=small, **(faint if title is None else bold))
            self._canvas.draw()
            # the still parts are drawn once
            self._still = self._canvas.copy_from_bbox(figure.bbox)
        colours = [to_rgba(COLOURS[1], (k + 1) / FADES) for k in range(FADES)]
        self._tail = LineCollection([], colors=colours, linewidths=2, capstyle="projecting", joinstyle="round")
        self._solid = PolyCollection([], linewidths=EDGE)
        for artist in (self._solid, self._tail):
            self._stage.axes.add_collection(artist, autolim=False)
        self._trail, self._speed = trail, speed

    def __len__(self) -> int:
        return len(self.times)

    def pictures(self, progress: Progress) -> Iterator[Image.Image]:
        """Yields the pictures in turn."""
        for k in range(len(self)):
            yield self.picture(k)
            progress((k + 1) / len(self))

    def picture(self, k: int) -> Image.Image:
        """Returns one picture, in red, green and blue."""
        t, axes = self.times[k], self._stage.axes
        outlines, paints, _ = self._scene.outlines(k)
        self._solid.set_verts(outlines)
        lit = self._theme.lit(paints)
        self._solid.set(facecolor=lit, edgecolor=lit)
        trail = self._path[(self._fine > t - self._trail) & (self._fine <= t)]
        pieces = np.array_split(np.arange(len(trail)), FADES)
        self._tail.set_segments([trail[piece[0] : piece[-1] + 2] if len(piece) else trail[:0] for piece in pieces])
        fast = "" if self._speed == 1 else f"  × {self._speed:g}"
        with rc_context(self.style):
            self._canvas.restore_region(self._still)
            for artist in (self._solid, self._tail):
                axes.draw_artist(artist)
            if self._names is not None and self._energies is not None:
                self._names.draw(k)
                self._energies.draw(t)
        size = self._canvas.get_width_height()
        picture = Image.frombuffer("RGBA", size, self._canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")
        self._clock.write(picture, f"{t:.2f} s{fast}")
        if self._energies is not None:
            self._energies.write(picture, self._q[k])
        return picture


def _at(moments: Any, times: Any, samples: Any) -> Any:
    """Returns the configurations at some times, (times, n), linear between the samples."""
    return np.stack([np.interp(moments, times, column) for column in samples.T], axis=-1)


def webp(run: Recording, **film: Any) -> bytes:
    """Returns a film of one arm of a run as an animated WebP, which repeats for ever; film: the options of `Film`."""
    clip, file = Film(run, **film), BytesIO()
    first, *others = (clip.picture(k) for k in range(len(clip)))
    pace = round(1000 / clip.fps)
    first.save(file, "WEBP", save_all=True, append_images=others, duration=pace, loop=0, quality=QUALITY, method=2)
    return file.getvalue()


def _gif(film: Film, file: BinaryIO, progress: Progress) -> None:
    """Writes a GIF with one palette for all pictures, made from a few of them."""
    some = [np.asarray(film.picture(k)) for k in np.unique(np.linspace(0, len(film) - 1, SAMPLES).astype(int))]
    palette = Image.fromarray(np.concatenate(some)).quantize(256, Image.Quantize.MEDIANCUT)
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    # Pillow looks colours up in steps of four; the background must be white, not nearly white
    colours[(colours >= NEARLY_WHITE).all(1)] = 255
    palette.putpalette(colours.ravel().tolist())
    quantized = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in film.pictures(progress))
    pace = 10 * round(100 / film.fps)
    first = next(quantized)
    first.save(file, "GIF", save_all=True, append_images=quantized, duration=pace, loop=0, optimize=False)


def _mp4(ffmpeg: str, film: Film, file: BinaryIO, progress: Progress) -> None:
    """Writes an MP4 by ffmpeg, which gets raw pictures through a pipe. raises OSError with ffmpeg's message"""
    # ffmpeg needs a file in which it can seek: a temporary one in a private folder
    with TemporaryDirectory() as folder:
        coded = Path(folder) / "film.mp4"
        _encode(ffmpeg, film, coded, progress)
        with coded.open("rb") as source:
            copyfileobj(source, file)


def _encode(ffmpeg: str, film: Film, path: Path, progress: Progress) -> None:
    size = "x".join(map(str, film.picture(0).size))
    raw = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(film.fps), "-i", "-")
    coded = ("-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-preset", "fast", "-y", str(path))
    command = [ffmpeg, "-loglevel", "error", *raw, *coded]
    with Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=PIPE) as process:  # noqa: S603 - no shell
        assert process.stdin is not None
        assert process.stderr is not None
        with contextlib.suppress(BrokenPipeError):
            for picture in film.pictures(progress):
                process.stdin.write(picture.tobytes())
        _, output = process.communicate()
    if process.returncode:
        raise OSError(output.decode(errors="replace").strip() or f"ffmpeg ended with {process.returncode}")


def _ffmpeg() -> str:
    """Returns the path of ffmpeg. raises SimulationError: it is not installed"""
    with contextlib.suppress(ImportError, RuntimeError):
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    path = programs.command("ffmpeg")
    if path is None:
        raise SimulationError("no-ffmpeg", remedy=parts.remedy("movie"))
    return path
