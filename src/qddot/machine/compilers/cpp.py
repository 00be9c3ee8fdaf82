"""Writes programs as C++17: a header over the exported C, with views of arguments, and joints known to the compiler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.program import Port, Program
from qddot.machine.compilers import c
from qddot.machine.compilers.c.dialect import RESERVED, C
from qddot.machine.compilers.exported import Origin
from qddot.machine.compilers.joint_table import Position, Velocity
from qddot.machine.compilers.printer import Tests

REALS = c.REALS
ARRAYS = """
#ifndef QDDOT_ARRAYS
#define QDDOT_ARRAYS
namespace qddot {

/* An array with row-major entries a(i, j), which std::array is for one axis. */
template <class Real, std::size_t... Sizes>
struct Array {
    std::array<Real, (Sizes * ... * 1)> entries;

    template <class... Indices>
    constexpr Real &operator()(Indices... indices) { return entries[place(indices...)]; }
    template <class... Indices>
    constexpr const Real &operator()(Indices... indices) const { return entries[place(indices...)]; }
    constexpr Real *data() { return entries.data(); }
    constexpr const Real *data() const { return entries.data(); }
    static constexpr std::size_t size() { return (Sizes * ... * 1); }

private:
    template <class... Indices>
    static constexpr std::size_t place(Indices... indices) {
        static_assert(sizeof...(Indices) == sizeof...(Sizes), "an index for each axis");
        std::size_t at = 0;
        ((at = at * Sizes + static_cast<std::size_t>(indices)), ...);
        return at;
    }
};

template <class...>
struct Void {
    using type = void;
};

/* How many entries a type has, or -1 where only its values say it. */
template <class Numbers, class = void>
struct SizeOf : std::integral_constant<long, -1> {};
template <class Numbers>
struct SizeOf<Numbers, typename Void<decltype(std::tuple_size<Numbers>::value)>::type>
    : std::integral_constant<long, static_cast<long>(std::tuple_size<Numbers>::value)> {};
template <class Numbers>
struct SizeOf<Numbers, typename Void<decltype(Numbers::SizeAtCompileTime)>::type>
    : std::integral_constant<long, static_cast<long>(Numbers::SizeAtCompileTime)> {};

/* Whether the entries lie in memory one after the other, in row-major order: false of some types of Eigen. */
template <class Numbers, class = void>
struct IsPlain : std::true_type {};
template <class Numbers>
struct IsPlain<Numbers, typename Void<decltype(Numbers::InnerStrideAtCompileTime)>::type>
    : std::bool_constant<
          static_cast<int>(Numbers::InnerStrideAtCompileTime) == 1 &&
          (static_cast<bool>(Numbers::IsVectorAtCompileTime) ||
           (static_cast<bool>(Numbers::IsRowMajor) && static_cast<int>(Numbers::ColsAtCompileTime) > 0 &&
            static_cast<int>(Numbers::OuterStrideAtCompileTime) == static_cast<int>(Numbers::ColsAtCompileTime)))> {};

/* N numbers of a caller, which are read only: of anything with data() and size(), of an array, or in braces. */
template <class Real, std::size_t N>
class View {
public:
    constexpr View(const Real (&numbers)[N]) noexcept : first(numbers) {}
    View(std::initializer_list<Real> numbers) : View(numbers.begin(), numbers.size()) {}
    template <class Numbers, class = std::enable_if_t<std::is_convertible_v<
                                 decltype(std::declval<const Numbers &>().data()), const Real *>>>
    View(const Numbers &numbers) : View(numbers.data(), static_cast<std::size_t>(numbers.size())) {
        static_assert(SizeOf<Numbers>::value < 0 || SizeOf<Numbers>::value == static_cast<long>(N),
                      "the array has another size");
        static_assert(IsPlain<Numbers>::value, "entries have to lie one after the other, those of matrices row-major");
    }
    constexpr const Real *data() const noexcept { return first; }

private:
    View(const Real *numbers, std::size_t size) : first(numbers) {
        if (size == N)
            return;
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
        throw std::length_error("qddot: " + std::to_string(size) + " numbers instead of " + std::to_string(N));
#else
        std::abort();
#endif
    }
    const Real *first;
};

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/* An entry of q; limits are infinite where none are known. */
struct Position {
    std::string_view name, unit, joint;
    double lower, upper;
};

/* An entry of qd, and of qdd and tau; effort: the motor's largest torque or force, infinite where none is known. */
struct Velocity {
    std::string_view name, unit, joint, torque_unit;
    double effort;
    bool driven;
};

}
#endif

