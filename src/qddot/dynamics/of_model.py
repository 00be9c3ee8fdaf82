"""Chooses the dynamics of a model: by its links, or by the entries that it gives; the others are not loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from qddot.dynamics.dynamics import Dynamics
from qddot.dynamics.mechanism import Mechanism, StateNumbers
from qddot.model.model import Model
from qddot.spatial import Force

if TYPE_CHECKING:
    from qddot.dynamics.external import Loads


def has_bodies(model: Model) -> bool:
    """Returns whether the links of a model have inertias; if not, its equations are given entry by entry."""
    return model.explicit is None


def dynamics_of(
    model: Model,
    numbers: StateNumbers,
    sliding: bool | None = None,
    wrenches: Sequence[Force] = (),
    loads: Loads | None = None,
) -> Dynamics:
    """Returns the dynamics of a model in the state and the kind of number that `numbers` holds.

    sliding: whether frames may slide along their axes where inertias are regrouped for the fewest constants; None does
    not regroup
    wrenches: the external wrench on each link, along the link's axes at its origin; loads: others, in any frames
    """
    mechanism = partial(Mechanism.of, model, numbers)
    if model.explicit is not None:
        from qddot.dynamics.of_entries import Entries, EntryDynamics

        return EntryDynamics(mechanism, Entries(model, model.explicit, numbers), wrenches, loads)
    from qddot.dynamics.of_links import LinkDynamics

    return LinkDynamics(mechanism, sliding, wrenches, loads)
