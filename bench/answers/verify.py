"""Checks whether every answer of the corpus is what its index says: its right formulas right, its wrong ones wrong.

python bench/answers/verify.py [INDEX]

INDEX is index.toml, beside this file, if none is named.
Beside each answer the index holds its formulas in Python's notation. Here they are evaluated with 40 digits at drawn
states and compared with the arm's derived equations. Neither the checker nor its reader is used.
"""

from __future__ import annotations

import ast
import operator
import random
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import mpmath
import sympy

import qddot

HERE = Path(__file__).parent
POINTS = 3
DIGITS = 40
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS = {"sin": mpmath.sin, "cos": mpmath.cos, "sqrt": mpmath.sqrt}

MATRICES = ("M", "C", "K", "P", "christoffel", "p_c", "T_tool", "J_tool")
VECTORS = ("G", "h", "tau")

State: TypeAlias = dict[str, Any]


def value(formula: str, names: Mapping[str, Any]) -> Any:
    """Returns the number that a formula in Python's notation has, with 40 digits."""

    def visit(node: ast.expr) -> Any:
        match node:
            case ast.BinOp():
                return OPERATORS[type(node.op)](visit(node.left), visit(node.right))
            case ast.UnaryOp():
                return OPERATORS[type(node.op)](visit(node.operand))
            case ast.Constant():
                return mpmath.mpf(ast.get_source_segment(formula, node))
            case ast.Name():
                return names[node.id]
            case ast.Call(func=ast.Name(id=function)):
                return FUNCTIONS[function](*map(visit, node.args))
        raise ValueError(f"{formula}: {ast.dump(node)} is not arithmetic")

    formula = formula.strip()
    return visit(ast.parse(formula, mode="eval").body)


def listed(table: Any) -> Any:
    """Returns SymPy's matrix or array as nested lists, and an expression as it is."""
    return table.tolist() if hasattr(table, "tolist") else table


class Arm:
    """The derived equations of one arm as functions of numbers."""

    def __init__(self, name: str) -> None:
        model = qddot.load(str(HERE / name) if name.endswith(".toml") else name)
        equations = model.equations()
        self.n, self.coordinates = model.n, model.model.coordinates
        self.defaults = {key: mpmath.mpf(str(number)) for key, number in model.model.defaults().items()}
        self.symbols = tuple(model.model.symbols)
        tables = {key: listed(getattr(equations, key).sympy()) for key in MATRICES}
        tables |= {key: [row[0] for row in listed(getattr(equations, key).sympy())] for key in VECTORS}
        letters = [*self.symbols, *self.coordinates, *map(rate, self.coordinates), *map(acceleration, self.coordinates)]
        self._tables = {key: sympy.lambdify(letters, table, "mpmath") for key, table in tables.items()}
        self._letters = letters

    def state(self, draw: random.Random, with_defaults: bool) -> State:
        """Returns drawn numbers for every symbol, coordinate, rate and acceleration."""
        state: State = {name: mpmath.mpf(draw.randint(300, 3000)) / 1000 for name in self._letters}
        if with_defaults:
            state |= self.defaults
        return state

    def at(self, state: State) -> dict[str, Any]:
        """Returns each table of the equations at a state."""
        return {key: table(*(state[name] for name in self._letters)) for key, table in self._tables.items()}

    def names(self, state: State, tables: Mapping[str, Any]) -> State:
        """Returns the names that a claim may use: the state's, q1 qd1 qdd1 by place, s12, c12, and the torques."""
        names: State = {}
        for i, coordinate in enumerate(self.coordinates, 1):
            names |= {f"q{i}": state[coordinate], f"qd{i}": state[rate(coordinate)]}
            names |= {f"qdd{i}": state[acceleration(coordinate)], f"tau{i}": tables["tau"][i - 1]}
        for first in range(1, self.n + 1):
            angle, digits = mpmath.mpf(0), ""
            for last in range(first, self.n + 1):
                angle, digits = angle + names[f"q{last}"], f"{digits}{last}"
                names |= {f"s{digits}": mpmath.sin(angle), f"c{digits}": mpmath.cos(angle)}
        return names | state


def rate(coordinate: str) -> str:
    """Returns the name of a coordinate's rate: qd1 of q1, xd of x."""
    return dotted(coordinate, "d")


def acceleration(coordinate: str) -> str:
    """Returns the name of a coordinate's acceleration: qdd1 of q1, xdd of x."""
    return dotted(coordinate, "dd")


def dotted(coordinate: str, dots: str) -> str:
    """Returns a coordinate's name with dots before its number."""
    letters, digits = re.fullmatch(r"(.*?)(\d*)", coordinate).groups()  # type: ignore[union-attr]
    return f"{letters}{dots}{digits}"


def true_value(claim: str, arm: Arm, state: State, tables: Mapping[str, Any], names: State) -> Any:
    """Returns what the claimed quantity is, or None if the claim is an expression that must be zero."""
    kind, digits = re.fullmatch(r"([A-Za-z]+)(\d*)", claim).groups()  # type: ignore[union-attr]
    place = [int(digit) - 1 for digit in digits]
    match kind:
        case "M" | "C":
            return tables[kind][place[0]][place[1]]
        case "G" | "h" | "tau":
            return tables[kind][place[0]]
        case "N":
            return tables["h"][place[0]] + tables["G"][place[0]]
        case "bias":
            rest = dict.fromkeys(map(acceleration, arm.coordinates), mpmath.mpf(0))
            return arm.at(state | rest)["tau"][place[0]]
        case "B":
            return 2 * tables["christoffel"][place[0]][place[1]][place[2]]
        case "D":
            return tables["christoffel"][place[0]][place[1]][place[1]]
        case "Gamma":
            return tables["christoffel"][place[0]][place[1]][place[2]]
        case "K":
            return tables["K"] if not place else None
        case "J":
            return tables["J_tool"][place[0]][place[1]]
        case "tip":
            return tables["T_tool"][place[0]][3]
        case "pc":
            return tables["p_c"][place[0]][place[1]]
        case "acc":
            return driven(arm, state, names)[place[0]]
        case "qdd":
            return names[claim]
    return None


