"""Leaves the types of a language with braces out of its tokens, and tells blocks in braces from lists in braces."""

from __future__ import annotations

from lark import Token

from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.tokens import made, tokens

MODIFIERS = (
    "const static constexpr final var let val mut inline public private protected pub export default function fn "
    "fun func def auto struct class namespace impl enum union interface mod trait typedef template typename "
    "volatile async move override noexcept abstract virtual explicit restrict new unsafe"
)
TYPES = (
    "double float real_t real Real long int short char f64 f32 i32 u32 usize size_t number unsigned boolean bool "
    "String string void any Double Float"
)
# the functions that numbers of a type go through: a whole one cuts, and one of another is not divided as a whole one
OF_TYPE = {
    **dict.fromkeys(("int", "long", "short", "char", "i32", "i64", "u32", "usize", "size_t", "unsigned"), "int"),
    **dict.fromkeys(("double", "float", "real_t", "f64", "f32", "Double", "Float"), "double"),
}
STRUCTURES = "struct class namespace impl enum union interface mod trait match do try"
DECLARING = frozenset(("const", "let", "var", "val"))
ENDS = frozenset(("NAME", "NUMBER", "STRING", "RPAR", "RSQB"))
AFTER_BLOCK_SIGN = frozenset(("SEP", "RBRACE", "LBRACE", "RPAR", "ELSE", "ARROW", "BAR", ""))
CLOSED_BY = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
IN_TEMPLATES = frozenset(
    ("NAME", "NUMBER", "COMMA", "SCOPE", "COMPARED", "PRODUCT", "REFERENCE", "OTHER", "LSQB", "RSQB")
)
MEANT = {"MAPS": "ARROW", "ARROW": "DOT", "REFERENCE": "LOGICAL"}  # the tokens of the grammar
MADE = ("new", "Zero", "zeros", "Identity", "identity", "from")
INDIRECT = ("*", "&", "&&")
CAST = "static_cast"


def untyped(text: str, notation: Notation) -> tuple[list[Token], dict[int, str]]:
    """Returns the tokens of a program without types, and OF_TYPE of the variables that are assigned, by their places.

    SEP ends a statement.
    """
    bare = _without_qualifiers(_with_ends(_with_macros(list(tokens(text, notation)))))
    layout = _Layout(bare, notation)
    while layout.at < len(bare):
        layout.step()
    layout.end_statement()
    return layout.tokens, layout.assigned


def _with_macros(all_tokens: list[Token]) -> list[Token]:
    """Writes #define SQR(x) ((x)*(x)) as SQR(x) = ((x)*(x));."""
    written, k = list[Token](), 0
    while k < len(all_tokens):
        token = all_tokens[k]
        if token.value != "#" or all_tokens[k + 1 : k + 2] != ["define"]:
            written.append(token)
            k += 1
            continue
        end = next((j for j in range(k, len(all_tokens)) if all_tokens[j].type == "LINE"), len(all_tokens))
        name, *rest = all_tokens[k + 2 : end] or [token]
        header = 0
        if rest and rest[0].type == "LPAR" and rest[0].start_pos == name.end_pos:
            header = next((j + 1 for j, each in enumerate(rest) if each.type == "RPAR"), 0)
        if rest[header:]:
            written += [name, *rest[:header], made("EQUAL", name, "="), *rest[header:], made("SEMI", name, ";")]
        k = end
    return written


def _with_ends(all_tokens: list[Token]) -> list[Token]:
    """Returns tokens without ends of lines; a semicolon is added between a line and a next one that begin anew."""
    written, opened = list[Token](), list[str]()
    for k, token in enumerate(all_tokens):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            opened.append(token.type)
        elif token.type in CLOSED_BY and opened:
            opened.pop()
        if token.type != "LINE":
            written.append(token)
        elif written and written[-1].type in ("NAME", "NUMBER", "RSQB") and (not opened or opened[-1] == "LBRACE"):
            following = next((each for each in all_tokens[k + 1 : k + 9] if each.type != "LINE"), None)
            if (
                following is not None
                and following.type in ("NAME", "RETURN")
                and written[-1].value not in TYPES.split()
            ):
                written.append(made("SEMI", token, ";"))
    return written


