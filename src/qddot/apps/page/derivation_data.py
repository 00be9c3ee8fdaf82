"""Gives a route's steps and a certificate as data for the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from qddot.apps.page import equation_terms
from qddot.base.words.message import told
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Equation
from qddot.papers.report.document import Block, EquationBlock, Inline, Paragraph, Reference
from qddot.papers.report.formats import html_mathematics as html
from qddot.papers.report.own_letters import Letters
from qddot.papers.report.sections import joint_effects, route_steps
from qddot.papers.report.sections.blocks_of import constants
from qddot.papers.report.wording import Words, traits_of
from qddot.robot.model import Model


def steps(short: Textbook, lang: str) -> list[dict[str, Any]]:
    """Returns the sentences and equations of one route's derivation."""
    words = Words.of(lang, short)
    blocks = [*joint_effects.blocks(short, words), *route_steps.whole(short, words)]
    blocks = [*constants(short, words, blocks), *blocks]
    return [piece for block in blocks for piece in _pieces(block)]


def _pieces(block: Block) -> Iterator[dict[str, Any]]:
    if isinstance(block, Paragraph):
        yield {"html": _line(block.parts)}
    elif isinstance(block, EquationBlock):
        yield {"equations": [equation_terms.whole(Equation(each.left, each.right)) for each in block.listed]}  # type: ignore[arg-type]


def _line(parts: Iterable[Inline]) -> str:
    """Returns escaped text and mathematics; a single step refers to no other."""
    return "".join(
        html.text(part) if isinstance(part, str) else html.mathematics(part)
        for part in parts
        if not isinstance(part, Reference)
    )


def certificate(proof: Certificate, model: Model, lang: str) -> dict[str, Any]:
    """Returns the certificate with the meaning of each line."""
    words = Words(lang, Letters(notation=notation_of(model.notation)), traits_of(model))

    def line(identity: Any) -> dict[str, Any]:
        name, law = words.identity(identity.name, identity.law)
        texts = {"name": _line(name.parts), "law": _line(law.parts)}
        return {
            "verdict": identity.verdict,
            "seconds": identity.seconds,
            "detail": told(identity.detail, lang),
            **texts,
        }

    return {
        "holds": bool(proof),
        "seconds": proof.seconds,
        "primes": len(proof.primes),
        "certainty": proof.certainty,
        "identities": [line(identity) for identity in proof.identities],
    }
