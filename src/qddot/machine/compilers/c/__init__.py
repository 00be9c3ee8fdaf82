"""Writes programs as C99: a header and a source that allocate no memory and need only libm.

A function computes one state; its batch computes several states at once, one per lane, in loops that compilers
vectorise. Both share the text of the arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.program import Program
from qddot.machine.compilers.c.circular import sincos
from qddot.machine.compilers.c.definitions import definitions, moves
from qddot.machine.compilers.c.dialect import C
from qddot.machine.compilers.exported import TOLERANCE, Origin, entry
from qddot.machine.compilers.printer import Tests

REALS = ("double", "float")
COMPILERS = """
#ifndef QDDOT_VECTOR
#ifdef __AVX512F__
#define QDDOT_VECTOR 64
#else
#define QDDOT_VECTOR 32
#endif
#endif
#if QDDOT_VECTOR >= 64 && defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#pragma GCC target("prefer-vector-width=512") /* GCC would use 256 bits */
#endif
#ifndef QDDOT_INLINE
#if defined(__GNUC__)
#define QDDOT_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define QDDOT_INLINE static __forceinline
#else
#define QDDOT_INLINE static inline
#endif
#endif
"""
RESTRICT = """
#ifndef QDDOT_RESTRICT
#if defined(__GNUC__) || defined(_MSC_VER)
#define QDDOT_RESTRICT __restrict
#elif defined(__cplusplus)
#define QDDOT_RESTRICT
#else
#define QDDOT_RESTRICT restrict
#endif
#endif
"""


def files(programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double") -> dict[str, str]:
    """Returns the header and the source of some functions, by file name."""
    return texts(C(programs, origin, name, tests, real))


def texts(c: C) -> dict[str, str]:
    """Returns the header and the source, by file name."""
    return {f"{c.name}.h": "\n".join(_header(c)) + "\n", f"{c.name}.c": "\n".join(_source(c)) + "\n"}


def _header(c: C) -> Iterator[str]:
    guard = f"QDDOT_{c.name.upper()}_H"
    yield f"/* {c.origin}"
    yield f" * Self-test: cc {c.name}.c -DQDDOT_SELFTEST -lm && ./a.out"
    yield f" * With a main.c that includes this file: cc -O3 main.c {c.name}.c -lm"
    yield " *"
    yield " * A function computes one state, its batch any number: each array of a batch has one row per state,"
    yield " * row after row; results must not overlap other arrays; an argument without [size] in the"
    yield " * comment above its function is one number, the same for all states of a batch."
    yield " * With -O3 -march=native, vectors of QDDOT_VECTOR bytes (32 or 64) hold several states."
    yield from joint_comment(c)
    yield " */"
    yield from (f"#ifndef {guard}", f"#define {guard}", "", "#include <stddef.h>", "")
    yield RESTRICT.lstrip()
    yield from ("#ifdef __cplusplus", 'extern "C" {', "#endif", "")
    for program in c.programs:
        yield f"/* {program.name}"
        yield from (f" *   {line}" for line in c.interface(program))
        yield " */"
        yield f"{c.single(program)};"
        yield f"{c.batch(program)};"
        yield ""
    yield from ("#ifdef __cplusplus", "}", "#endif", "", "#endif")


def joint_comment(c: C) -> Iterator[str]:
    """Yields the lines of a comment on the joints."""
    if c.origin.joints.positions:
        yield " *"
    yield from (f" * {line}" for line in c.origin.joints.lines(entry))


def _source(c: C) -> Iterator[str]:
    yield f"/* {c.origin} */"
    yield from (f'#include "{c.name}.h"', "")
    yield from (f"#include <{header}.h>" for header in ("float", "math", "stdint", "string"))
    yield ""
    yield COMPILERS.lstrip()
    yield "/* states of a batch that are computed at once */"
    yield f"enum {{ {c.name}_lanes = QDDOT_VECTOR / sizeof({c.real}) }};"
    yield ""
    if any(parts.count for parts in c.splits.values()):
        yield from sincos(f"{c.name}_sincos", c.real)
    yield from moves(c)
    for program in c.programs:
        yield from definitions(c, program)
    yield from _selftest(c)


def _selftest(c: C) -> Iterator[str]:
    yield from ("#ifdef QDDOT_SELFTEST", "#include <stdio.h>", "")
    yield f"enum {{ {c.name}_many = 3 * {c.name}_lanes + 1 }};"
    yield ""
    yield f"static int {c.name}_wrong(size_t count, const {c.real} *values, size_t given, const double *right) {{"
    yield "    int wrong = 0;"
    yield "    for (size_t i = 0; i < count; i++) {"
    yield "        const double due = right[i % given];"
    yield f"        wrong += !(fabs(values[i] - due) <= {TOLERANCE[c.real]!r} * (1 + fabs(due)));"
    yield from ("    }", "    return wrong;", "}", "")
    yield from ("int main(void) {", "    int wrong = 0;")
    yield from c.trials()
    yield f'    printf(wrong ? "{c.name}: %d values are wrong\\n" : "{c.name}: all values are right\\n", wrong);'
    yield from ("    return wrong != 0;", "}", "#endif")
