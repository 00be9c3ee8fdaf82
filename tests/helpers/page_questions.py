"""Asks Python a question of the page, as its worker does."""

from __future__ import annotations

import json
from typing import Any

from qddot.apps.page.answers import answer


def told(question: str, **asked: Any) -> dict[str, Any]:
    """Returns what the page is told: a result, or an error."""
    data: dict[str, Any] = json.loads(answer(question, json.dumps(asked), lambda _: None))
    return data


def result(question: str, **asked: Any) -> Any:
    """Returns the result, where there must be one."""
    reply = told(question, **asked)
    assert "error" not in reply, reply["error"]["text"]
    return reply["result"]


def shipped(name: str) -> dict[str, Any]:
    """Returns a robot that ships, as the page has it."""
    robot: dict[str, Any] = result("shipped", name=name)
    return robot
