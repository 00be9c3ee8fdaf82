"""Differentiates expressions with respect to a name, also within the arguments of functions, and makes functions."""

from __future__ import annotations

from qddot.algebra.expressions.expression import INVERSE, Applied, Atom, Expression, Trigonometric
from qddot.algebra.expressions.roots import square_root

ZERO = Expression.constant(0)
ODD, EVEN = ("sin", "tan", "tanh"), ("cos",)  # f(−u) = −f(u), and f(−u) = f(u)


def derivative(value: Expression, name: str) -> Expression:
    """Returns ∂/∂name; all other names are constant."""
    slopes = {atom: _slope(atom, name) for atom in {atom for monomial in value.terms for atom, _ in monomial}}
    parts = []
    for monomial, c in value.terms.items():
        for place, (atom, exponent) in enumerate(monomial):
            if slopes[atom]:
                rest = {(*monomial[:place], *(((atom, exponent - 1),) if exponent > 1 else ()), *monomial[place + 1 :])}
                parts.append(Expression(dict.fromkeys(rest, c * exponent)) * slopes[atom])
    return Expression.sum(parts)


def _slope(atom: Atom, name: str) -> Expression:
    """Returns the derivative of one atom."""
    if isinstance(atom, Trigonometric):
        times = dict(atom.angle.symbols).get(name)
        if times is None:
            return ZERO
        other, sign = ("cos", 1) if atom.function == "sin" else ("sin", -1)
        return Expression.of(Trigonometric(other, atom.angle)) * (sign * times)
    if isinstance(atom, Applied):
        inner = derivative(atom.argument, name)
        return _outer(atom) * inner if inner else ZERO
    return Expression.constant(int(atom == name))


def _outer(atom: Applied) -> Expression:
    """Returns f′(u) of f(u)."""
    value = Expression.of(atom)
    match atom.function:
        case "exp":
            return value
        case "tanh":
            return 1 - value**2
        case "sqrt":
            return inverse(value) / 2
        case "tan":
            return 1 + value**2
        case "sin":
            return Expression.of(Applied("cos", atom.argument))
        case "cos":
            return -Expression.of(Applied("sin", atom.argument))
    assert atom.function == INVERSE, f"a derivative of {atom.function}"
    return -(value**2)


def applied(function: str, argument: Expression) -> Expression:
    """Returns f(u), which is a number where u is one and f(u) is rational; of u and −u, one stands for both."""
    if function == INVERSE:
        return inverse(argument)
    if not argument:
        return Expression.constant(int(function in EVEN or function == "exp"))
    if function in (*ODD, *EVEN) and next(c for _, c in sorted(argument.terms.items(), key=str)) < 0:
        turned = Expression.of(Applied(function, -argument))
        return turned if function in EVEN else -turned
    root = square_root(argument.rational) if function == "sqrt" and argument.rational is not None else None
    if root is not None and not root[1]:
        return Expression.constant(root[0])
    return Expression.of(Applied(function, argument))


def inverse(value: Expression) -> Expression:
    """Returns 1/u of an expression with symbols, as a product if u is one."""
    if len(value.terms) != 1:
        return Expression.of(Applied(INVERSE, value))
    ((monomial, c),) = value.terms.items()
    return Expression({tuple((_inverted(atom), e) for atom, e in monomial): 1 / c})


def _inverted(atom: Atom) -> Atom:
    if isinstance(atom, Applied) and atom.function == INVERSE and len(atom.argument.terms) == 1:
        ((monomial, c),) = atom.argument.terms.items()
        if len(monomial) == 1 and monomial[0][1] == c == 1:
            return monomial[0][0]
    return Applied(INVERSE, Expression.of(atom))
