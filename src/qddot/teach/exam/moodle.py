"""Writes the questions of an exam as Moodle XML: formulas by STACK, numbers as numerical questions, proofs as essays.

Formulas of closed chains are essays as well, since STACK does not know that loops are closed.

STACK compares an answer in any form with the exact entry by algebra. Its Maxima has the arm's own
names: q1 is a coordinate, qd1 its rate and qdd1 its acceleration.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from qddot.exact.printing.matlab import Matlab
from qddot.exact.printing.tree import Sign, Sum, Symbol
from qddot.papers.report.document import Document, Section
from qddot.papers.report.formats.html_page import page
from qddot.teach.check.asked_numbers import SMALLEST, TOLERANCE
from qddot.teach.exam.exams import Exam, SetQuestion
from qddot.teach.exam.questions import COMPUTE, DERIVE

STACK = "2023010400"  # the oldest version of STACK that reads these questions
NODE = (("score", "1", "0"), ("penalty", "", ""), ("nextnode", "-1", "-1"), ("answernote", "prt-{k}-T", "prt-{k}-F"))


class Maxima(Matlab):
    """This writes expressions of Maxima, as STACK reads them."""

    def symbol(self, symbol: Symbol) -> str:
        return symbol.text

    def sign(self, sign: Sign) -> str:
        return f"signum({sign.of.text})"


def quiz(exam: Exam) -> str:
    """Returns the questions as Moodle XML."""
    root = Element("quiz")
    for k, part in enumerate(exam.parts, 1):
        _add(root, exam, k, part)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(root: Element, exam: Exam, k: int, part: SetQuestion) -> None:
    """Adds a question to a quiz, of the kind that fits its answer."""
    # STACK does not know that the loops are closed
    formulas = "essay" if exam.of.is_closed else "stack"
    kind = {DERIVE: formulas, COMPUTE: "cloze"}.get(part.question.kind, "essay")
    question = SubElement(root, "question", type=kind)
    _text(question, "name", f"{k}. {part.question.text} · {exam.seed}")
    statement = _html(exam, k, part)
    if kind == "cloze":
        statement += "".join(f"<p>{line}</p>" for line in _numbers(exam, part))
    elif kind == "stack":
        names = exam.of.entries(part.question.name).values()
        inputs = (f"{name} = [[input:ans{k}]] [[validation:ans{k}]]" for k, name in enumerate(names, 1))
        statement += "".join(f"<p>{line}</p>" for line in inputs)
    _text(question, "questiontext", statement, html=True)
    _text(question, "generalfeedback", "", html=True)
    SubElement(question, "defaultgrade").text = str(part.marks)
    if kind == "stack":
        _formulas(question, exam, part)


def _html(exam: Exam, k: int, part: SetQuestion) -> str:
    """Returns the data of the arm and the statement of a question as HTML, without a page around them."""
    arm = exam.of.data(exam.words, None)
    data = arm._replace(blocks=arm.blocks[1:])  # without the picture
    stated = Section(f"question-{k}", exam.words("question", k=str(k), marks=str(part.marks)), part.stated)
    document = Document("", "", exam.words.lang, (data, stated), contents=False)
    text = page(document)
    return text[text.index("<section") : text.rindex("</section>") + len("</section>")]


def _numbers(exam: Exam, part: SetQuestion) -> Iterator[str]:
    """Yields a line for each required number, with Moodle's field for it."""
    numbers = exam.of.values(part.question.quantity, exam.state)
    for (_, place), name in exam.of.entries(part.question.name).items():
        value = numbers[place]
        yield f"{name} = {{1:NUMERICAL:={value:.6g}:{max(abs(value) * TOLERANCE, SMALLEST):.2g}}}"


def _formulas(question: Element, exam: Exam, part: SetQuestion) -> None:
    """Adds the exact entries, a field for each of them, and the test that compares them."""
    eq, maxima = exam.of.eq, Maxima()
    entries: dict[str, Sum] = {}
    for (quantity, place), name in exam.of.entries(part.question.name).items():
        array = eq.array(quantity)
        entries[name] = array.written(array.entries[array.places.index(place)])
    _text(question, "stackversion", STACK)
    lines = [f"ta{k}: {maxima.write(entry)};" for k, entry in enumerate(entries.values(), 1)]
    _text(question, "questionvariables", "\n".join(lines))
    feedback = " ".join(f"[[feedback:prt{k}]]" for k in range(1, len(entries) + 1))
    _text(question, "specificfeedback", feedback, html=True)
    _text(question, "questionnote", f"{eq.model.name}, {exam.seed}")
    for name in ("questionsimplify", "assumereal"):
        SubElement(question, name).text = "1"
    for k in range(1, len(entries) + 1):
        _input(question, k)
    for k in range(1, len(entries) + 1):
        _response(question, k)


def _input(question: Element, k: int) -> None:
    fields = {"name": f"ans{k}", "type": "algebraic", "tans": f"ta{k}", "boxsize": "60", "strictsyntax": "1"}
    fields |= {"insertstars": "0", "forbidfloat": "0", "mustverify": "1", "showvalidation": "1"}
    entry = SubElement(question, "input")
    for name, value in fields.items():
        SubElement(entry, name).text = value


def _response(question: Element, k: int) -> None:
    """Adds a tree of one test: the difference of answer and entry, with sums of angles expanded, is zero."""
    tree = SubElement(question, "prt")
    for name, value in (("name", f"prt{k}"), ("value", "1"), ("autosimplify", "1")):
        SubElement(tree, name).text = value
    _text(tree, "feedbackvariables", f"rest{k}: trigreduce(expand(trigexpand(ans{k} - ta{k})));")
    node = SubElement(tree, "node")
    tests = (("name", "0"), ("answertest", "AlgEquiv"), ("sans", f"rest{k}"), ("tans", "0"), ("testoptions", ""))
    for name, value in (*tests, ("quiet", "1")):
        SubElement(node, name).text = value
    for side, place in (("true", 1), ("false", 2)):
        SubElement(node, f"{side}scoremode").text = "="
        for fact in NODE:
            SubElement(node, f"{side}{fact[0]}").text = fact[place].format(k=k)
        _text(node, f"{side}feedback", "", html=True)


def _text(parent: Element, name: str, content: str, html: bool = False) -> None:
    element = SubElement(parent, name, {"format": "html"} if html else {})
    SubElement(element, "text").text = content
