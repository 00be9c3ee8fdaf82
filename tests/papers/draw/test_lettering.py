"""Chinese words in pictures: outlines where a font has their letters, and text in SVG where none does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from shipped import robot

import qddot
from qddot.base.errors import QddotError
from qddot.base.system import chinese_font
from qddot.faces import illustrations
from qddot.faces.run import Run
from qddot.papers.draw import lettering, plot, saved

ROWS = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
ALONE = pytest.mark.usefixtures("no_chinese_font")


@pytest.fixture(scope="module")
def run() -> Run:
    return robot("two_link").simulate([1.0, 0.5], duration=0.5, step=0.01)


def figures(run: Run, lang: str) -> dict[str, Figure]:
    return {
        "motion": run.plot(lang=lang),
        "energy": run.plot_energy(lang=lang),
        "phase": run.plot_phase(lang=lang),
        "path": run.plot_path(lang=lang),
        "pose": robot("two_link").plot(lang=lang),
    }


def words(figure: Figure) -> list[str]:
    """The lines of text with Chinese characters."""
    lines = (line for text in figure.findobj(Text) for line in text.get_text().split("\n"))
    return [line for line in lines if lettering.is_wide(line)]


def written(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter() if text.tag.endswith("text")]


def test_the_stand_in_is_as_wide_as_chinese_letters() -> None:
    """It is an em wide for all of them, as they are in the fonts that people have."""
    packaged = chinese_font.file()
    assert packaged is not None
    with TTFont(lettering.STAND_IN_FILE) as stand_in, TTFont(packaged) as font:
        for letter in map(ord, "能量时间关节，"):
            for each in (stand_in, font):
                width, _ = each["hmtx"][each.getBestCmap()[letter]]
                assert width == each["head"].unitsPerEm
        assert {0x2E80, 0x9FFF, 0xFF5E, 0x20000} <= set(stand_in.getBestCmap())
    assert lettering.STAND_IN_FILE.stat().st_size < 1000


def test_with_a_font_words_are_outlines(run: Run) -> None:
    for name, figure in figures(run, "zh").items():
        assert words(figure), name
        assert not written(saved.svg(figure, name))
        assert figure._repr_png_()  # type: ignore[attr-defined]


@ALONE
def test_without_a_font_an_svg_holds_the_words(run: Run, tmp_path: Path) -> None:
    for name, figure in figures(run, "zh").items():
        expected = set(words(figure))
        assert expected
        plot.save(figure, tmp_path / "a.svg")
        ours = saved.svg(figure, name)
        for svg in (ours, (tmp_path / "a.svg").read_text(encoding="utf-8"), figure._repr_svg_()):  # type: ignore[attr-defined]
            assert expected <= set(written(svg)), name
        assert "<style" not in ours
        assert len(ours) < 150_000
    english = run.plot()
    assert not written(saved.svg(english, "motion"))


def places(figure: Figure) -> Any:
    """Where axes and Chinese words begin, in pixels."""
    saved.svg(figure, "any")  # after which everything has its place
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [ax.get_window_extent(renderer) for ax in figure.axes]
    boxes += [text.get_window_extent(renderer) for text in figure.findobj(Text) if lettering.is_wide(text.get_text())]
    return np.array([(box.x0, box.y0) for box in boxes])


def test_without_a_font_everything_has_the_place_that_it_has_with_one(run: Run, request: pytest.FixtureRequest) -> None:
    """Energies and the phase have their axes as the motion has them."""
    names = ("motion", "path", "pose")
    drawn = figures(run, "zh")
    with_font = {name: places(drawn[name]) for name in names}
    request.getfixturevalue("no_chinese_font")
    drawn = figures(run, "zh")
    for name in names:
        # a third of a letter: Latin letters beside the Chinese ones are those of another font
        assert np.abs(places(drawn[name]) - with_font[name]).max() < 5, name


@ALONE
def test_pixels_and_pdf_need_a_font_and_say_where_it_is(run: Run, tmp_path: Path) -> None:
    remedy = r"no font with Chinese characters.*\.\[chinese\].*apt install fonts-noto-cjk.*SVG"
    for figure in figures(run, "zh").values():
        for suffix in ("png", "pdf"):
            with pytest.raises(QddotError, match=remedy):
                plot.save(figure, tmp_path / f"a.{suffix}")
        assert figure._repr_png_() is None  # type: ignore[attr-defined]
    with pytest.raises(QddotError, match=remedy):
        run.movie(tmp_path / "a.gif", lang="zh")
    assert list(tmp_path.iterdir()) == []


@ALONE
def test_names_in_chinese_are_boxes_in_pixels_with_a_warning(tmp_path: Path) -> None:
    links = [{"mass": 1, "name": "大臂", "joint": {"name": "肩"}}]
    arm = qddot.from_dh(ROWS, links, title="机械臂", name="机械臂")
    assert {"机械臂", "{1} 大臂"} <= {part.split("   ")[-1] for part in written(saved.svg(arm.plot(), "pose"))}
    with pytest.warns(UserWarning, match="the robot has such names"):
        arm.plot().savefig(tmp_path / "arm.png")
    assert (tmp_path / "arm.png").exists()


@ALONE
@pytest.mark.parametrize("suffix", [".html", ".md", ".tex"])
def test_reports_in_chinese_are_written_without_a_font(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(illustrations, "FPS", 2)
    with pytest.warns(UserWarning, match="films, and pictures in PDF, have English words"):
        path = robot("rp").report(tmp_path / f"rp{suffix}", "energy", lang="zh")
    text = path.read_text(encoding="utf-8")
    assert "拉格朗日" in text
    if suffix == ".html":
        assert "总能量 E" in re.findall(r"<text[^>]*>([^<]*)</text>", text)
    if suffix == ".md":
        assert any("时间 [s]" in written(picture.read_text(encoding="utf-8")) for picture in tmp_path.glob("*.svg"))
    if suffix == ".tex":
        assert len(list(tmp_path.glob("*.pdf"))) > 2
