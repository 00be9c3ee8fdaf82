"""Corrects two mistakes in XML that other programs ignore: -- in comments, and undeclared prefixes.

Only a text that the parser has rejected is corrected, and the parser reads the result as strictly as any other.
Comments and tags are recognised by the lexical grammar of XML, nothing else is changed, and every line keeps its
number.
Sources: XML 1.0, §2.5 (comments); Namespaces in XML 1.0, §5 (prefixes).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from qddot.base.errors import few
from qddot.base.words.message import say
from qddot.robot.notes import note, noted

MOST_NAMED = 6  # the most places in one note
_MARKUP = re.compile(
    # markup that is not closed extends to the end of the text
    r"""<!--(?:(?P<comment>.*?)-->|.*)
    | <!\[CDATA\[(?:.*?\]\]>|.*)
    | <\?(?:.*?\?>|.*)
    | <(?P<name>[^\s<>/!?"'=]++)(?P<attributes>(?:[^<>"']++|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+)""",
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""(?<!\S)([^\s="'/]++)\s*+=\s*+(?:"[^"]*+"|'[^']*+')""")
_HYPHENS = re.compile(r"-{2,}|-\Z")
_DECLARES, _KNOWN = "xmlns:", ("xml", "xmlns")


def mended(text: str, where: str) -> tuple[str, list[str]]:
    """Returns the text with both mistakes corrected, and notes with the file and the lines.

    Consecutive hyphens in comments become blanks; a prefix that the root does not declare is declared there.
    """
    pieces: list[str] = []
    comments: dict[str, int] = {}
    prefixes: dict[str, int] = {}
    declared: set[str] = set()
    end, line, after_root = 0, 1, 0
    for markup in _MARKUP.finditer(text):
        line += text.count("\n", end, markup.start())
        pieces.append(text[end : markup.start()])
        whole, end = markup[0], markup.end()
        if markup["name"]:
            names = [markup["name"], *_ATTRIBUTE.findall(markup["attributes"])]
            if not after_root:
                declared = {name.removeprefix(_DECLARES) for name in names if name.startswith(_DECLARES)}
                pieces.append(f"<{markup['name']}")
                after_root, whole = len(pieces), markup["attributes"]
            for prefix in _prefixes(names):
                prefixes.setdefault(prefix, line)
        elif markup["comment"] is not None and _HYPHENS.search(markup["comment"]):
            comments[note("in-line", line=line)] = line
            whole = f"<!--{_HYPHENS.sub(lambda run: ' ' * len(run[0]), markup['comment'])}-->"
        pieces.append(whole)
        line += markup[0].count("\n")
    missing = {prefix: at for prefix, at in prefixes.items() if prefix not in declared}
    # the namespace ends in the prefix, like that of xacro
    pieces[after_root:after_root] = [f' {_DECLARES}{prefix}="undeclared/{prefix}"' for prefix in missing]
    notes = [
        *_note(where, "hyphens-in-comment", comments),
        *_note(
            where,
            "undeclared-prefix",
            {note("prefix-in-line", prefix=repr(p), line=at): at for p, at in missing.items()},
        ),
    ]
    return "".join([*pieces, text[end:]]), notes


def _prefixes(names: list[str]) -> Iterator[str]:
    for name in names:
        prefix, colon, _ = name.partition(":")
        if colon and prefix not in _KNOWN:
            yield prefix


def _note(where: str, mistake: str, places: Mapping[str, int]) -> list[str]:
    """Returns a list with one note about all places of a mistake, empty if there are none."""
    if not places:
        return []
    corrected = say("xml-corrected", mistake=say(mistake), places=few(list(places), MOST_NAMED))
    return [noted(f"{where}:{min(places.values())}", corrected)]