def _without_qualifiers(all_tokens: list[Token]) -> list[Token]:
    """Returns tokens without templates, <double, 2>, scopes, std::, and empty brackets of types, double[]."""
    written, k = list[Token](), 0
    while k < len(all_tokens):
        token = all_tokens[k]
        following = all_tokens[k + 1].type if k + 1 < len(all_tokens) else ""
        if token.value == "<" and written and written[-1].type == "NAME" and (end := _end_of_template(all_tokens, k)):
            if written[-1].value == CAST:
                written[-1] = all_tokens[k + 1]
            k = end
        elif token.type == "SCOPE" and following == "NAME" and all_tokens[k + 1].value in MADE and written:
            written[-1] = Token("NAME", f"{written[-1].value}::{all_tokens[k + 1].value}", written[-1].start_pos)
            written[-1].end_pos = all_tokens[k + 1].end_pos
            k += 2
        elif token.value == "as" and following == "NAME" and all_tokens[k + 1].value in OF_TYPE:
            written.append(made("CASTED", token, OF_TYPE[all_tokens[k + 1].value]))
            k += 2
        elif token.type == "SCOPE":
            if written and written[-1].type == "NAME":
                written.pop()
            k += 1
        elif (token.type == "LSQB" and following == "RSQB" and written and written[-1].type in ("NAME", "RSQB")) or (
            token.type == "NAME" and token.value == "as" and following == "NAME"
        ):
            k += 2
        else:
            written.append(token)
            k += 1
    return written


def _end_of_template(all_tokens: list[Token], at: int) -> int:
    """Returns the place behind the > that closes a < at a place, or 0 if the two compare numbers."""
    depth = 0
    for k in range(at, min(at + 40, len(all_tokens))):
        token = all_tokens[k]
        if token.type not in IN_TEMPLATES:
            return 0
        depth += {"<": 1, ">": -1, ">>": -2}.get(token.value, 0)
        if depth <= 0:
            following = all_tokens[k + 1 : k + 2]
            is_type = following and (following[0].type in ("NAME", "SCOPE", "LPAR", "LBRACE", "REFERENCE", "RSQB"))
            return k + 1 if is_type or (following and following[0].value in (*INDIRECT, ">", ",", ")")) else 0
    return 0


