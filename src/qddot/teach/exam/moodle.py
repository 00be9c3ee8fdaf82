"""Writes exams as one file of Moodle XML, for a quiz in which each student gets one variant.

The first category has a question for each variant, with its data, its picture, and the fields of all formulas and
numbers; a quiz draws one of them at random. The second has an essay for each question that is marked by hand, on the
arm that the student has drawn. Without fields each variant is an essay. The solution of the variant is its feedback.

With formulas a question is one of STACK, which compares an answer in any form with the exact entry by algebra. Its
Maxima has the arm's own names: q1 is a coordinate, qd1 its rate and qdd1 its acceleration. Numbers alone are a cloze
question, which needs no plugin. Formulas of closed chains are marked by hand, since STACK does not know that loops are
closed. Source of the fields: Moodle, question/format/xml/format.php and question/type/multianswer/questiontype.php.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from qddot.algebra.expressions.names import rate_name
from qddot.exact.printing.matlab import Matlab
from qddot.exact.printing.tree import Sign, Symbol
from qddot.papers.report.document import Document, Picture, Section
from qddot.papers.report.formats.html_page import page
from qddot.papers.report.sections import barred
from qddot.teach.check.asked_numbers import SMALLEST, TOLERANCE
from qddot.teach.exam.exams import Exam, SetQuestion, whole_shares
from qddot.teach.exam.questions import COMPUTE, DERIVE

STACK = "2023010400"  # the oldest version of STACK that reads these questions
NODE = (("score", "1", "0"), ("penalty", "", ""), ("nextnode", "-1", "-1"), ("answernote", "prt-{k}-T", "prt-{k}-F"))
PLACE = "@@PLUGINFILE@@/"  # where Moodle finds the files of a text
DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
TARGET = re.compile(r'(\bid="|href="#)')
ATTACHMENTS = "3"  # photographs of sheets that an essay takes


class Field(NamedTuple):
    """A field takes the answer for one entry. formula: the right one for Maxima, or "" for a number with its value"""

    name: str
    marks: float
    formula: str
    value: float

    @property
    def tolerance(self) -> float:
        """Returns the absolute error within which a number is right, as in `qddot check`."""
        return max(abs(self.value) * TOLERANCE, SMALLEST)


class Maxima(Matlab):
    """This writes expressions of Maxima, as STACK reads them."""

    def symbol(self, symbol: Symbol) -> str:
        return symbol.text

    def sign(self, sign: Sign) -> str:
        return f"signum({sign.of.text})"


def quiz(exams: Sequence[Exam], pictures: Sequence[Picture | None]) -> str:
    """Returns variants of one exam as Moodle XML. pictures: of the arm of each, or None"""
    first, root = exams[0], Element("quiz")
    by_hand = [(k, part) for k, part in enumerate(first.parts, 1) if not _has_fields(first, part)]
    fields = len(by_hand) < len(first.parts)
    marks = first.marks - sum(part.marks for _, part in by_hand if fields)
    _category(root, first, "pool", "draw one", str(marks))
    for exam, picture in zip(exams, pictures, strict=True):
        _variant(root, exam, picture, marks)
    if fields and by_hand:
        _category(root, first, "by hand", "essays", "")
        for k, part in by_hand:
            _essay(root, first, k, part)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _has_fields(exam: Exam, part: SetQuestion) -> bool:
    """Returns whether Moodle can mark a question."""
    return part.question.kind == COMPUTE or (part.question.kind == DERIVE and not exam.of.is_closed)


def _category(root: Element, exam: Exam, name: str, told: str, marks: str) -> None:
    words = exam.words
    title = words("exam", title=words.translated(exam.of.eq.model.title) or exam.of.name)
    question = SubElement(root, "question", type="category")
    _text(question, "category", f"$course$/top/{title.replace('/', '//')}/{words(name)}")
    _text(question, "info", f"<p>{words(told, marks=marks)}</p>", html=True)
    SubElement(question, "idnumber")


def _variant(root: Element, exam: Exam, picture: Picture | None, marks: int) -> None:
    """Adds the question of a variant, with all fields, or as an essay on all questions."""
    asked = [(k, part) for k, part in enumerate(exam.parts, 1) if _has_fields(exam, part)]
    has_formulas = any(part.question.kind == DERIVE for _, part in asked)
    kind = "stack" if has_formulas else "cloze" if asked else "essay"
    fields, number = list[Field](), count(1)
    statement = _html(exam, exam.of.data(exam.words, picture))
    sheet = barred.explained([exam.section(k, part, part.stated) for k, part in enumerate(exam.parts, 1)], exam.words)
    for (k, part), section in zip(enumerate(exam.parts, 1), sheet, strict=True):
        statement += _html(exam, section)
        if (k, part) in asked:
            own = list(_fields(exam, part, kind))
            if part.question.kind == DERIVE:
                statement += f"<p>{_typed(exam)}</p>"
            statement += "".join(f"<p>{each.name} = {_slot(kind, exam, each, next(number))}</p>" for each in own)
            fields += own
        elif asked:
            statement += f"<p>{exam.words('answered below', k=str(k))}</p>"
    solutions = [exam.section(k, part, exam.solved(part)) for k, part in enumerate(exam.parts, 1)]
    feedback, name = _html(exam, *solutions), exam.words("numbered", seed=str(exam.seed))
    question = _question(root, kind, name, statement, feedback if asked else "", marks, f"{exam.of.name}-{exam.seed}")
    if picture:
        _file(question, f"{exam.of.name}-{exam.seed}.svg", picture)
    if kind == "stack":
        _stack(question, exam, fields)
    elif kind == "essay":
        _answer_by_hand(question, feedback)


def _typed(exam: Exam) -> str:
    """Returns the sentence on how the fields of formulas are filled in, with the names of the key."""
    model = exam.of.eq.model
    coordinates = model.coordinates
    rates, accelerations = ([rate_name(each, dots) for each in coordinates] for dots in (1, 2))
    names = {"coordinates": coordinates, "rates": rates, "accelerations": accelerations, "symbols": model.symbols}
    listed = {key: ", ".join(map(_code, each)) for key, each in names.items()}
    return exam.words("typed", **listed, example=_code(f"2*{rates[0]}*cos({coordinates[-1]})^2"))


def _code(text: str) -> str:
    return f"<code>{text}</code>"


def _essay(root: Element, exam: Exam, k: int, part: SetQuestion) -> None:
    """Adds the question that is marked by hand, on the arm that a student has drawn."""
    words, name = exam.words, f"{k}. {part.question.text}"
    statement = f"<p>{words('answered here', k=str(k))}</p>"
    question = _question(root, "essay", name, statement, "", part.marks, f"{exam.of.name}-{part.question.text}")
    scheme = _html(exam, exam.section(k, part, tuple(exam.scheme(part))))
    _answer_by_hand(question, f"<p>{words('where solved')}</p>{scheme}")


def _question(root: Element, kind: str, name: str, statement: str, feedback: str, marks: int, identity: str) -> Element:
    """Returns a new question with what all kinds of questions have."""
    question = SubElement(root, "question", type=kind)
    _text(question, "name", name)
    _text(question, "questiontext", statement, html=True)
    _text(question, "generalfeedback", feedback, html=True)
    facts = {"defaultgrade": str(marks), "penalty": "0", "hidden": "0", "idnumber": identity}
    for key, fact in facts.items():
        SubElement(question, key).text = fact
    return question


def _html(exam: Exam, *sections: Section) -> str:
    """Returns sections as HTML without a page around them; pictures in it are files of Moodle."""
    text = page(Document("", "", exam.words.lang, sections, contents=False, numbered=False))
    body = text[text.index("<section") : text.rindex("</section>") + len("</section>")]
    image = f'<img src="{PLACE}{exam.of.name}-{exam.seed}.svg" alt="{exam.of.name}" style="max-width: 100%">'
    named = TARGET.sub(rf"\g<1>variant-{exam.seed}-", DRAWING.sub(image, body))
    return named.replace("<table", '<table class="generaltable"')


def _file(question: Element, name: str, picture: Picture) -> None:
    """Adds a picture to the text of a question, in which it is shown."""
    text = question.find("questiontext")
    assert text is not None
    file = SubElement(text, "file", name=name, path="/", encoding="base64")
    file.text = base64.b64encode(picture.svg.encode()).decode()


def _fields(exam: Exam, part: SetQuestion, kind: str) -> Iterator[Field]:
    """Yields the fields of a question, one for each entry. kind: cloze questions have whole marks alone"""
    question, maxima = part.question, Maxima()
    entries = exam.of.entries(question.name)
    whole = [max(1, share) for share in whole_shares(part.marks, len(entries))]
    shares: Sequence[float] = whole if kind == "cloze" else [part.marks / len(entries)] * len(entries)
    numbers = exam.of.values(question.quantity, exam.state) if question.kind == COMPUTE else {}
    for ((quantity, place), name), share in zip(entries.items(), shares, strict=True):
        if question.kind == COMPUTE:
            yield Field(name, share, "", numbers[place])
        else:
            array = exam.of.eq.array(quantity)
            formula = maxima.write(array.written(array.entries[array.places.index(place)]))
            yield Field(name, share, formula, 0.0)


def _slot(kind: str, exam: Exam, field: Field, k: int) -> str:
    """Returns what stands for a field in the text of a question. k: its number"""
    if kind == "stack":
        return f"[[input:ans{k}]] [[validation:ans{k}]]"
    right, wrong = exam.words("right number"), exam.words("wrong number")
    return f"{{{field.marks:g}:NUMERICAL:={field.value:.6g}:{field.tolerance:.2g}#{right}~*#{wrong}}}"


def _answer_by_hand(question: Element, solution: str) -> None:
    """Adds how an essay is answered, in text or photographs, and the solution for whoever marks it."""
    facts = {"responseformat": "editor", "responserequired": "0", "responsefieldlines": "15"}
    facts |= {"attachments": ATTACHMENTS, "attachmentsrequired": "0"}
    for key, fact in facts.items():
        SubElement(question, key).text = fact
    _text(question, "graderinfo", solution, html=True)
    _text(question, "responsetemplate", "", html=True)


def _stack(question: Element, exam: Exam, fields: Sequence[Field]) -> None:
    """Adds the right entries, an input for each of them, and the test that compares them."""
    numbered = list(enumerate(fields, 1))
    _text(question, "stackversion", STACK)
    lines = [f"ta{k}: {field.formula or f'{field.value:.6g}'};" for k, field in numbered]
    _text(question, "questionvariables", "\n".join(lines))
    _text(question, "specificfeedback", " ".join(f"[[feedback:prt{k}]]" for k, _ in numbered), html=True)
    _text(question, "questionnote", f"{exam.of.name}, {exam.seed}")
    for name in ("questionsimplify", "assumereal"):
        SubElement(question, name).text = "1"
    for k, field in numbered:
        _input(question, k, "algebraic" if field.formula else "numerical")
    for k, field in numbered:
        _response(question, exam, k, field)


def _input(question: Element, k: int, kind: str) -> None:
    fields = {"name": f"ans{k}", "type": kind, "tans": f"ta{k}", "boxsize": "60", "strictsyntax": "1"}
    fields |= {"insertstars": "0", "forbidfloat": "0", "mustverify": "1", "showvalidation": "1"}
    entry = SubElement(question, "input")
    for name, value in fields.items():
        SubElement(entry, name).text = value


def _response(question: Element, exam: Exam, k: int, field: Field) -> None:
    """Adds a tree of one test: a formula equals the entry, with sums of angles expanded, or a number is near."""
    tree = SubElement(question, "prt")
    for name, value in (("name", f"prt{k}"), ("value", f"{field.marks:g}"), ("autosimplify", "1")):
        SubElement(tree, name).text = value
    rest = f"rest{k}: trigreduce(expand(trigexpand(ans{k} - ta{k})));"
    _text(tree, "feedbackvariables", rest if field.formula else "")
    node = SubElement(tree, "node")
    test = ("AlgEquiv", f"rest{k}", "0", "") if field.formula else ("NumAbsolute", f"ans{k}", f"ta{k}", "")
    names = ("answertest", "sans", "tans", "testoptions")
    facts = {"name": "0", **dict(zip(names, test, strict=True)), "quiet": "1"}
    if not field.formula:
        facts["testoptions"] = f"{field.tolerance:.2g}"
    for name, value in facts.items():
        SubElement(node, name).text = value
    said = ("right formula", "wrong formula") if field.formula else ("right number", "wrong number")
    for side, place, key in zip(("true", "false"), (1, 2), said, strict=True):
        SubElement(node, f"{side}scoremode").text = "="
        for fact in NODE:
            SubElement(node, f"{side}{fact[0]}").text = fact[place].format(k=k)
        _text(node, f"{side}feedback", f"<p>{field.name}: {exam.words(key)}</p>", html=True)


def _text(parent: Element, name: str, content: str, html: bool = False) -> None:
    element = SubElement(parent, name, {"format": "html"} if html else {})
    SubElement(element, "text").text = content
