"""Finds meanings of names that an answer states in words or comments: th = theta, w: qdot, h(q, v) = …"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from qddot.algebra.expressions.identifiers import spelled
from qddot.teach.check.reading.names.arm_names import ACCELERATIONS, RATES, ArmNames, plain
from qddot.teach.check.reading.names.left_sides import left_of
from qddot.teach.check.reading.names.letters import is_sure
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.syntax import MOTIONS, Meaning
from qddot.teach.check.reading.texts.written import Written

WORD = r"[^\W\d_]\w*"
NUMBERED = r"[^\W\d_]\w*\d"
SAYS = r"(?:\s*(?::=|=|≡|:|->)\s*|\s+(?:is|are|means|denotes|stands\s+for|for)\s+(?:the\s+)?)"
# L_i = l_i is for each link, th = theta is a single name
STATED = re.compile(rf"(?<![\w.])(?P<name>{WORD}){SAYS}(?P<meaning>{WORD})(?![\w(\[.]|\s*[-+*/^'=])")
FACTOR = re.compile(r"[ \t]+([^\W\d]\w*)")
ARGUMENTS = re.compile(
    r"\w\(\s*(?P<of>q|theta|th)\s*,\s*(?P<rate>[a-z]\w*)(?:\s*,\s*(?P<acceleration>[a-z]\w*))?[^()]*\)"
)
LISTED = re.compile(r"\(([^()\n=]+)[,)=]")  # the arguments of a function, perhaps with their types
# mc = mass of the carriage (m2 in the table)
IN_BRACKETS = re.compile(
    rf"(?<![\w.])(?P<name>{WORD})(?:[ \t]*[=:][ \t]*|[ \t]+(?:is|are|denotes|means)[ \t]+)"
    rf"(?P<words>[^\W\d][^=+*/^()\n]*)\([ \t]*(?:=|i\.e\.|called)?[ \t]*(?P<meaning>{WORD})"
    r"(?:[ \t]+(?:in|of|on|for|from|above|below|here)\b[^()=+*/^\n]*)?\)"
)
# rope length l (the coordinate r)
CALLED_HERE = re.compile(
    rf"(?<![\w.])(?P<name>{WORD})[ \t]*\([ \t]*the[ \t]+(?:coordinate|symbol)[ \t]+(?P<meaning>{WORD})[ \t]*\)"
)
# I write J1, J2 for the moments of inertia I1, I2
WRITTEN_FOR = re.compile(
    rf"(?i)\bwrit(?:e|ten|ing)\s+(?P<names>{NUMBERED}(?:\s*(?:,|and)\s*{NUMBERED})*)\s+for\s+(?:[a-z]{{2,}}\s+){{0,6}}"
    rf"(?P<meanings>{NUMBERED}(?:\s*(?:,|and)\s*{NUMBERED})*)"
)
# w = joint velocities; a1, a2: joint accelerations
OF_JOINTS = re.compile(
    rf"(?i)(?<![\w.])(?P<names>{WORD}(?:[ \t]*,[ \t]*{WORD}){{0,29}})[ \t]*"
    r"(?:[:=]|\bare\b|\bis\b|\bdenotes?\b|\bfor\b)?[ \t]*(?:the[ \t]+)?"
    r"joint[ \t]+(?P<kind>velocit|rate|speed|accelerat)"
)
INPUT = re.compile(
    rf'\bReal\s+(?P<name>{WORD})\s*"(?P<words>[^"\n]*)"'
)  # a declaration of Modelica with its description
OF_ANY = re.compile(r"(?P<stem>\w*?[^\W\d_])_?(?P<letter>[ijk])")
# "let I be the moment of inertia of link 2 about its centre of mass"
OF_LINK = re.compile(
    rf"(?<![\w.])(?P<name>{WORD})\s*(?:,|:|=|\bbe\b|\bis\b|\bdenotes?\b|\bfor\b|\bas\b)?\s*(?:the\s+)?(?:moment\s+of\s+)?"
    r"(?P<what>inertia|mass|length)\s+of\s+(?:the\s+)?(?P<order>first|second|third)?\s*(?:link|rod|arm|body|bar)\s*"
    r"(?P<number>\d)?\b",
    re.IGNORECASE,
)
HEADS = {"inertia": ("I", "J", "Izz", "Jzz"), "mass": ("m",), "length": ("l", "L", "a")}
ORDER = {"first": "1", "second": "2", "third": "3"}
ORDINALS = ("first", "second", "third", "fourth")
DRIVEN = re.compile(  # the torque acts at the second joint only
    rf"(?i)\b(?:torque|force|motor|drive|input)\b[^.\n]{{0,60}}?\b(?:at|on|to)[ \t]+(?:only[ \t]+)?(?:the[ \t]+)?"
    rf"(?:[a-z]+[ \t]*[,(][ \t]*(?:the[ \t]+)?)?"  # at the elbow, joint 2
    rf"(?:(?P<ordinal>{'|'.join(ORDINALS)})[ \t]+(?:joint|axis)|(?:joint|axis)[ \t]*\$?(?P<number>\d)(?!\d))"
)
# only the wheel is driven; a motor drives the wheel; the torque on the wheel
DRIVEN_BODY = (
    r"(?i)\bonly[ \t]+(?:the[ \t]+)?({0})\b[^.\n]{{0,20}}?\b(?:driven|actuated|powered)\b|"
    r"\bmotor[^.\n]{{0,20}}?\b(?:drives|turns|moves|spins)[ \t]+(?:only[ \t]+)?(?:the[ \t]+)?({0})\b|"
    r"\b(?:torque|force|motor|input)\b[^.\n]{{0,40}}?\b(?:at|on)[ \t]+(?:only[ \t]+)?(?:the[ \t]+)?({0})\b"
)
SHORTEST_NOUN = 3  # letters of a link's name that is a noun, as arm is, rather than a number
AT_REST = re.compile(
    r"(?i)\b(?:hold(?:ing)?(?:[ \t]+(?:torques?|moments?|forces?)|[ \t]+the[ \t]+arm|[ \t]+it)|at[ \t]+rest|statics?|"
    r"standing[ \t]+still|without[ \t]+motion|ohne[ \t]+Bewegung|in[ \t]+Ruhe|Haltemomente?|statisch\w*|au[ \t]+repos|"
    r"en[ \t]+reposo)\b|静止|静力"
)
OF_VELOCITIES = r"(?:velocity|Coriolis|centrifugal)"
WITHOUT_VELOCITIES = re.compile(
    rf"(?i)\b{OF_VELOCITIES}\b[^\n.]{{0,40}}\b(?:follow(?![ \t]+from)|neglected|ignored|omitted|left[ \t]+out)\b|"
    rf"\b(?:neglect|ignor|omit)\w*[^\n.]{{0,30}}\b{OF_VELOCITIES}\b"
)
ABSOLUTE = re.compile(
    r"(?i)absolut|angular\s+velocit(?:y|ies)\s+of\s+(?:the\s+)?(?:link|body|rod|arm|second|outer|upper)"
)
DECORATION = re.compile(r"\\(?:mathrm|mathbf|text|operatorname|var)|[\\${}]|_(?=\{)")
KNOWN_ARGUMENTS = ("t", "p", "par", "params", "param", "self", "args")


def stated_names(text: str, names: ArmNames) -> dict[str, Meaning]:
    """Returns the meanings of names that a text states, with those of their derivatives."""
    meanings: dict[str, Meaning] = {}
    readers = (
        _declared,
        _of_arguments,
        _by_place,
        _inputs,
        _of_links,
        _spins,
        _in_brackets,
        _of_joints,
        _other_letters,
    )
    for name, meaning in (pair for reader in readers for pair in reader(text, names)):
        meanings.setdefault(name, meaning)
    for name, meaning in list(meanings.items()):
        for other, derived in derivatives_of(name, meaning) if meaning.kind in MOTIONS else ():
            if not names.readings(other):
                meanings.setdefault(other, derived)
    return meanings


def driven_joint(text: str, bodies: Sequence[str]) -> int | None:
    """Returns the joint at which the only torque acts according to a text, counted from 0, or None.

    bodies: the names of the links, in the order of their joints
    """
    if words := DRIVEN.search(text):
        return int(words["number"] or 1 + ORDINALS.index(words["ordinal"].lower())) - 1
    nouns = {name.lower(): k for k, name in enumerate(bodies) if len(name) >= SHORTEST_NOUN}
    words = re.search(DRIVEN_BODY.format("|".join(map(re.escape, nouns))), text) if nouns else None
    return nouns[next(filter(None, words.groups())).lower()] if words else None


def says_rest(text: str) -> bool:
    """Returns whether words say that the arm is held still."""
    return AT_REST.search(text) is not None


def leaves_out_velocities(text: str) -> bool:
    """Returns whether words say that velocity terms are left out, or follow later."""
    return WITHOUT_VELOCITIES.search(text) is not None


def _declared(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    bare = spelled(unicodedata.normalize("NFKC", DECORATION.sub("", text)))
    for match in STATED.finditer(bare):
        name, meaning = plain(match["name"]), plain(match["meaning"])
        following = FACTOR.match(bare, match.end())
        if following and names.readings(following[1]):
            continue  # V = m g l
        pair = OF_ANY.fullmatch(match["name"]), OF_ANY.fullmatch(match["meaning"])
        if pair[0] and pair[1] and pair[0]["letter"] == pair[1]["letter"]:
            stems = plain(pair[0]["stem"]), plain(pair[1]["stem"])
            for k in names.numbered:
                yield from _known(f"{stems[0]}{k}", f"{stems[1]}{k}", names)
            continue
        yield from _known(name, meaning, names)
        if (vector := names.vector(meaning, 0)) and vector.name in MOTIONS and not names.vector(name, 0):
            yield from _entries(name, vector.name, names)


def _of_arguments(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields the rates v and the accelerations a of h(q, v) and tau(q, v, a)."""
    for call in ARGUMENTS.finditer(spelled(text)):
        for kind in MOTIONS[1:]:
            name = call[kind]
            is_symbol = any(each.kind == "symbol" for each in names.readings(name)) if name else True
            if name and not is_symbol and name not in KNOWN_ARGUMENTS and not names.vector(name, 0):
                yield from _entries(name, kind, names)