class _Layout:
    """This is a list of tokens to which those of a program are added one after the other."""

    def __init__(self, given: list[Token], notation: Notation) -> None:
        self.given, self.notation, self.at = given, notation, 0
        self.tokens: list[Token] = []
        self.open: list[str] = []  # LPAR, LSQB, LIST or LBRACE
        self.functions: list[int] = []  # depths of blocks that are values
        self.choices = 0  # ? without their :
        self.has_heading = self.is_declared = self.was_dropped = False
        self.declared = ""  # OF_TYPE of the variables that the statement declares
        self.types: dict[str, str] = {}  # OF_TYPE of each variable
        self.assigned: dict[int, str] = {}

    @property
    def last(self) -> str:
        return self.tokens[-1].type if self.tokens else ""

    @property
    def is_in_block(self) -> bool:
        return not self.open or self.open[-1] == "LBRACE"

    def peek(self, ahead: int = 1) -> Token:
        """Returns a later token."""
        k = self.at + ahead
        return self.given[k] if k < len(self.given) else Token("", "")

    def step(self) -> None:
        """Adds the next token, or leaves it out with what belongs to it."""
        token = self.given[self.at]
        was_dropped, self.was_dropped = self.was_dropped, False
        if self.is_in_block and self.last in ("", "SEP", "LBRACE", "RBRACE") and self._is_idle(token):
            self._skip_to(("SEMI",))
        elif token.type == "NAME" and self._is_type(token, was_dropped):
            self.has_heading = self.has_heading or token.value in STRUCTURES.split()
            self.is_declared, self.was_dropped = self.is_declared or token.value in DECLARING, True
            if token.value not in MODIFIERS.split():
                self.declared = OF_TYPE.get(token.value, "")
            self.at += 1
        elif token.value in INDIRECT and self.last not in ENDS:
            self.was_dropped = was_dropped
            self.at += 1
        elif (token.value == ":" and not self.choices and self._is_annotation(was_dropped)) or (
            token.type == "ARROW" and self.last in ("RPAR", "BAR")
        ):
            self._skip_type()
        else:
            token = made(MEANT.get(token.type, token.type), token)
            if token.type == "NAME" and (was_dropped or (self.declared and self.last == "COMMA" and self.is_in_block)):
                self.types[token.value] = self.declared
            getattr(self, f"_{token.type.lower()}", self._other)(token)

    def end_statement(self) -> None:
        """Ends a statement, if one is open."""
        if self.last not in ("SEP", "RBRACE", "LBRACE", ""):
            self.tokens.append(made("SEP", self.tokens[-1], ";"))
        self.has_heading = self.is_declared = False
        self.choices, self.declared = 0, ""

    def _other(self, token: Token) -> None:
        self.tokens.append(token)
        self.at += 1

    def _as(self, kind: str, token: Token) -> None:
        self._other(made(kind, token))

    def _equal(self, token: Token) -> None:
        if self.last == "NAME" and (kind := self.types.get(self.tokens[-1].value)):
            self.assigned[self.tokens[-1].start_pos or 0] = kind
        self._other(token)

    _augmented = _equal

    def _semi(self, token: Token) -> None:
        if self.is_in_block:
            self.end_statement()
            self.at += 1
        else:
            self._as("SEP", token)

    def _increment(self, token: Token) -> None:
        is_before = self.last not in ENDS and self.peek().type == "NAME"  # ++i
        self.tokens += [self.peek()] if is_before else []
        self.tokens += [made("AUGMENTED", token, f"{token.value[0]}="), made("NUMBER", token, "1")]
        self.at += 1 + is_before

    def _question(self, token: Token) -> None:
        self.choices += 1
        self._other(token)

    def _colon(self, token: Token) -> None:
        self.choices = max(self.choices - 1, 0)
        self._other(token)

    def _if(self, token: Token) -> None:
        self.has_heading = True
        self._other(token)

    _while = _for = _if

    def _lpar(self, token: Token) -> None:
        if self.last not in ENDS and (end := self._end_of_cast()):
            if kind := next((OF_TYPE[each.value] for each in self.given[self.at : end] if each.value in OF_TYPE), ""):
                self.tokens.append(made("CAST", token, kind))
            self.at = end
            return
        self.open.append("LPAR")
        self._other(token)

    def _lsqb(self, token: Token) -> None:
        if self.last in ENDS:
            self.open.append("LSQB")
            self._as("LINDEX", token)
        elif end := self._end_of_capture():
            self._as("LAMBDA", token)
            self.at = end
        else:
            self.open.append("LSQB")
            self._other(token)

    def _lbrace(self, token: Token) -> None:
        is_block = self.is_in_block and (self.has_heading or self.last in AFTER_BLOCK_SIGN)
        is_block = is_block or self.last in ("RPAR", "ARROW", "BAR")
        if is_block and not (self.is_declared and self.last in ("SEP", "RBRACE", "LBRACE", "")):
            if self.last == "ARROW" or "EQUAL" in self._statement() or not self.is_in_block:
                self.functions.append(len(self.open))
            self.open.append("LBRACE")
            self.has_heading = self.is_declared = False
            self._other(token)
        else:
            self.open.append("LIST")
            self._as("LLIST" if self.last == "NAME" else "LSQB", token)

    def _rpar(self, token: Token) -> None:
        if self.open:
            self.open.pop()
        self._other(token)

    _rsqb = _rpar

    def _rbrace(self, token: Token) -> None:
        if self.open and self.open.pop() == "LIST":
            self._as("RSQB", token)
            return
        if {"EQUAL", "AUGMENTED", "RETURN"} & self._statement():
            self.end_statement()
        self._other(token)
        if self.functions and self.functions[-1] == len(self.open):
            self.functions.pop()
            if self.is_in_block and self.peek(0).type != "COMMA":
                self.tokens.append(made("SEP", token, ";"))

    def _statement(self) -> set[str]:
        """Returns the kinds of tokens since the last statement."""
        kinds = set[str]()
        for token in reversed(self.tokens):
            if token.type in ("SEP", "LBRACE", "RBRACE"):
                break
            kinds.add(token.type)
        return kinds

    def _is_idle(self, token: Token) -> bool:
        return token.type == "NAME" and token.value in self.notation.idle.split() and self.peek().type != "EQUAL"

    def _is_type(self, token: Token, was_dropped: bool) -> bool:
        """Returns whether a name is a type or a modifier before another name."""
        k = 1
        while self.peek(k).value in INDIRECT:
            k += 1
        following = self.peek(k)
        is_first = self.last in ("", "SEP", "LBRACE", "RBRACE")
        if token.value in OF_TYPE and following.type == "LPAR" and k == 1 and not is_first:
            return False  # double(1)
        if token.value in (*MODIFIERS.split(), *TYPES.split()):
            is_last = self.last == "RPAR"
            return is_last or following.type in ("NAME", "LPAR", "RPAR", "LBRACE", "LSQB", "COMMA", "BAR") or k > 1
        is_indirect = k > 1 and (was_dropped or self.peek().value != "*")
        return following.type == "NAME" and (k == 1 or is_indirect)

    def _is_annotation(self, was_dropped: bool) -> bool:
        """Returns whether a colon stands before a type, or after a modifier, such as public:."""
        if was_dropped and self.last in ("", "SEP", "LBRACE", "RBRACE"):
            return True
        return self.last in ("NAME", "RPAR", "RSQB") and (not self.open or self.open[-1] in ("LPAR", "LBRACE"))

    def _skip_type(self) -> None:
        if self.last in ("", "SEP", "LBRACE", "RBRACE"):
            self.at += 1
        else:
            self._skip_to(("COMMA", "RPAR", "EQUAL", "LBRACE", "BAR", "SEMI", "MAPS"))

    def _skip_to(self, kinds: tuple[str, ...]) -> None:
        """Leaves out tokens up to one of some kinds, outside of brackets."""
        depth = 0
        while self.at < len(self.given):
            kind = self.given[self.at].type
            if depth <= 0 and kind in kinds:
                return
            depth += (kind in ("LPAR", "LSQB", "LBRACE")) - (kind in CLOSED_BY)
            if depth < 0:
                return
            self.at += 1

    def _end_of_cast(self) -> int:
        """Returns the place behind (double), (void) and the like, or 0."""
        k = self.at + 1
        while k < len(self.given) and (self.given[k].value in TYPES.split() or self.given[k].value in INDIRECT):
            k += 1
        is_cast = k > self.at + 1 and k < len(self.given) and self.given[k].type == "RPAR"
        return k + 1 if is_cast else 0

    def _end_of_capture(self) -> int:
        """Returns the place behind the captured names of a function of C++, [&], or 0."""
        k = self.at + 1
        while k < len(self.given) and (self.given[k].value in ("&", "=", ",") or self.given[k].type == "NAME"):
            k += 1
        kinds = [each.type for each in self.given[k : k + 2]]
        return k + 1 if kinds == ["RSQB", "LPAR"] else 0
