"""Holds Ctrl-C back while something is done that must not end halfway."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any


@contextmanager
def held() -> Iterator[None]:
    """Holds Ctrl-C back until the block has ended, and lets it interrupt then.

    Only the main thread is interrupted by Ctrl-C. Where the system or nobody handles it, it remains so.
    """
    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):
        yield
        return
    pressed: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(*pressed[0])
