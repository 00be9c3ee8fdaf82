"""Mends two mistakes that other programs pass over in XML: -- in comments, and prefixes that nothing declares.

Only a text that the parser has refused is mended, and the parser reads the result as strictly as any other. What is a
comment or a tag follows the lexical grammar of XML alone, nothing else is changed, and every line keeps its number.
Sources: XML 1.0, §2.5 (comments); Namespaces in XML 1.0, §5 (prefixes).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

MENDED = "no valid XML, mended"  # the words by which the notes are known
MOST_NAMED = 5  # places in one note
_MARKUP = re.compile(
    # what does not end goes on to the end of the text
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
    """Returns the text of a document in which both mistakes are mended, and notes with the file and the lines.

    Hyphens in a row become blanks within comments; a prefix that the root does not declare is declared there.
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
            comments[f"line {line}"] = line
            whole = f"<!--{_HYPHENS.sub(lambda run: ' ' * len(run[0]), markup['comment'])}-->"
        pieces.append(whole)
        line += markup[0].count("\n")
    missing = {prefix: at for prefix, at in prefixes.items() if prefix not in declared}
    # the prefix stands at the end of its namespace, as it does in that of xacro
    pieces[after_root:after_root] = [f' {_DECLARES}{prefix}="undeclared/{prefix}"' for prefix in missing]
    notes = [
        *_note(where, "-- in a comment", comments),
        *_note(where, "prefix without a declaration", {f"{p!r} in line {at}": at for p, at in missing.items()}),
    ]
    return "".join([*pieces, text[end:]]), notes


def _prefixes(names: list[str]) -> Iterator[str]:
    for name in names:
        prefix, colon, _ = name.partition(":")
        if colon and prefix not in _KNOWN:
            yield prefix


def _note(where: str, mistake: str, places: Mapping[str, int]) -> list[str]:
    """Returns one note about all places of a mistake, or none."""
    if not places:
        return []
    listed = list(places)
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return [f"{where}:{min(places.values())}: {MENDED}: {mistake}: {', '.join(listed[:MOST_NAMED])}{more}"]
