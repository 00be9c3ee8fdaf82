"""Holds what is refused to the code of the error and to what it names, so that its sentences may be written anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from qddot.base.errors import QddotError
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Listed, Message, told

E = TypeVar("E", bound=QddotError)


@contextmanager
def refusal(kind: type[E], code: str, *named: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expects an error of a kind with a code.

    named: texts that fill its slots, keys of messages in them, or parts of its place
    """
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    assert error.code == code, f"the code is {error.code}, expected {code}: {error}"
    texts = set(_texts(error.message))
    for each in named:
        assert each in texts or each in error.where, f"{each!r} is in no slot of {error.message!r} at {error.where!r}"


def _texts(message: Message) -> Iterator[str]:
    """Yields what fills the slots of a message, with the keys and the slots of messages in them."""
    for value in message.slots.values():
        yield told(value, ENGLISH)
        for each in value if isinstance(value, Listed | tuple | list) else (value,):
            if isinstance(each, Message):
                yield from (each.key, *_texts(each))
