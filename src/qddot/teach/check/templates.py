"""Writes templates of answers, with a slot for each independent entry, and finds the slots that are still empty."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from qddot.algebra.expressions.names import rate_name
from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.language import or_in_use
from qddot.base.words.message import Listed, say
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.printing.latex import Latex
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Partial, Symbol
from qddot.robot.own_texts import in_language
from qddot.teach.check.asked import Key, required_entries
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.exact_arrays import exact_array
from qddot.teach.check.reading.answer import EQUATION
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

USUAL = "M,h,G"
SENTENCES = {
    "en": {
        "answer": "Answer for {name}: {title}",
        "fill": "Each {empty} is an empty slot: write a formula in its place. Lines of your own may define more names.",
        "symmetric": "M is symmetric: its upper triangle is enough.",
        "coordinate": "{name}: coordinate [{unit}], with the rate {rate} and the acceleration {second}",
        "velocity": "{name}: velocity, with the rate {rate}",
        "independent": "independent coordinates: {names}",
        "gravity": "gravity: the acceleration {vector} in the base frame",
    },
    "zh": {
        "answer": "{name} 的答案：{title}",
        "fill": "每个 {empty} 是一个空位：请在该处写公式。也可以自己加行，定义其他名称。",
        "symmetric": "M 是对称矩阵：只需写出上三角部分。",
        "coordinate": "{name}：坐标 [{unit}]，速度为 {rate}，加速度为 {second}",
        "velocity": "{name}：速度，其变化率为 {rate}",
        "independent": "独立坐标：{names}",
        "gravity": "重力：在基坐标系中的加速度为 {vector}",
    },
}
MARK = re.compile(r"^\W*qddot template: (?P<asked>[^\n]*)$", re.MULTILINE)
SLOT = re.compile(
    r"[ \t]*(?:\\\[)?[ \t]*(?P<name>[^=\n]*?)[ \t]*=[ \t]*(?P<sign>\?|\.\.\.|\[\])?[ \t]*;?[ \t]*(?P<end>\\\])?[ \t]*"
)
START = re.compile(r"^(?P<display>\\\[)?[ \t]*(?P<name>[^=\s][^=\n]*?)[ \t]*=", re.MULTILINE)
NEXT_LINE = re.compile(r"\s*([^\n]*)")


class Form(NamedTuple):
    """A form of templates is a kind of file.

    remark, slot, empty: how it writes a line of the header, a slot, and the content of an empty one
    before, after: the lines around the slots; write: writes the name of an entry
    zero_based: whether indices in brackets count from 0; wrapped: makes the file's text of the header and the rest
    """

    remark: str
    slot: str
    empty: str
    before: str = ""
    after: str = ""
    write: Callable[[Symbol | Partial], str] = Text().write
    zero_based: bool = False
    wrapped: Callable[[str, str], str] = "{}\n\n{}\n".format


def _notebook(header: str, slots: str) -> str:
    """Returns a notebook with a cell of text and a cell of code."""
    text = {"cell_type": "markdown", "id": "header", "metadata": {}, "source": header}
    code: dict[str, object] = {
        "cell_type": "code",
        "id": "answer",
        "metadata": {},
        "source": slots,
        "outputs": [],
        "execution_count": None,
    }
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps(
        {"cells": [text, code], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False
    )


LATEX_HEAD = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
FORMS = {
    ".tex": Form("% {}", "\\[ {} = {} \\]", "?", LATEX_HEAD, "\n\\end{document}", Latex().write),
    ".md": Form("- {}", "{} = {}", "?", "```text\n", "\n```"),
    ".py": Form("# {}", "{} = {}", "...", zero_based=True),
    ".m": Form("% {}", "{} = {};", "[]"),
    ".ipynb": Form("- {}", "{} = {}", "...", zero_based=True, wrapped=_notebook),
}


def template(eq: Quantities, form: str | Path, asked: str | Sequence[str] | None = None, lang: str = "") -> str:
    """Returns a template of an answer: what the names mean, and a slot for each independent entry that is asked for.

    form: a suffix, a key of FORMS, or the name of a file with it; lang: of the header, "en" or "zh"
    raises QddotError: another suffix or language, or a quantity that the equations do not have
    """
    suffix = Path(form).suffix.lower() or str(form)
    check_one_of(suffix, FORMS, say("template-in-form"), QddotError, expected=Listed(FORMS))
    lang = or_in_use(lang)
    check_one_of(lang, SENTENCES, "lang =", QddotError)
    kind = FORMS[suffix]
    quantities = asked or USUAL
    names = quantities if isinstance(quantities, str) else ",".join(quantities)
    header = "\n".join(
        kind.remark.format(line) for line in (f"qddot template: {names}", *_header(eq, kind, names, lang))
    )
    slots = "\n".join(kind.slot.format(name, kind.empty) for name in _names(eq, kind, names))
    return kind.wrapped(header, f"{kind.before}{slots}{kind.after}")


def _header(eq: Quantities, kind: Form, asked: str, lang: str) -> Iterator[str]:
    """Yields lines with the arm's name, the meanings and units of its names, and the direction of gravity."""
    words, model = SENTENCES[lang], eq.model
    yield words["answer"].format(name=model.name, title=in_language(model.title, lang)).rstrip(":： ")
    yield words["fill"].format(empty=kind.empty)
    if any(quantity == "M" for quantity, _ in required_entries(eq, asked)):
        yield words["symmetric"]
    for name, turns in zip(model.coordinates, model.turning, strict=True):
        rate, second = rate_name(name), rate_name(name, 2)
        is_position, unit = name in model.positions, "rad" if turns else "m"
        yield words["coordinate" if is_position else "velocity"].format(name=name, unit=unit, rate=rate, second=second)
    if isinstance(eq, ChainQuantities):
        yield words["independent"].format(names=", ".join(eq.velocities))
    for name, symbol in model.symbols.items():
        unit = f" [{symbol.unit}]" if symbol.unit else ""
        yield f"{name}: {in_language(symbol.meaning, lang)}{unit}"
    yield words["gravity"].format(vector=f"({', '.join(map(str, model.gravity))})")


