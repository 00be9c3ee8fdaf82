"""Writes the gallery: a page for each arm that ships, with its picture, facts, equations, report and a way to play."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import qddot
from qddot.papers.draw import saved

FIRST = ("two_link", "spatial_2r", "elbow_3r", "rp", "puma560_akb", "ur5", "panda", "baxter")
MOST_JOINTS, SHOWN = 3, 20  # velocities of an arm whose equations are shown whole, and of one that shows their head
POSE = (0.4, 0.5, -0.6, 0.5, 0.4, 0.3, 0.2)
CARD = ":::{{grid-item-card}} {title}\n{image}:link: {name}\n:link-type: doc\n{facts}\n:::"


def write(app: Sphinx) -> None:
    """Writes the pages into the folder of the sources, where git does not see them."""
    folder = Path(app.srcdir) / "gallery"
    folder.mkdir(exist_ok=True)
    arms = {name: qddot.load(name) for name in sorted(qddot.zoo(), key=_place)}
    cards = []
    for name, arm in arms.items():
        picture = _picture(arm)
        if picture:
            _put(folder / f"{name}.svg", picture)
        report = arm.n <= app.config.gallery_reports
        if report:
            _report(arm, folder / f"{name}-report.html")
        _put(folder / f"{name}.md", "\n\n".join(filter(None, _page(name, arm, bool(picture), report))))
        cards.append(
            CARD.format(
                name=name,
                title=arm.model.title,
                facts=_facts(name, arm),
                image=f":img-top: {name}.svg\n" if picture else "",
            )
        )
    toctree = "\n".join(["```{toctree}", ":hidden:", *arms, "```"])
    grid = "\n".join(["::::{grid} 1 2 3 3", ":gutter: 3", *cards, "::::"])
    _put(folder / "index.md", f"# Gallery of arms\n\n{grid}\n\n{toctree}")


def _place(name: str) -> tuple[int, str]:
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)


def _put(page: Path, text: str) -> None:
    """Writes a page if it is new, so that an unchanged one is not built again."""
    if not page.exists() or page.read_text(encoding="utf-8") != f"{text}\n":
        page.write_text(f"{text}\n", encoding="utf-8")


def _report(arm: qddot.Robot, to: Path) -> None:
    """Writes an arm's report, unless it is newer than the library."""
    newest = max(path.stat().st_mtime for path in Path(qddot.__file__).parent.rglob("*.*"))
    if not to.exists() or to.stat().st_mtime < newest:
        arm.report(to)


def copy_reports(app: Sphinx, error: Exception | None) -> None:
    """Puts the reports beside the pages."""
    if error is None and app.builder.format == "html":
        for report in (Path(app.srcdir) / "gallery").glob("*-report.html"):
            shutil.copy(report, Path(app.outdir) / "gallery")


def _picture(arm: qddot.Robot) -> str:
    """Returns the arm as SVG, or nothing where a length has no value."""
    try:
        bent = [POSE[k % len(POSE)] for k in range(arm.n)]
        q = arm.integrate(arm.neutral(), bent) if arm.model.freedoms else bent
        return saved.svg(arm.plot(q), "arm")
    except qddot.QddotError:
        return ""


def _facts(name: str, arm: qddot.Robot) -> str:
    """Returns how many joints an arm has besides those of a free base, and the name by which it is loaded."""
    types = [body.joint.type for body in arm.model.moving()]
    joints = len(types) - types.count("free")
    base = ", free base" if "free" in types else ""
    return f"{joints} joint{'s' if joints > 1 else ''}{base} · `{name}`"


def _page(name: str, arm: qddot.Robot, drawn: bool, reported: bool) -> Iterator[str]:
    yield f"# {arm.model.title}"
    yield _facts(name, arm)
    yield f"![The arm with its frames and joint axes.]({name}.svg){{.arm}}" if drawn else ""
    yield "" if arm.model.freedoms else f"```{{play}} {name}\n:drawn:\n```"
    yield f'```python\narm = qddot.load("{name}")\n```'
    yield f"```{{raw}} html\n{arm._repr_html_()}\n```"
    yield "## Equations of motion"
    if arm.n > SHOWN:
        yield "They have millions of terms, which take two seconds and a gigabyte: `arm.equations()`."
        yield r"$$M \dot\nu + C \nu + G = \tau$$"
    else:
        eq, whole = arm.equations(), arm.n <= MOST_JOINTS
        form = eq.textbook() if whole else eq
        proof = "proved equal to the normal form"
        proof += " before its long numbers were rounded to twelve digits" if whole and form.is_rounded() else ""
        yield f"In textbook form, {proof}:" if whole else "They are long; this is their head:"
        yield f"$${form._repr_latex_().strip('$')}$$"
    yield "## Report"
    link = f'<a href="{name}-report.html">The whole derivation</a>, with every step and its proof; this writes it:'
    long = "The whole derivation, with every step and its proof, fills many pages; this writes it:"
    yield f"```{{raw}} html\n<p>{link}</p>\n```" if reported else long
    yield f"```text\nqddot derive {name}\nqddot prove {name}\nqddot report {name} -o {name}.html\n```"


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the pages before Sphinx looks for its sources.

    gallery_reports: the most joints of an arm whose report is in the site
    """
    app.add_config_value("gallery_reports", 3, "env", int)
    app.connect("builder-inited", write)
    app.connect("build-finished", copy_reports)
    return {"parallel_read_safe": True}
