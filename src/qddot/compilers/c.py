"""Programs as C99: a header and a source that allocate nothing and need libm alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.compilers.exported import TOLERANCE, Origin, arguments, interface, numbers, vectors
from qddot.program.program import Node, Program

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
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def files(programs: Sequence[Program], origin: Origin, name: str, real: str = "double") -> dict[str, str]:
    """The header and the source of some functions, by file name; `real` is double or float."""
    return {
        f"{name}.h": "\n".join(_header(programs, origin, name, real)) + "\n",
        f"{name}.c": "\n".join(_source(programs, origin, name, real)) + "\n",
    }


def _header(programs: Sequence[Program], origin: Origin, name: str, real: str) -> Iterator[str]:
    guard = f"QDDOT_{name.upper()}_H"
    yield f"/* {origin}"
    yield f" * Self-test: cc {name}.c -DQDDOT_SELFTEST -lm && ./a.out */"
    yield from (f"#ifndef {guard}", f"#define {guard}", "")
    yield from ("#ifdef __cplusplus", 'extern "C" {', "#endif", "")
    for program in programs:
        yield f"/* {program.name}"
        yield from (f" *   {line}" for line in interface(program, _names(program, name), origin))
        yield " */"
        yield f"{_signature(program, name, real)};"
        yield ""
    yield from ("#ifdef __cplusplus", "}", "#endif", "", "#endif")


def _source(programs: Sequence[Program], origin: Origin, name: str, real: str) -> Iterator[str]:
    yield f"/* {origin} */"
    yield from (f'#include "{name}.h"', "", "#include <math.h>", "")
    for program in programs:
        yield f"{_signature(program, name, real)} {{"
        yield from _body(program, name, real)
        yield from ("}", "")
    yield from _self_test(programs, name, real)


def _signature(program: Program, name: str, real: str) -> str:
    names = _names(program, name)
    inputs = [f"const {real} {name}[{port.size}]" for name, port in zip(names, program.inputs, strict=True)]
    outputs = [f"{real} {port.name}_out[{port.size}]" for port in program.outputs]
    return f"void {name}_{program.name}({', '.join([*inputs, *outputs])})"


def _names(program: Program, name: str) -> list[str]:
    return arguments(program, {*RESERVED, f"{name}_{program.name}"}, FAMILIES)


def _body(program: Program, name: str, real: str) -> Iterator[str]:
    names = _names(program, name)
    read = {node.element[0] for node in program.nodes if node.op == "input"}
    yield from (f"    (void){unread};" for port, unread in enumerate(names) if port not in read)
    for place, node in enumerate(program.nodes):
        if node.op not in ("input", "constant"):
            values = [_value(program.nodes[k], k, names, real) for k in node.args]
            yield f"    const {real} t{place} = {_operation(node.op, values, real)};"
    for port, places in program.result_slices():
        for element, place in enumerate(places):
            yield f"    {port.name}_out[{element}] = {_value(program.nodes[place], place, names, real)};"


def _operation(op: str, values: Sequence[str], real: str) -> str:
    if op in INFIX:
        return f" {INFIX[op]} ".join(values)
    if op == "neg":
        return f"-{values[0]}"
    if op == "sign":
        return f"({real})(({values[0]} > 0) - ({values[0]} < 0))"
    if op in ORDERED:
        # as NumPy's: what is not a number stays one
        a, b = values
        return f"({a} != {a} || {a} {ORDERED[op]} {b}) ? {a} : {b}"
    return f"{op}{'f' if real == 'float' else ''}({values[0]})"


def _value(node: Node, place: int, names: Sequence[str], real: str) -> str:
    if node.op == "input":
        return f"{names[node.element[0]]}[{node.element[1]}]"
    if node.op == "constant":
        shown = repr(node.value) + ("f" if real == "float" else "")
        return f"({shown})" if node.value < 0 else shown
    return f"t{place}"


def _self_test(programs: Sequence[Program], name: str, real: str) -> Iterator[str]:
    yield from ("#ifdef QDDOT_SELFTEST", "#include <stdio.h>", "", "int main(void) {", "    int wrong = 0;")
    for program in programs:
        for inputs, outputs in vectors(program):
            yield "    {"
            passed = _names(program, name)
            for argument, values in zip(passed, inputs, strict=True):
                yield f"        const {real} {argument}[] = {{{numbers(values)}}};"
            for port, values in zip(program.outputs, outputs, strict=True):
                yield f"        const double {port.name}_right[] = {{{numbers(values)}}};"
                yield f"        {real} {port.name}_out[{port.size}];"
                passed.append(f"{port.name}_out")
            yield f"        {name}_{program.name}({', '.join(passed)});"
            for port in program.outputs:
                yield f"        for (int i = 0; i < {port.size}; i++)"
                yield (
                    f"            wrong += !(fabs({port.name}_out[i] - {port.name}_right[i]) <= "
                    f"{TOLERANCE[real]!r} * (1 + fabs({port.name}_right[i])));"
                )
            yield "    }"
    yield f'    printf(wrong ? "{name}: %d values are wrong\\n" : "{name}: all values are right\\n", wrong);'
    yield from ("    return wrong != 0;", "}", "#endif")
