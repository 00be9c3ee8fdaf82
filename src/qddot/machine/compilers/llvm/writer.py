"""A Writer writes one function in LLVM's assembly, and chooses the names of all values and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from qddot.machine.compilers.llvm.registers import WIDTHS, Vectors

ZERO = "zeroinitializer"


class Turn:
    """This is one iteration of a loop: its index, the values that it receives, and those that it passes on.

    name: the name of the loop's blocks; values: those of this iteration, or after the loop the last ones; following:
    those for the next iteration; more: in a loop that tests at its end, whether another iteration follows, once this is
    written
    """

    def __init__(self, name: str, carried: int) -> None:
        """carried: the number of values"""
        self.name = name
        self.index, self.next = f"%{name}.i", f"%{name}.n"
        self.values = self.following = [f"%{name}.c{k}" for k in range(carried)]
        self.more = ""


class Writer:
    """A writer keeps the lines of a function, and the block that the next line belongs to."""

    def __init__(self, head: str, of: Vectors) -> None:
        """head: the function's type, name and arguments, as in "void @f(ptr %x)"; of: its vectors"""
        self.of = of
        self.v = of.reals
        self.lines = list[str]()
        self.block = "entry"
        self._begin, self._reserved = [f"define {head} {{", "entry:"], list[str]()
        self._count = 0

    def done(self, result: str = "void") -> list[str]:
        """Returns the function's lines; result: what it returns, with its type."""
        return [*self._begin, *self._reserved, *self.lines, f"  ret {result}", "}"]

    def put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def let(self, what: str) -> str:
        """Writes an instruction, and returns the name of its value."""
        name = self._fresh("%x")
        self.put(f"{name} = {what}")
        return name

    def _fresh(self, begin: str) -> str:
        self._count += 1
        return f"{begin}{self._count}"

    # memory; places count bytes, or elements of a kind, from an address

    def reserved(self, kind: str, count: int) -> str:
        """Returns the address of a row of elements on the stack, which lasts to the end of the function."""
        name = self._fresh("%row")
        self._reserved.append(f"  {name} = alloca [{count} x {kind}]")
        return name

    def at(self, base: str, place: int | str, kind: str = "i8") -> str:
        """Returns an address some elements after another; without a kind, elements are bytes."""
        return base if place == 0 and kind == "i8" else self.let(f"getelementptr {kind}, ptr {base}, i64 {place}")

    def element(self, base: str, index: str, width: int = 8) -> str:
        """Returns the address of an element of a row; width: the bytes of an element"""
        return self.at(base, self.let(f"mul i64 {index}, {width}"))

    def load(self, base: str, place: int | str = 0, kind: str = "") -> str:
        kind = kind or self.v
        return self.let(f"load {kind}, ptr {self.at(base, place)}, align 8")

    def store(self, value: str, base: str, place: int | str = 0, kind: str = "") -> None:
        self.put(f"store {kind or self.v} {value}, ptr {self.at(base, place)}, align 8")

    def read(self, kind: str, base: str, index: int | str = 0) -> str:
        """Loads an element of a row; kind: the type of its elements, which sets the alignment"""
        return self.let(f"load {kind}, ptr {self.at(base, index, kind)}")

    def write(self, kind: str, value: str, base: str, index: int | str = 0) -> None:
        """Stores an element of a row; kind: the type of its elements, which sets the alignment"""
        self.put(f"store {kind} {value}, ptr {self.at(base, index, kind)}")

    # arithmetic over vectors, where None is zero; products and sums may become one operation

    def number(self, value: float) -> str:
        return self.of.constant(value)

    def vector(self, op: str, a: str, b: str) -> str:
        """Returns the result of one operation, which is rounded separately."""
        return self.let(f"{op} {self.v} {a}, {b}")

    def sum(self, a: str | None, b: str | None) -> str | None:
        if a is None or b is None:
            return b if a is None else a
        return self.let(f"fadd contract {self.v} {a}, {b}")

    def difference(self, a: str | None, b: str | None) -> str | None:
        if b is None:
            return a
        return self.negative(b) if a is None else self.let(f"fsub contract {self.v} {a}, {b}")

    def product(self, a: str | None, b: str | None) -> str | None:
        return None if a is None or b is None else self.let(f"fmul contract {self.v} {a}, {b}")

    def fused(self, total: str | None, a: str | None, b: str | None) -> str | None:
        """Returns total + a b, as one operation if the processor has it."""
        if total is None or a is None or b is None:
            return self.sum(total, self.product(a, b))
        return self.called("fmuladd", a, b, total)

    def quotient(self, a: str | None, b: str) -> str | None:
        return None if a is None else self.let(f"fdiv {self.v} {a}, {b}")

    def negative(self, a: str | None) -> str | None:
        return None if a is None else self.let(f"fneg {self.v} {a}")

    def called(self, name: str, *arguments: str) -> str:
        """Returns the value of one of LLVM's own functions of vectors."""
        listed = ", ".join(f"{self.v} {x}" for x in arguments)
        return self.let(f"call {self.v} @llvm.{name}.{self.of.suffix}({listed})")

    def spread(self, x: str) -> str:
        """Returns a vector with one number in every lane."""
        one = self.let(f"insertelement {self.v} poison, {self.of.real} {x}, i32 0")
        return self.let(f"shufflevector {self.v} {one}, {self.v} poison, <{self.of.lanes} x i32> zeroinitializer")

    # comparisons and choices: of lanes, or of single values where a kind is given

    def compared(self, order: str, a: str, b: str | int = ZERO, kind: str = "") -> str:
        """Returns a comparison of two values; order: LLVM's name of it, such as "olt" for floats, "slt" for integers"""
        kind = kind or self.v
        return self.let(f"{'fcmp' if kind in (self.v, *WIDTHS) else 'icmp'} {order} {kind} {a}, {b}")

    def choice(self, fact: str, a: str | int, b: str | int, kind: str = "") -> str:
        """Returns a where a fact holds, else b."""
        return self.let(f"select {'i1' if kind else self.of.mask} {fact}, {kind or self.v} {a}, {kind or self.v} {b}")

    def both(self, a: str, b: str, kind: str = "") -> str:
        return self.let(f"and {kind or self.of.mask} {a}, {b}")

    def either(self, a: str, b: str, kind: str = "") -> str:
        return self.let(f"or {kind or self.of.mask} {a}, {b}")

    def opposite(self, fact: str, kind: str = "") -> str:
        return self.let(f"xor {kind or self.of.mask} {fact}, {'true' if kind else self.of.chosen(self.of.lanes)}")

    def any(self, mask: str) -> str:
        """Returns whether any lane is chosen."""
        lanes = self.of.lanes
        return self.let(f"icmp ne i{lanes} {self.let(f'bitcast {self.of.mask} {mask} to i{lanes}')}, 0")

    # single numbers

    def real(self, op: str, a: str, b: str) -> str:
        return self.let(f"{op} double {a}, {b}")

    def whole(self, op: str, a: str, b: str | int) -> str:
        return self.let(f"{op} i64 {a}, {b}")

    def least(self, a: str, b: str | int) -> str:
        """Returns the smaller of two integers."""
        return self.let(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")

    def most(self, a: str, b: str | int) -> str:
        """Returns the larger of two integers."""
        return self.let(f"call i64 @llvm.smax.i64(i64 {a}, i64 {b})")

    def counted(self, fact: str) -> str:
        """Returns 1 where a fact holds, else 0."""
        return self.let(f"zext i1 {fact} to i64")

    def lane(self, x: str, k: int) -> str:
        return self.let(f"extractelement {self.v} {x}, i32 {k}")

    # control

    @contextmanager
    def loop(self, start: int | str, stop: int | str, carried: Sequence[tuple[str, str]] = ()) -> Iterator[Turn]:
        """Makes the `with` block a loop over start … stop − 1; carried: type and first value of each carried value"""
        name, before = self._fresh("loop"), self.block
        self.begin(name)
        turn, place = Turn(name, len(carried)), len(self.lines)
        self.branch(self.let(f"icmp slt i64 {turn.index}, {stop}"), f"{name}.body", f"{name}.end")
        self.begin(f"{name}.body", linked=False)
        yield turn
        self.begin(f"{name}.latch")
        self.put(f"{turn.next} = add i64 {turn.index}, 1")
        self.go(name)
        self._carry(place, turn, carried, before, self.block, start)
        self.begin(f"{name}.end", linked=False)

    def _carry(
        self,
        place: int,
        turn: Turn,
        carried: Sequence[tuple[str, str]],
        before: str,
        latch: str,
        start: int | str,
    ) -> None:
        """Inserts a loop's carried values at its beginning; they are known when it ends."""
        rows = [(turn.index, "i64", start, turn.next)]
        rows += [(x, *first, last) for x, first, last in zip(turn.values, carried, turn.following, strict=True)]
        self.lines[place:place] = [
            f"  {name} = phi {kind} [ {first}, %{before} ], [ {last}, %{latch} ]" for name, kind, first, last in rows
        ]

    @contextmanager
    def turns(
        self, start: int | str, stop: int | str, step: int = 1, carried: Sequence[tuple[str, str]] = ()
    ) -> Iterator[Turn]:
        """Makes the `with` block a loop over start, start + step … below stop, with at least one iteration."""
        name, before = self._fresh("loop"), self.block
        self.begin(name)
        turn, place = Turn(name, len(carried)), len(self.lines)
        yield turn
        self.foresee(turn, stop, step)
        self._carry(place, turn, carried, before, self.block, start)
        self.branch(turn.more, name, f"{name}.end")
        self.begin(f"{name}.end", linked=False)

    def foresee(self, turn: Turn, stop: int | str, step: int = 1) -> str:
        """Returns whether another iteration follows; this test is written only once."""
        if not turn.more:
            self.put(f"{turn.next} = add i64 {turn.index}, {step}")
            turn.more = self.let(f"icmp slt i64 {turn.next}, {stop}")
        return turn.more

    @contextmanager
    def when(self, condition: str, note: str = "") -> Iterator[None]:
        """Makes the `with` block conditional; note: metadata of the branch"""
        name = self._fresh("when")
        self.branch(condition, name, f"{name}.end", note)
        self.begin(name, linked=False)
        yield
        self.begin(f"{name}.end")

    def leave(self, condition: str, result: str) -> None:
        """Writes a return from the function if the condition holds."""
        name = self._fresh("leave")
        self.branch(condition, name, f"{name}.end")
        self.begin(name, linked=False)
        self.end(result, f"{name}.end")

    def unless(self, condition: str, block: str) -> None:
        """Writes a jump to a block unless the condition holds."""
        name = self._fresh("go")
        self.branch(condition, name, block)
        self.begin(name, linked=False)

    def stop(self, turn: Turn, condition: str) -> None:
        """Writes the end of a loop if the condition holds; carried values then keep those of this iteration."""
        name = self._fresh("stay")
        self.branch(condition, f"{turn.name}.end", name)
        self.begin(name, linked=False)

    def end(self, result: str, block: str = "") -> None:
        """Writes a return from the function, and begins a block to which others lead, or without a name, none."""
        self.put(f"ret {result}")
        self.begin(block or self._fresh("dead"), linked=False)

    def label(self) -> str:
        """Returns the name of a block that begins later."""
        return self._fresh("block")

    def branch(self, condition: str, yes: str, no: str, note: str = "") -> None:
        """Writes a jump to one of two blocks."""
        self.put(f"br i1 {condition}, label %{yes}, label %{no}{note and ', ' + note}")

    def go(self, block: str) -> None:
        """Writes a jump to a block."""
        self.put(f"br label %{block}")

    def phi(self, kind: str, *values: tuple[str, str]) -> str:
        """Returns the value of the block from which this one was entered; values: each with its block"""
        return self.let(f"phi {kind} " + ", ".join(f"[ {value}, %{block} ]" for value, block in values))

    def begin(self, block: str, linked: bool = True) -> None:
        """Begins a block; linked: whether the one before leads to it."""
        if linked:
            self.go(block)
        self.lines.append(f"{block}:")
        self.block = block


def horner(w: Writer, coefficients: Sequence[float], z: str) -> str:
    """Returns the value of a polynomial in z, by Horner's scheme."""
    total = w.number(coefficients[0])
    for coefficient in coefficients[1:]:
        total = w.called("fma", total, z, w.number(coefficient))
    return total
