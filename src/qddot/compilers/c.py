"""Writes programs as C99: a header and a source that allocate nothing and need only libm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.compilers.exported import TOLERANCE, Origin, numbers
from qddot.compilers.printer import Printer
from qddot.program.program import Port, Program

REALS = ("double", "float")
ORDERED = {"minimum": "<", "maximum": ">"}
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
    interface DEC_INFINITY DEC_NAN SNAN SNANF SNANL fpclassify isnan isinf isfinite isnormal isgreater isgreaterequal
    isless islessequal islessgreater isunordered signbit sin cos tanh exp sqrt fabs sinf cosf tanhf expf sqrtf
"""  # of C and C++, of their headers, and of the self-test
RESERVED = frozenset(re.findall(r"\w+", WORDS))
# what the language keeps for itself (_Bool, _Complex, __int128 …), and constants of its headers
FAMILIES = re.compile(
    r"_[A-Z_]\w*|(FP|FE|FLT|DBL|LDBL|DEC\d*|SEEK)_[A-Z0-9_]+|HUGE\w*"
    r"|U?(INT|CHAR|SCHAR|SHRT|LONG|LLONG|PTRDIFF|SIZE|WCHAR|WINT|RAND|BOOL|SIG_ATOMIC)[A-Z0-9_]*_(MAX|MIN|WIDTH)"
)


def files(programs: Sequence[Program], origin: Origin, name: str, real: str = "double") -> dict[str, str]:
    """Returns the header and the source of some functions, by file name."""
    printer = _C(programs, origin, name, real)
    return {
        f"{name}.h": "\n".join(_header(printer)) + "\n",
        f"{name}.c": "\n".join(_source(printer)) + "\n",
    }


class _C(Printer):
    reserved = RESERVED
    families = FAMILIES

    def kept(self, program: Program) -> set[str]:
        return {*RESERVED, self.function(program)}

    def function(self, program: Program) -> str:
        return f"{self.name}_{program.name}"

    def constant(self, value: float) -> str:
        return f"{value!r}{'f' if self.real == 'float' else ''}"

    def element(self, argument: str, port: Port, place: int) -> str:
        return f"{argument}[{place}]"

    def call(self, op: str, values: Sequence[str]) -> str:
        if op == "sign":
            return f"({self.real})(({values[0]} > 0) - ({values[0]} < 0))"
        if op in ORDERED:
            # as in NumPy, NaN stays NaN
            a, b = values
            return f"({a} != {a} || {a} {ORDERED[op]} {b}) ? {a} : {b}"
        return f"{op}{'f' if self.real == 'float' else ''}({values[0]})"

    def assignment(self, variable: str, expression: str) -> str:
        return f"    const {self.real} {variable} = {expression};"

    def trial(self, program: Program, inputs: Sequence[list[float]], outputs: Sequence[list[float]]) -> Iterator[str]:
        yield "    {"
        passed = self.names(program)
        for argument, values in zip(passed, inputs, strict=True):
            yield f"        const {self.real} {argument}[] = {{{numbers(values)}}};"
        for port, values in zip(program.outputs, outputs, strict=True):
            yield f"        const double {port.name}_right[] = {{{numbers(values)}}};"
            yield f"        {self.real} {port.name}_out[{port.size}];"
            passed.append(f"{port.name}_out")
        yield f"        {self.function(program)}({', '.join(passed)});"
        for port in program.outputs:
            yield f"        for (int i = 0; i < {port.size}; i++)"
            yield (
                f"            wrong += !(fabs({port.name}_out[i] - {port.name}_right[i]) <= "
                f"{TOLERANCE[self.real]!r} * (1 + fabs({port.name}_right[i])));"
            )
        yield "    }"

    def signature(self, program: Program) -> str:
        ports = zip(self.names(program), program.inputs, strict=True)
        inputs = [f"const {self.real} {name}[{port.size}]" for name, port in ports]
        outputs = [f"{self.real} {port.name}_out[{port.size}]" for port in program.outputs]
        return f"void {self.function(program)}({', '.join([*inputs, *outputs])})"


def _header(c: _C) -> Iterator[str]:
    guard = f"QDDOT_{c.name.upper()}_H"
    yield f"/* {c.origin}"
    yield f" * Self-test: cc {c.name}.c -DQDDOT_SELFTEST -lm && ./a.out */"
    yield from (f"#ifndef {guard}", f"#define {guard}", "")
    yield from ("#ifdef __cplusplus", 'extern "C" {', "#endif", "")
    for program in c.programs:
        yield f"/* {program.name}"
        yield from (f" *   {line}" for line in c.interface(program))
        yield " */"
        yield f"{c.signature(program)};"
        yield ""
    yield from ("#ifdef __cplusplus", "}", "#endif", "", "#endif")


def _source(c: _C) -> Iterator[str]:
    yield f"/* {c.origin} */"
    yield from (f'#include "{c.name}.h"', "", "#include <math.h>", "")
    for program in c.programs:
        yield f"{c.signature(program)} {{"
        read = {node.element[0] for node in program.nodes if node.op == "input"}
        yield from (f"    (void){unread};" for port, unread in enumerate(c.names(program)) if port not in read)
        yield from c.operations(program)
        for port, values in c.results(program):
            yield from (f"    {port.name}_out[{element}] = {value};" for element, value in enumerate(values))
        yield from ("}", "")
    yield from ("#ifdef QDDOT_SELFTEST", "#include <stdio.h>", "", "int main(void) {", "    int wrong = 0;")
    yield from c.trials()
    yield f'    printf(wrong ? "{c.name}: %d values are wrong\\n" : "{c.name}: all values are right\\n", wrong);'
    yield from ("    return wrong != 0;", "}", "#endif")
