"""Writes the arithmetic of programs, the declarations of their functions, and their self-test in C."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.algebra.expressions.identifiers import latin
from qddot.algebra.program.operations import OPERATIONS, Operation
from qddot.algebra.program.program import Port, Program
from qddot.machine.compilers.c.split import split
from qddot.machine.compilers.exported import Origin, TrialState, numbers
from qddot.machine.compilers.printer import Printer, Tests

HELPERS = ("sincos", "columns", "rows", "lanes", "many", "repeat", "wrong")  # functions and constants in the file
WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union
    unsigned using virtual void volatile wchar_t while xor xor_eq linux unix i386 NULL EOF BUFSIZ FILENAME_MAX
    FOPEN_MAX L_tmpnam P_tmpdir SEEK_CUR SEEK_END SEEK_SET TMP_MAX stdin stdout stderr printf main wrong i NAN
    INFINITY HUGE HUGE_VAL HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_NORMAL FP_SUBNORMAL FP_FAST_FMA
    FP_FAST_FMAF FP_FAST_FMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling DOMAIN SING
    OVERFLOW UNDERFLOW PLOSS TLOSS X_TLOSS MAXFLOAT M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI
    M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 I complex imaginary noreturn errno fortran contract_assert near far small
    interface DEC_INFINITY DEC_NAN SNAN SNANF SNANL fpclassify isnan isinf isfinite isnormal isgreater
    isgreaterequal isless islessequal islessgreater isunordered signbit fabs size_t ptrdiff_t max_align_t offsetof
    DECIMAL_DIG uint64_t memcpy fma states stride lane inputs outputs angles sines cosines
"""  # of C and C++, of their headers, and of the self-test
RESERVED = frozenset(re.findall(r"\w+", WORDS))
# names that the language reserves (_Bool, _Complex, __int128 …), and constants of its headers
FAMILIES = re.compile(
    r"_[A-Z_]\w*|(FP|FE|FLT|DBL|LDBL|DEC\d*|SEEK)_[A-Z0-9_]+|HUGE\w*|QDDOT_\w*|rows\d+"
    r"|U?(INT|CHAR|SCHAR|SHRT|LONG|LLONG|PTRDIFF|SIZE|WCHAR|WINT|RAND|BOOL|SIG_ATOMIC)[A-Z0-9_]*_(MAX|MIN|WIDTH)"
)


