"""Lists the names that no argument of exported C may have."""

from __future__ import annotations

import re

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
    isgreaterequal isless islessequal islessgreater isunordered signbit sin cos tanh exp sqrt fabs sinf cosf tanhf expf
    sqrtf rint rintf
    size_t ptrdiff_t max_align_t offsetof DECIMAL_DIG uint64_t memcpy fma states stride lane inputs outputs angles sines
    cosines
"""  # of C and C++, of their headers, and of the self-test
RESERVED = frozenset(re.findall(r"\w+", WORDS))
# names that the language reserves (_Bool, _Complex, __int128 …), and constants of its headers
FAMILIES = re.compile(
    r"_[A-Z_]\w*|(FP|FE|FLT|DBL|LDBL|DEC\d*|SEEK)_[A-Z0-9_]+|HUGE\w*|QDDOT_\w*|rows\d+"
    r"|U?(INT|CHAR|SCHAR|SHRT|LONG|LLONG|PTRDIFF|SIZE|WCHAR|WINT|RAND|BOOL|SIG_ATOMIC)[A-Z0-9_]*_(MAX|MIN|WIDTH)"
)