def _by_place(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields the rates w1, w2 and the accelerations a1, a2 of a function of (q1, q2, w1, w2, a1, a2)."""
    coordinates = names.ring.coordinates
    n = len(coordinates)
    for call in LISTED.finditer(spelled(text)):
        words = [re.findall(WORD, part)[-1:] for part in call[1].split(",")]
        listed = [plain(word[0]) if word else "" for word in words]
        if [names.coordinate(name) for name in listed[:n]] != [*coordinates]:
            continue
        for kind, block in zip(MOTIONS[1:], (listed[n : 2 * n], listed[2 * n : 3 * n]), strict=True):
            stems = {name.rstrip("0123456789") for name in block}
            is_new = not any(names.readings(name) or names.drive(name) for name in block)
            if len(block) == n and len(stems) == 1 and is_new:
                yield from zip(block, (Meaning(kind, name) for name in coordinates), strict=True)


def _in_brackets(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields names that words describe, with the arm's own name for them in brackets behind the words."""
    for match in IN_BRACKETS.finditer(spelled(unicodedata.normalize("NFKC", DECORATION.sub("", text)))):
        words = re.findall(WORD, match["words"])
        if len(words) > 1 and not any(names.readings(word) for word in words if len(word) > 1):
            yield from _known(plain(match["name"]), plain(match["meaning"]), names)


def _of_joints(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields the entries of letters that a text describes as the velocities or the accelerations of joints."""
    for match in OF_JOINTS.finditer(spelled(DECORATION.sub("", text))):
        kind = MOTIONS[2 if match["kind"].lower() == "accelerat" else 1]
        for stem in dict.fromkeys(name.strip().rstrip("0123456789") for name in match["names"].split(",")):
            column = names.vector(stem, 0)
            if not (column and column.name in MOTIONS) and not names.readings(stem):
                yield from _entries(plain(stem), kind, names)


def _other_letters(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields the letters that stand for others, as a text says: J1, J2 for I1, I2, and l for the coordinate r."""
    bare = spelled(unicodedata.normalize("NFKC", DECORATION.sub("", text)))
    for match in CALLED_HERE.finditer(bare):
        yield from _known(plain(match["name"]), plain(match["meaning"]), names)
    for match in WRITTEN_FOR.finditer(bare):
        pair = [re.findall(NUMBERED, re.sub(r"\band\b", ",", match[part])) for part in ("names", "meanings")]
        for name, meaning in zip(*pair, strict=False) if len(pair[0]) == len(pair[1]) else ():
            readings = names.readings(plain(meaning))
            if not names.readings(plain(name)) and [each.kind for each in readings] == ["symbol"]:
                yield plain(name), readings[0]


def _inputs(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields inputs whose description names the torque of a joint: Real f "force on the cart, tau1"."""
    for match in INPUT.finditer(spelled(text)):
        numbered = [word for word in re.findall(WORD, match["words"]) if word[-1].isdigit()]
        drives = [meaning for word in numbered if (meaning := names.drive(word))]
        if len(drives) == 1 and not names.readings(match["name"]):
            yield match["name"], drives[0]


def _of_links(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields the letters that a text describes as a mass, a length or an inertia of one link: I, of the second link."""
    for match in OF_LINK.finditer(spelled(DECORATION.sub("", text))):
        k, name = match["number"] or ORDER.get((match["order"] or "").lower(), ""), plain(match["name"])
        is_new = len(name) == 1 and name.upper() in (match["what"][0].upper(), "J")
        if not k or not is_new or names.readings(name):
            continue
        likely = {symbol for head in HEADS[match["what"].lower()] for symbol in names.likely(f"{head}{k}")}
        if len(likely) == 1:
            yield name, Meaning("symbol", likely.pop())


def _spins(text: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields ω_k as the rate of joint k, of the first one alone if the text mentions absolute angular velocities."""
    turning = names.ring.turning.coordinates
    joints = [(k, name) for k, name in names.numbered.items() if name in turning]
    for k, name in joints if not ABSOLUTE.search(text) else joints[:1]:
        for alias in (f"omega{k}", f"w{k}"):
            if not names.readings(alias):
                yield alias, Meaning("rate", name)


def _entries(name: str, kind: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    for k, coordinate in names.numbered.items():
        if not names.readings(f"{name}{k}"):
            yield f"{name}{k}", Meaning(kind, coordinate)


def _known(name: str, meaning: str, names: ArmNames) -> Iterator[tuple[str, Meaning]]:
    """Yields a name that the arm lacks, with its meaning, if that is one of the arm's names."""
    readings, written = names.readings(meaning), Written(name)
    is_new = name != meaning and not names.readings(name) and not names.vector(name, 0)
    is_single = len(readings) == 1 and readings[0].kind in (*MOTIONS, "symbol")
    if is_new and is_single and not is_sure(left_of(lexemes(written), written)):
        yield name, readings[0]


def derivatives_of(key: str, meaning: Meaning) -> Iterator[tuple[str, Meaning]]:
    """Yields the names of a name's time derivatives: x2dot, dx2, x2ddot and the like for x2."""
    letters = key.rstrip("0123456789")
    stem, digits = letters, key[len(letters) :]
    place = MOTIONS.index(meaning.kind)
    for forms, kind in zip((RATES, ACCELERATIONS), MOTIONS[place + 1 :], strict=False):
        for form in forms:
            yield form.format(stem, digits), Meaning(kind, meaning.name)