def _names(eq: Quantities, kind: Form, asked: str) -> list[str]:
    """Returns the names of the required entries as a form writes them; an equation of motion is a torque."""
    return [_name(eq, kind, key) for key in required_entries(eq, asked)]


def _name(eq: Quantities, kind: Form, key: Key) -> str:
    quantity, place = key
    array = exact_array(eq, "tau" if quantity == EQUATION else quantity)
    axes = matrix_axes(array.name)
    outer, inner = place[: len(place) - axes], place[len(place) - axes :] if axes else ()
    cell = f"[{','.join(str(k + 1 - kind.zero_based) for k in inner)}]" if inner else ""
    return f"{kind.write(array.named(outer))}{cell}"


def asked_in(text: str) -> str | None:
    """Returns the quantities that a template asks for, or None for a text that is none."""
    mark = MARK.search(text)
    return mark["asked"].strip() if mark else None


def is_empty(text: str, eq: Quantities) -> bool:
    """Returns whether a text is a template without any equation in it."""
    return asked_in(text) is not None and "=" not in without_empty_slots(Written(text), eq).text


def without_empty_slots(written: Written, eq: Quantities) -> Written:
    """Returns a template with blanks in place of its header and its empty slots; any other text stays as it is."""
    asked = asked_in(written.text)
    if asked is None:
        return written
    header = set(chain.from_iterable(_header(eq, kind, asked, lang) for kind in FORMS.values() for lang in SENTENCES))
    header |= {kind.remark.format(line) for kind in FORMS.values() for line in header}
    names = _all_names(eq, asked)

    def kept(line: re.Match[str]) -> str:
        is_own = MARK.fullmatch(line[0]) or line[0].strip() in header or _is_empty_slot(line, names)
        return " " * len(line[0]) if is_own else line[0]

    return Rewriting(written).sub(r"[^\n]+", kept).done()


def _all_names(eq: Quantities, asked: str) -> set[str]:
    """Returns the names of slots in all forms."""
    return set(chain.from_iterable(_names(eq, kind, asked) for kind in FORMS.values()))


def slots(written: Written, eq: Quantities, asked: str, in_displays: bool) -> Iterator[Written]:
    """Yields the parts of a template, each of which begins with a slot, so that no fault in one reaches the next.

    in_displays: whether slots are displays of LaTeX
    """
    names, text = _all_names(eq, asked), written.text
    starts = [m.start() for m in START.finditer(text) if m["name"] in names and bool(m["display"]) == in_displays]
    origins = written.origins or range(len(text) + 1)
    for start, end in pairwise((0, *starts, len(text))):
        part = tuple(origins[start : end + 1])
        yield replace(written, text=text[start:end], file=written.file or text, origins=part)


def _is_empty_slot(line: re.Match[str], names: set[str]) -> bool:
    """Returns whether a line is a slot with nothing in it, and no formula in the next line."""
    slot = SLOT.fullmatch(line[0])
    if slot is None or slot["name"] not in names:
        return False
    following = NEXT_LINE.match(line.string, line.end())
    ends = following is None or not following[1] or "=" in following[1] or following[1].startswith(("```", "\\"))
    return bool(slot["sign"] or slot["end"] or ends)
