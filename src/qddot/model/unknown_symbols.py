"""Says why a name to which a value is given is no symbol of a model."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.errors import EvaluationError, QddotError, did_you_mean, few, shortened
from qddot.model.model import Model


def unknown_symbol(
    model: Model, name: str, error: type[QddotError] = EvaluationError, others: Iterable[str] = ()
) -> QddotError:
    """Returns the error for a value of a name that is no symbol. others: more names that the remedy may suggest"""
    if model.explicit is not None and name in model.explicit.inserted:
        value = f"{float(model.explicit.inserted[name]):.6g}"
        return error(
            f"the numbers in the equations already contain {name} = {value}, which cannot be changed",
            where=model.name,
            remedy=f"make the model again from the arm with another {name}",
        )
    if name in model.constants:
        definition = model.constants[name]
        return error(
            f"{name} is not a symbol, but a name for {shortened(definition).strip(chr(39))}",
            where=model.name,
            remedy=f"give values to {few(sorted(definition.symbols()))}" if definition.symbols() else "",
        )
    return error(f"no symbol {name!r} in {model.name}", remedy=did_you_mean(name, [*model.symbols, *others]))