class C(Printer):
    """This writes programs in C; the elements of one state's array are `stride` apart."""

    def __init__(self, programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str) -> None:
        super().__init__(programs, origin, name, tests, real)
        self.splits = {program.name: split(program) for program in programs}
        for program in programs:
            parts, names = self.splits[program.name], self.names(program)
            self._names |= {parts.angles.name: names, parts.rest.name: [*names, "sines", "cosines"]}

    def reserved_names(self, program: Program) -> set[str]:
        function = self.function(program)
        own = (function, f"{function}_batch", f"{function}_angles", f"{function}_rest")
        return {*RESERVED, *_library(), *own, *(f"{self.name}_{helper}" for helper in HELPERS)}

    def spelled(self, name: str) -> str:
        plain = latin(name)
        return f"p{plain}" if FAMILIES.fullmatch(plain) else plain

    def function(self, program: Program) -> str:
        return f"{self.name}_{program.name}"

    def constant(self, value: float) -> str:
        return f"{value!r}{'f' if self.real == 'float' else ''}"

    def element(self, argument: str, port: Port, place: int) -> str:
        return f"{argument}[{place} * stride]" if port.shape else f"{argument}[0]"

    def call(self, function: Operation, values: Sequence[str]) -> str:
        if function.c:
            return function.c.format(*values, real=self.real)
        return f"{function.name}{'f' if self.real == 'float' else ''}({', '.join(values)})"

    def assignment(self, variable: str, expression: str) -> str:
        return f"    const {self.real} {variable} = {expression};"

    def read(self, program: Program) -> list[int]:
        """Returns the indices of the inputs that a program reads."""
        return sorted({node.element[0] for node in program.nodes if node.op == "input"})

    def single(self, program: Program) -> str:
        """Returns the declaration of the function for one state."""
        ports = zip(self.names(program), program.inputs, strict=True)
        inputs = [f"const {self.real} {name}[{port.size}]" for name, port in ports]
        outputs = [f"{self.real} {port.name}_out[{port.size}]" for port in program.outputs]
        return f"void {self.function(program)}({', '.join([*inputs, *outputs])})"

    def batch(self, program: Program) -> str:
        """Returns the declaration of the function for many states."""
        inputs = [f"const {self.real} *QDDOT_RESTRICT {name}" for name in self.names(program)]
        outputs = [f"{self.real} *QDDOT_RESTRICT {port.name}_out" for port in program.outputs]
        return f"void {self.function(program)}_batch({', '.join(['size_t states', *inputs, *outputs])})"

    def part(self, program: Program) -> str:
        """Returns the declaration of one of the two parts of a function, which takes only the inputs that it reads."""
        names = self.names(program)
        inputs = [f"const {self.real} *{names[place]}" for place in self.read(program)]
        outputs = [f"{self.real} *{self.result(port)}" for port in program.outputs]
        return f"QDDOT_INLINE void {self.function(program)}({', '.join(['size_t stride', *inputs, *outputs])})"

    def result(self, port: Port) -> str:
        """Returns the name of an output; that of the first part is "angles"."""
        return "angles" if port.name == "angles" else f"{port.name}_out"

    def trial(self, program: Program, states: Sequence[TrialState]) -> Iterator[str]:
        """Yields a call for each state, and batches of all sizes up to `many`, in which the states repeat."""
        function, many = self.function(program), f"{self.name}_many"
        rows, row = list[str](), list[str]()
        yield "    {"
        for place, (name, port) in enumerate(zip(self.names(program), program.inputs, strict=True)):
            values = [x for state in (states if port.shape else states[:1]) for x in state.inputs[place]]
            yield f"        const {self.real} {name}[] = {{{numbers(values)}}};"
            if port.shape:
                yield f"        static {self.real} rows{place}[{port.size} * {many}];"
                yield f"        for (size_t i = 0; i < {port.size} * {many}; i++)"
                yield f"            rows{place}[i] = {name}[i % {len(values)}];"
            rows.append(f"rows{place}" if port.shape else name)
            row.append(f"rows{place} + {port.size} * i" if port.shape else name)
        for place, port in enumerate(program.outputs):
            values = [x for state in states for x in state.outputs[place]]
            yield f"        const double {port.name}_right[] = {{{numbers(values)}}};"
            yield f"        static {self.real} {port.name}_out[{port.size} * {many}];"
            rows.append(f"{port.name}_out")
            row.append(f"{port.name}_out + {port.size} * i")
        yield f"        for (size_t i = 0; i < {len(states)}; i++)"
        yield f"            {function}({', '.join(row)});"
        yield from self._compared(program, str(len(states)), len(states), "        ")
        yield f"        for (size_t states = 0; states <= {many}; states++) {{"
        yield f"            {function}_batch({', '.join(['states', *rows])});"
        yield from self._compared(program, "states", len(states), "            ")
        yield from ("        }", "    }")

    def _compared(self, program: Program, states: str, trials: int, indent: str) -> Iterator[str]:
        """Yields the lines that count wrong results."""
        for port in program.outputs:
            size, values, right = port.size, f"{port.name}_out", f"{port.name}_right"
            yield f"{indent}wrong += {self.name}_wrong({size} * {states}, {values}, {size * trials}, {right});"


def _library() -> set[str]:
    """Returns the names of the C library's functions that programs may call."""
    return {each.name + end for each in OPERATIONS.values() for end in ("", "f") if not (each.sign or each.c)}
