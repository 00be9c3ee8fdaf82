"""Lets tests of how reports look share the derivations, which take most of a report's time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from qddot.faces import illustrations, posed_picture
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.faces.robot import Robot
from qddot.robot.model import Model


def once(function: Callable[..., Any], key: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called once for all arguments of one key."""
    results: dict[Any, Any] = {}

    def shared(*arguments: Any, **options: Any) -> Any:
        at = key(*arguments, **options)
        if at not in results:
            results[at] = function(*arguments, **options)
        return results[at]

    return shared


def textbook_of(eq: EquationsOfMotion, form: str = "sums", lumped: bool = True) -> Any:
    return eq, form, lumped


def proof_of(eq: EquationsOfMotion, routes: Any = None, progress: Any = None, seed: Any = None) -> Any:
    return eq, None if routes is None else tuple(routes)


def drawing_of(robot: Robot, *how: Any, **options: Any) -> Any:
    return robot.model.hash, repr(how), repr(options)


def recording_of(model: Model, *how: Any) -> Any:
    return model.hash, repr(how)


# what is shared is kept from module to module
SHARED: list[tuple[Any, str, Callable[..., Any]]] = [
    (EquationsOfMotion, "textbook", once(EquationsOfMotion.textbook, textbook_of)),
    (EquationsOfMotion, "prove", once(EquationsOfMotion.prove, proof_of)),
    (posed_picture, "pose", once(posed_picture.pose, drawing_of)),
    (illustrations, "motion", once(illustrations.motion, drawing_of)),
    (illustrations, "_recording", once(illustrations._recording, recording_of)),
]


@pytest.fixture(scope="module")
def derived_once() -> Iterator[None]:
    """An arm is proved, written short and drawn once for all reports of all modules that use this, with short films.

    It is for tests that change none of it; the equations are shared where the arm is, as that of `shipped.robot`.
    """
    with pytest.MonkeyPatch.context() as patch:
        for home, name, shared in SHARED:
            patch.setattr(home, name, shared)
        patch.setattr(illustrations, "FPS", 2)
        yield
