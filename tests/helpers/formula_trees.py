"""Helpers for written formulas: what a tree is as a polynomial, and trees with one place changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.printing.notation import key_of
from qddot.exact.printing.tree import Circular, Product, Root, Sign, Sum


def value(ring: Ring, tree: Sum) -> Polynomial:
    """What a tree is in the ring."""
    total: Any = ring.zero
    for product in tree.products:
        part: Any = ring.convert(product.number)
        for base, exponent in product.factors:
            for _ in range(exponent):
                part = part * (value(ring, base) if isinstance(base, Sum) else atom_value(ring, base))
        total = total + part
    return ring.convert(total)


def atom_value(ring: Ring, base: Any) -> Polynomial:
    if isinstance(base, Circular):
        constant = tuple(part for part in base.angle.symbols if part[0] not in ring.turning.coordinates)
        pair = ring.circular(Angle(base.angle.pi, base.angle.radians, constant))
        for name, n in base.angle.symbols:
            if name in ring.turning.coordinates:
                pair = sum_of_angles(pair, ring.cos_sin(name, n))
        return ring.convert(pair[base.kind == "sin"])
    if isinstance(base, Root):
        return ring.root(base.of)
    text = base.of.text if isinstance(base, Sign) else base.text
    if isinstance(base, Sign):
        return ring.generator("sgn" + key_of(text, ring.coordinates)[2:])
    return ring.generator(f"q({text})" if text in ring.coordinates else key_of(text, ring.coordinates))


Path_ = tuple[tuple[int, int], ...]  # (product, factor) of each bracket on the way


def products(tree: Sum, path: Path_ = ()) -> Iterator[tuple[Path_, int, Product]]:
    for k, product in enumerate(tree.products):
        yield path, k, product
        for m, (base, _) in enumerate(product.factors):
            if isinstance(base, Sum):
                yield from products(base, (*path, (k, m)))


def with_product(tree: Sum, path: Path_, k: int, new: list[Product]) -> Sum:
    """The tree with others in the place of one product."""
    if not path:
        return tree._replace(products=(*tree.products[:k], *new, *tree.products[k + 1 :]))
    (at, m), rest = path[0], path[1:]
    product = tree.products[at]
    base, exponent = product.factors[m]
    inner = with_product(base, rest, k, new)
    factors = (*product.factors[:m], (inner, exponent), *product.factors[m + 1 :])
    changed = product._replace(factors=factors)
    return tree._replace(products=(*tree.products[:at], changed, *tree.products[at + 1 :]))


def with_factor(product: Product, m: int, *new: tuple[Any, int]) -> Product:
    return product._replace(factors=(*product.factors[:m], *new, *product.factors[m + 1 :]))
