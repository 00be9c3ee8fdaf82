"""Writes a note to a student about an answer, in English and in Chinese; the level of hints limits what it reveals."""

from __future__ import annotations

from typing import NamedTuple

from qddot.base.errors import QddotError, visible
from qddot.exact.printing.text import Text
from qddot.teach.check.asked_numbers import MarkedNumber
from qddot.teach.check.judging.judgement import Judged, Judgement
from qddot.teach.check.rubric import Marks

LEVELS = (1, 2, 3)
MOST_LISTED = 12
KINDS: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset({"sign"}), "a wrong sign", "符号有误"),
    (frozenset({"units"}), "wrong units of the numbers", "数值的单位有误"),
    (frozenset({"half", "double", "factor", "number"}), "a wrong number or factor", "数值系数有误"),
    (frozenset({"lost", "parallel axis", "brackets lost"}), "a missing term", "缺少一项"),
    (frozenset({"extra"}), "a term that should not be there", "多出一项"),
    (
        frozenset({"sine for cosine", "cosine for sine", "sine and cosine exchanged"}),
        "sine and cosine confused",
        "正弦与余弦混淆",
    ),
    (frozenset({"angle not summed", "angle summed", "another angle"}), "a wrong angle", "角度有误"),
    (frozenset({"square lost"}), "a missing square", "缺少平方"),
    (
        frozenset({"factor lost", "factor extra"}),
        "a missing or extra factor",
        "多或少一个因子",
    ),
    (frozenset({"transposed", "swapped", "misplaced", "repeated name"}), "an entry in the wrong place", "元素位置有误"),
    (frozenset({"rates lost", "rate for acceleration", "rate", "rates exchanged"}), "wrong rates", "速度项有误"),
    (
        frozenset({"carried"}),
        "a mistake in an earlier entry, from which this one follows",
        "由前面的错误引起，本步无误",
    ),
)
OTHER = ("a wrong symbol, or the wrong model", "符号（变量）或模型有误")


class Note(NamedTuple):
    """A note is about a judgement, or about the reason why an answer cannot be read.

    hints: 1 names the wrong entries, 2 also the kinds of mistakes, 3 also says what they should be
    numbers: those that are wrong or missing
    """

    judgement: Judgement | None
    error: str
    marks: Marks | None
    hints: int
    numbers: tuple[MarkedNumber, ...] = ()

    def text(self, lang: str = "en") -> str:
        """Returns the note, first in English, then in Chinese. lang: "zh" for Chinese alone

        raises QddotError: another number of hints
        """
        if self.hints not in LEVELS:
            raise QddotError("hints-unknown", hints=self.hints)
        english = [] if lang == "zh" else [*self._lines(chinese=False), ""]
        return "\n".join([*english, *self._lines(chinese=True)])

    def _lines(self, chinese: bool) -> list[str]:
        lines = []
        if self.marks is not None:
            lines.append(f"得分：{self.marks.points:g} / {self.marks.most:g}" if chinese else f"Points: {self.marks}.")
        if self.judgement is None:
            return [*lines, f"答案无法读取：{self.error}" if chinese else f"Your answer cannot be read: {self.error}"]
        judged = self.judgement
        if judged and not self.numbers:
            lines.append("全部正确。" if chinese else "Everything is right.")
        elif not judged.wrong and judged.entries:
            lines.append("已评判的部分均正确。" if chinese else "What was judged is right.")
        for entry in judged.wrong[:MOST_LISTED]:
            lines.append(self._entry(entry, chinese))
        if len(judged.wrong) > MOST_LISTED:
            more = len(judged.wrong) - MOST_LISTED
            lines.append(f"……另有 {more} 处。" if chinese else f"… and {more} more")
        for unread in judged.unread[:MOST_LISTED]:
            text = visible(unread.text)[:80]
            lines.append(
                f"未评判：{text}（{_line(unread.where)}）。"
                if chinese
                else f"Not judged: {text} ({_line(unread.where)})."
            )
        if judged.missing:
            names = ", ".join(judged.missing)
            lines.append(f"缺少：{names}。" if chinese else f"Missing: {names}.")
        if self.numbers:
            lines.append(self._numbers(chinese))
        return lines

    def _numbers(self, chinese: bool) -> str:
        """Returns a line on the numbers that are wrong or missing, with the right ones at the highest level."""
        exact = self.hints == LEVELS[-1]
        names = ", ".join(f"{each.name} = {each.asked.value:.6g}" if exact else each.name for each in self.numbers)
        return f"数值有误或缺少：{names}。" if chinese else f"Numbers that are wrong or missing: {names}."

    def _entry(self, entry: Judged, chinese: bool) -> str:
        where = f"（{_line(entry.where)}）" if chinese else f" ({_line(entry.where)})"
        start = f"{entry.name} 不正确{where}" if chinese else f"{entry.name} is not right{where}"
        if self.hints == 1:
            return f"{start}。" if chinese else f"{start}."
        kind = kind_of(entry)[chinese]
        note = f"{start}：请检查——{kind}。" if chinese else f"{start}. Likely mistake: {kind}."
        if self.hints == 2 or entry.exact is None:
            return note
        exact = Text().write(entry.exact)
        return f"{note}正确结果：{exact}。" if chinese else f"{note} The right result is {exact}."


def _line(where: str) -> str:
    """Returns a place without the folder of its file."""
    return where.rpartition("/")[2]


def kind_of(entry: Judged) -> tuple[str, str]:
    """Returns the likeliest kind of mistake in an entry, in English and Chinese, without a formula."""
    for mistake in entry.mistakes[:1]:
        for kinds, english, chinese in KINDS:
            if mistake.kind in kinds:
                return english, chinese
        return OTHER
    return "a mistake in more than one place", "不止一处错误"