#if defined(EIGEN_WORLD_VERSION) && !defined(QDDOT_EIGEN)
#define QDDOT_EIGEN
namespace qddot {

template <class Real, std::size_t Rows, std::size_t Columns>
using Matrix = Eigen::Matrix<Real, static_cast<int>(Rows), static_cast<int>(Columns),
                             Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/* Results as vectors and matrices of Eigen, without a copy; the result has to live longer. */
template <class Real, std::size_t N>
Eigen::Map<Matrix<Real, N, 1>> map(std::array<Real, N> &numbers) {
    return Eigen::Map<Matrix<Real, N, 1>>(numbers.data());
}
template <class Real, std::size_t N>
Eigen::Map<const Matrix<Real, N, 1>> map(const std::array<Real, N> &numbers) {
    return Eigen::Map<const Matrix<Real, N, 1>>(numbers.data());
}
template <class Real, std::size_t Rows, std::size_t Columns>
Eigen::Map<Matrix<Real, Rows, Columns>> map(Array<Real, Rows, Columns> &numbers) {
    return Eigen::Map<Matrix<Real, Rows, Columns>>(numbers.data());
}
template <class Real, std::size_t Rows, std::size_t Columns>
Eigen::Map<const Matrix<Real, Rows, Columns>> map(const Array<Real, Rows, Columns> &numbers) {
    return Eigen::Map<const Matrix<Real, Rows, Columns>>(numbers.data());
}
template <class Real, std::size_t N>
void map(const std::array<Real, N> &&) = delete;
template <class Real, std::size_t Rows, std::size_t Columns>
void map(const Array<Real, Rows, Columns> &&) = delete;

}
#endif
""".strip("\n")
HEADERS = (
    *("array", "cstddef", "cstdlib", "initializer_list", "limits", "stdexcept", "string", "string_view"),
    *("tuple", "type_traits", "utility"),
)
OWN = {
    "std",
    "qddot",
    "real",
    "results",
    "View",
    "Array",
    "SizeOf",
    "IsPlain",
    "Position",
    "Velocity",
    "Matrix",
    "map",
    "unlimited",
}


def files(programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double") -> dict[str, str]:
    """Returns the header of C++, and the header and source of C, by file name."""
    cpp = _Cpp(programs, origin, name, tests, real)
    return {f"{name}.hpp": "\n".join(_header(cpp)) + "\n", **c.texts(cpp)}


class _Cpp(C):
    """This is C, none of whose arguments has a name that the header uses."""

    def reserved_names(self, program: Program) -> set[str]:
        return super().reserved_names(program) | OWN

    @property
    def namespace(self) -> str:
        return f"{self.name}_" if self.name in RESERVED | OWN else self.name

    def parameters(self, program: Program) -> list[str]:
        """Returns the parameters of the function of C++."""
        ports = zip(self.names(program), program.inputs, strict=True)
        return [f"View<{port.size}> {name}" if port.shape else f"real {name}" for name, port in ports]

    def type_of(self, port: Port) -> str:
        if len(port.shape) < 2:
            return f"std::array<real, {port.size}>" if port.shape else "real"
        return f"Array<{', '.join(map(str, port.shape))}>"


def _header(cpp: _Cpp) -> Iterator[str]:
    guard, joints = f"QDDOT_{cpp.name.upper()}_HPP", cpp.origin.joints
    yield f"/* {cpp.origin}"
    yield f" * C++17 in the namespace qddot::{cpp.namespace}, over the C of {cpp.name}.c."
    compiled = f"cc -O3 -c {cpp.name}.c && c++ -O3 -std=c++17 main.cpp {cpp.name}.o -lm"
    yield f" * With a main.cpp that includes this file: {compiled}"
    yield " *"
    yield " * A View<N> takes std::array, std::vector, std::span, arrays, vectors of Eigen, or numbers in braces. A"
    yield " * wrong size is an error of the compiler where it is known to it, else std::length_error. Results are"
    yield " * numbers, std::array, or row-major Array<rows, columns>; several are a struct. If Eigen is included before"
    yield f" * this file, qddot::map(result) is an Eigen::Map. Batches are functions of C: {cpp.name}.h."
    yield from c.joint_comment(cpp)
    yield " */"
    yield from (f"#ifndef {guard}", f"#define {guard}", "")
    yield from (f"#include <{header}>" for header in HEADERS)
    yield from ("", f'#include "{cpp.name}.h"', "", ARRAYS, "")
    yield from (f"namespace qddot::{cpp.namespace} {{", "")
    yield f"using real = {cpp.real};"
    yield "template <std::size_t N>"
    yield "using View = qddot::View<real, N>;"
    yield "template <std::size_t... Sizes>"
    yield "using Array = qddot::Array<real, Sizes...>;"
    yield ""
    yield from _constants("Position", "joint_positions", [_of_position(each) for each in joints.positions])
    yield from _constants("Velocity", "joint_velocities", [_of_velocity(each) for each in joints.velocities])
    if joints.independent:
        yield "/* the places in qd of the rates of the equations */"
        places = [str(k) for k in joints.independent]
        yield from (f"inline constexpr std::array<std::size_t, {len(places)}> independent{{{', '.join(places)}}};", "")
    for program in cpp.programs:
        yield from _function(cpp, program)
    yield from ("}", "", "#endif")


def _function(cpp: _Cpp, program: Program) -> Iterator[str]:
    outputs, of = program.outputs, [cpp.type_of(port) for port in program.outputs]
    several = len(outputs) > 1
    results = "".join(map(str.capitalize, program.name.split("_"))) if several else of[0]
    if several:
        yield f"struct {results} {{"
        yield from (f"    {kind} {port.name};" for kind, port in zip(of, outputs, strict=True))
        yield from ("};", "")
    yield f"/* {program.name}"
    yield from (f" *   {line}" for line in cpp.interface(program))
    yield " */"
    yield f"inline {results} {program.name}({', '.join(cpp.parameters(program))}) noexcept {{"
    yield f"    {results} results;"
    inputs = zip(cpp.names(program), program.inputs, strict=True)
    arguments = [_pointer(name, port) for name, port in inputs]
    arguments += [_pointer(f"results.{port.name}" if several else "results", port) for port in outputs]
    yield f"    ::{cpp.function(program)}({', '.join(arguments)});"
    yield from ("    return results;", "}", "")


def _pointer(name: str, port: Port) -> str:
    return f"{name}.data()" if port.shape else f"&{name}"


def _constants(kind: str, name: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"inline constexpr std::array<{kind}, {len(rows)}> {name}{{{{"
    yield from (f"    {{{', '.join(row)}}}," for row in rows)
    yield from ("}};", "")


def _of_position(each: Position) -> list[str]:
    return [*map(_quoted, (each.name, each.unit, each.joint)), _number(each.lower), _number(each.upper)]


def _of_velocity(each: Velocity) -> list[str]:
    texts = map(_quoted, (each.name, each.unit, each.joint, each.torque_unit))
    return [*texts, _number(each.effort), str(each.driven).lower()]


def _quoted(text: str) -> str:
    """Returns a text in UTF-8, whatever the compiler takes for the encoding of the file."""
    return '"' + "".join(x if x.isascii() else "".join(f"\\{byte:03o}" for byte in x.encode()) for x in text) + '"'


def _number(value: float) -> str:
    return repr(value).replace("inf", "unlimited")
