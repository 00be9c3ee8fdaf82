"""Drives programs in C, C++ and JavaScript: each assignment prints its value, and each function is called."""

from __future__ import annotations

import re

from program_readings import drawn

TARGET = r"\*?[A-Za-z_]\w*(?:\[\d+\]|\(\d+(?:,\s*\d+)?\))*"
ASSIGNED = re.compile(
    rf"(?:^|(?<=[;{{}}\n]))(?P<gap>\s*)(?P<type>(?:(?:const|static|let|var)\s+)*(?:(?:double|float|auto)\s+)?)"
    rf"(?P<target>{TARGET})\s*(?:[-+*/]|\*\*)?=(?!=)(?P<value>[^;{{}}]*);"
)
ALSO = re.compile(r",\s*([A-Za-z_]\w*)\s*=(?!=)")
FUNCTION = re.compile(
    r"^[ \t]*(?:static\s+|inline\s+)*(?P<type>double|void|std::array<[^{}()]*>|std::vector<[^{}()]*>)\s+"
    r"(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)\s*\{",
    re.MULTILINE,
)
OF_SCRIPT = re.compile(
    r"^(?:export\s+)?(?:function\s+(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)|"
    r"const\s+(?P<arrow>\w+)\s*=\s*\((?P<of_arrow>[^()]*)\)\s*=>)",
    re.MULTILINE,
)
IN_C = r"""
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>
using std::sin; using std::cos; using std::sqrt; using std::pow; using std::fabs;
static void print(double x) { std::printf(" %.17g", x); }
template <class T> static void print(const T &list) { for (const auto &each : list) print(each); }
template <class T> static void show(const char *name, const T &value) {
    std::printf("%s", name); print(value); std::puts("");
}
"""
IN_SCRIPT = """
const show = (name, value) => typeof value !== "function" && console.log(name, ...[value].flat(3));
const rows = () => [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
"""


def shown(text: str) -> str:
    """Returns a program whose assignments print their values."""

    def with_print(match: re.Match[str]) -> str:
        names = [match["target"], *(ALSO.findall(match["value"]) if match["type"] else ())]
        prints = "".join(f' show("{name.lstrip("*")}", {name});' for name in names)
        return f"{match[0]}{prints}"

    out, at = [], 0
    while match := ASSIGNED.search(text, at):
        out += [text[at : match.start()], with_print(match)]
        at = match.end()
    return "".join([*out, text[at:]])


