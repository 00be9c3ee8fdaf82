"""A Diagnosis has the findings about a robot: what is or looks wrong, each with its reason and remedy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, overload

from qddot.base import html
from qddot.base.errors import QddotError, Where
from qddot.base.records import record
from qddot.base.words.language import in_english, language
from qddot.base.words.message import Listed, Message, Words, say, told
from qddot.inspect.doctor.site import Site

SEVERITIES = ("hint", "warning", "error")
KINDS = {"hint": say("finding-hint"), "warning": say("finding-warning"), "error": say("finding-error")}
COUNTED = {"hint": "hints-counted", "warning": "warnings-counted", "error": "errors-counted"}
TITLES: tuple[Words, ...] = ("", *map(say, ("title-where", "title-what-found", "title-why", "title-remedy")))


@record(slots=True)
class ErrorPart:
    """This is a part of what an error says: what was found (0), what was expected (1), or the remedy (2)."""

    error: QddotError
    which: int

    def told(self, lang: str = "") -> str:
        """Returns the part in a language, by default the one in use."""
        return self.error.parts(lang)[self.which]


@record(slots=True)
class Finding:
    """A finding says what is wrong or odd in a robot, where it is, why it matters, and how to correct it.

    severity: "error" (physically impossible, or nothing can be computed), "warning" (very likely a mistake) or "hint"
    subject: the link, the joint or the quantity, whose name is the place
    message: an entry with what was found, why it matters, and the remedy
    check: the stable name of the check, one of `examine.rules()`
    """

    severity: str
    subject: Site
    message: Message
    check: str = ""

    @property
    def found(self) -> str:
        """What was found: a value or a state."""
        return self.message.parts(language())[0]

    @property
    def why(self) -> str:
        return self.message.parts(language())[1]

    @property
    def remedy(self) -> str:
        return self.message.parts(language())[2]

    @property
    def place(self) -> str:
        return Where(told(self.subject.place, language())).told()

    def as_json(self) -> dict[str, str]:
        """Returns {severity, place, found, why, remedy, check}."""
        return {name: getattr(self, name) for name in ("severity", "place", "found", "why", "remedy", "check")}

    def row(self) -> list[str]:
        """Returns the cells below the TITLES."""
        return [str(KINDS[self.severity]), self.place, self.found, self.why, self.remedy]

    def __str__(self) -> str:
        severity, place, found, why, remedy = self.row()
        return str(say("severe-finding", severity=severity, place=place, found=found, why=why, remedy=remedy))


@record()
class Diagnosis(Sequence[Finding]):
    """A diagnosis has the findings about one model, the worst first; it is empty where nothing was found.

    proved: sentences about bounds that are proved over the joint limits, or about why none are
    """

    model: str
    findings: tuple[Finding, ...]
    proved: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        worst_first = sorted(self.findings, key=lambda finding: -SEVERITIES.index(finding.severity))
        object.__setattr__(self, "findings", tuple(worst_first))

    def __len__(self) -> int:
        return len(self.findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.findings[index]

    @property
    def worst(self) -> str:
        """Returns the worst severity, or "" where nothing was found."""
        return self.findings[0].severity if self.findings else ""

    @property
    def summary(self) -> str:
        """Returns a line with the number of findings of each severity."""
        counts = {kind: sum(finding.severity == kind for finding in self) for kind in reversed(SEVERITIES)}
        numbers = Listed(say(COUNTED[kind], count=n) for kind, n in counts.items() if n)
        return str(say("findings-of-robot", name=self.model, counted=numbers or say("no-findings")))

    def rows(self) -> list[list[str]]:
        """Returns a row for each finding, below the TITLES."""
        return [each.row() for each in self]

    def __str__(self) -> str:
        return "\n".join([self.summary, *map(str, (*self.findings, *self.proved))])

    def __repr__(self) -> str:
        return f"<diagnosis of {self.summary}>"

    def _repr_html_(self) -> str:
        proved = html.lines(map(str, self.proved)) if self.proved else ""
        return html.block(html.lines([self.summary]), html.table(TITLES, self.rows()), proved)

    @in_english
    def to_json(self) -> str:
        """Returns JSON: {model, worst, findings: [{severity, place, found, why, remedy, check} …], proved: [str]}."""
        findings = [finding.as_json() for finding in self.findings]
        content = {"model": self.model, "worst": self.worst, "findings": findings, "proved": self.proved}
        return json_text(content)


def json_text(content: Any) -> str:
    """Returns indented JSON in which what is not printable is \\u…, also names of files that are no UTF-8."""
    text = json.dumps(content, indent=2, ensure_ascii=False)
    return "".join(letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text)