def driven(arm: Arm, state: State, names: State) -> list[Any]:
    """Returns the accelerations where the joint `drive` has the effort F and the others have none."""
    rest = dict.fromkeys(map(acceleration, arm.coordinates), mpmath.mpf(0))
    at_rest = arm.at(state | rest)
    efforts = mpmath.matrix([names["F"] if i == names["drive"] else 0 for i in range(1, arm.n + 1)])
    return list(mpmath.lu_solve(mpmath.matrix(at_rest["M"]), efforts - mpmath.matrix(at_rest["tau"])))


def holds(claim: str, formula: str, arm: Arm, context: list[tuple[State, dict[str, Any], State]], digits: int) -> bool:
    """Says whether a claim is true at every drawn state, to so many digits."""
    if claim.startswith(("P", "L")):  # energies are held to their differences: where the zero lies is free
        return all(abs(level(claim, formula, arm, each)) < mpmath.mpf(10) ** -digits for each in context)
    for state, tables, names in context:
        claimed, truth = value(formula, names), true_value(claim, arm, state, tables, names)
        if truth is None:
            truth = mpmath.mpf(0)
        if abs(claimed - truth) > mpmath.mpf(10) ** -digits * (1 + abs(truth)):
            return False
    return True


def level(claim: str, formula: str, arm: Arm, context: tuple[State, dict[str, Any], State]) -> Any:
    """Returns by how much more a claimed P or L changes than the true one between two states of the same arm."""
    state, tables, names = context
    motion = [*arm.coordinates, *map(rate, arm.coordinates)]
    moved = state | {name: state[name] + mpmath.mpf("0.37") * i for i, name in enumerate(motion, 1)}
    there = arm.at(moved)
    truth = [each["P"] if claim[0] == "P" else each["K"] - each["P"] for each in (tables, there)]
    return (value(formula, arm.names(moved, there)) - value(formula, names)) - (truth[1] - truth[0])


def row_holds(claims: Mapping[str, str], row: int, arm: Arm, context: list[Any], digits: int) -> bool:
    """Says whether the claimed row of C times the rates is h: C itself is not unique."""
    for _state, tables, names in context:
        total = mpmath.mpf(0)
        for j in range(arm.n):
            written = claims.get(f"C{row}{j + 1}")
            entry = value(written, names) if written else tables["C"][row - 1][j]
            total += entry * names[f"qd{j + 1}"]
        if abs(total - tables["h"][row - 1]) > mpmath.mpf(10) ** -digits * (1 + abs(total)):
            return False
    return True


def faults(answer: Mapping[str, Any], arm: Arm, draw: random.Random) -> list[str]:
    """Returns where an answer's formulas are not what the index says of them."""
    claims, wrong = answer.get("claims", {}), set(answer.get("wrong", []))
    digits = int(answer.get("digits", 25))
    said: list[str] = []
    context = []
    for _ in range(POINTS):
        state = arm.state(draw, bool(answer.get("numbers", False)))
        state |= {k: value(v, {"pi": mpmath.pi}) for k, v in answer.get("state", {}).items()}
        tables = arm.at(state)
        names = arm.names(state, tables)
        names |= {"F": mpmath.mpf(draw.randint(1, 99)) / 10, "drive": answer.get("drive", 1)} | state
        for name, formula in answer.get("definitions", {}).items():
            names[name] = value(formula, names)
        context.append((state, tables, names))
    for claim, formula in claims.items():
        true = holds(claim, formula, arm, context, digits)
        if re.fullmatch(r"C\d\d", claim) and not true:
            true = row_holds(claims, int(claim[1]), arm, context, digits)
        if true == (claim in wrong):
            said.append(f"{claim} is {'right' if true else 'wrong'}, the index says otherwise: {formula}")
    said += [f"{claim} is listed as wrong and not claimed" for claim in wrong - set(claims)]
    if (answer["verdict"] == "wrong") != bool(wrong):
        said.append(f"the verdict is {answer['verdict']}, the wrong entries are {sorted(wrong)}")
    if not claims and answer["verdict"] in ("right", "wrong"):
        said.append("nothing is claimed")
    if not (HERE / answer["file"]).is_file():
        said.append("there is no such file")
    return said


def main(name: str = "index.toml") -> int:
    """Prints each fault of the corpus in an index, and how many answers were verified; mpmath has 40 digits."""
    draw, arms, count = random.Random(1), dict[str, Arm](), 0
    index = tomllib.loads((HERE / name).read_text(encoding="utf-8"))["answer"]
    for answer in index:
        if answer["arm"] not in arms:
            arms[answer["arm"]] = Arm(answer["arm"])
        arm = arms[answer["arm"]]
        try:
            said = faults(answer, arm, draw)
        except Exception as error:
            said = [f"{type(error).__name__}: {error}"]
        for line in said:
            print(f"{answer['file']}: {line}")
        count += len(said)
    listed = {answer["file"] for answer in index}
    folders = {answer["file"].split("/")[0] for answer in index}
    for path in sorted(path for folder in folders for path in (HERE / folder).iterdir()):
        if (name := path.relative_to(HERE).as_posix()) not in listed:
            print(f"{name}: not in the index")
            count += 1
    print(f"{len(index)} answers, {len(arms)} arms, {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    with mpmath.workdps(DIGITS):
        sys.exit(main(*sys.argv[1:]))