def in_c(text: str, names: set[str]) -> str:
    """Returns a program in C++ with a main function."""
    scalars = sorted(name for name in names if "[" not in name)
    own = set(re.findall(r"^(?:static\s+|const\s+)*double\s+(\w+)\s*=", text, re.MULTILINE))
    declared = [f"static double {name} = {drawn(name)!r};" for name in scalars if name not in own]
    known = {match[1]: match[2] for match in re.finditer(r"struct\s+(\w+)\s*\{([^{}]*)\}", text)}
    known |= {match[2]: match[1] for match in re.finditer(r"typedef\s+struct\s*\w*\s*\{([^{}]*)\}\s*(\w+)", text)}
    unknown = {match[1] for match in re.finditer(r"struct\s+(\w+)\s*[*&]", text)} - set(known)
    fields = " ".join(f"double {name} = {drawn(name)!r};" for name in scalars)
    declared = [*(f"struct {name} {{ {fields} }};" for name in sorted(unknown)), *declared]
    calls = []
    for k, function in enumerate(FUNCTION.finditer(text)):
        arguments = []
        parameters = [each.strip() for each in re.split(r",(?![^<]*>)", function["parameters"]) if each.strip()]
        for m, each in enumerate(parameters):
            name, sizes = re.findall(r"\w+", re.sub(r"\[.*", "", each))[-1], re.findall(r"\[(\d*)\]", each)
            own_name = f"a{k}_{m}"
            entries = ", ".join(repr(drawn(f"{name}[{i}]")) for i in range(4))
            structure = next((one for one in [*known, *unknown] if re.search(rf"\b{one}\b", each)), "")
            if len(sizes) == 2:
                calls.append(f"double {own_name}[4][{sizes[1]}] = {{}};")
            elif structure:
                calls.append(f"{structure} {own_name};")
                members = re.findall(r"\w+", re.sub(r"\b(?:double|const|float)\b|//.*", "", known.get(structure, "")))
                calls += [f"{own_name}.{field} = {drawn(field)!r};" for field in members if not field[0].isdigit()]
                own_name = f"&{own_name}" if "*" in each else own_name
            elif sized := re.search(r"std::(?:array<double,\s*(\d)>|vector<double>)", each):
                listed = ", ".join(repr(drawn(f"{name}[{i}]")) for i in range(int(sized[1] or 3)))
                calls.append(f"{sized[0]} {own_name}{{{listed}}};")
            elif sizes or "*" in each:
                calls.append(f"double {own_name}[4] = {{{entries}}};")
            else:
                own_name = repr(drawn(name))
            arguments.append(own_name)
        call = f"{function['name']}({', '.join(arguments)})"
        calls.append(f"{call};" if function["type"] == "void" else f'show("{function["name"]}", {call});')
        for each, argument in zip(parameters, arguments, strict=True):
            if vector := re.search(r"(\w+)\s*\[(\d)\]$", each):  # what the function fills
                places = range(int(vector[2]))
                calls += [f'show("{vector[1]}[{i}]", {argument}[{i}]);' for i in places if "const" not in each]
    body = re.sub(r"#include[^\n]*", "", text)
    return "\n".join([IN_C, *declared, shown(body), "int main() {", *calls, "}"])


def in_script(text: str, names: set[str]) -> str:
    """Returns a program in JavaScript with calls of its functions."""
    scalars = sorted(name for name in names if "[" not in name)
    fields = ", ".join(f"{name}: {drawn(name)!r}" for name in scalars)
    declared = [f"const ALL = {{ {fields} }};", "Object.assign(globalThis, ALL); globalThis.params = ALL;"]
    calls = []
    for function in OF_SCRIPT.finditer(text):
        arguments = []
        inside = function["parameters"] if function["name"] else function["of_arrow"]
        for each in re.split(r",(?![^{]*\})", inside):
            name = each.strip()
            if re.search(rf"\b{name}\[\d\]\[\d\]", text):
                arguments.append("rows()")
            elif f"{name}[0]" in names or f"{name}[1]" in names:
                arguments.append("[" + ", ".join(repr(drawn(f"{name}[{i}]")) for i in range(4)) + "]")
            elif name.startswith("{") or f"{name}." in text:
                arguments.append("{ ...ALL }")
            else:
                arguments.append("[0, 0, 0, 0]" if re.search(rf"\b{name}\[", text) else repr(drawn(name)))
        name = function["name"] or function["arrow"]
        calls.append(f'show("{name}", {name}({", ".join(arguments)}) ?? 0);')
    return "\n".join([IN_SCRIPT, *declared, shown(text.replace("export ", "")), *calls])


def as_script(text: str) -> str:
    """Returns a program in C as one in JavaScript, without its types."""
    text = re.sub(r"#include[^\n]*|\bconst\s+struct\s+\w+\s*\*|\bstruct\s+\w+\s*\*", "", text).replace("->", ".")
    text = re.sub(r"(?<![.\w])(sin|cos|sqrt|pow)\(", r"Math.\1(", text)

    def head(match: re.Match[str]) -> str:
        names = [re.findall(r"\w+", re.sub(r"\[.*", "", each))[-1] for each in match["parameters"].split(",")]
        return f"function {match['name']}({', '.join(names)}) {{"

    text = FUNCTION.sub(head, text)
    text = re.sub(r"\b(?:const\s+)?double\s+(\w+(?:\s*,\s*\w+)*\s*;)", r"let \1", text)
    return re.sub(r"\bconst\s+double\b", "const", re.sub(r"(?<!const )\bdouble\b", "let", text))
