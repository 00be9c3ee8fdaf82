"""Ends a computation that takes too long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

T = TypeVar("T")
AGAIN = 0.1  # seconds until the error is raised once more: in a callback of the garbage collector it is dropped


class TooLongError(BaseException):
    """The computation took too long; no handler of errors inside it takes this for an error of its own."""


def within(seconds: float, compute: Callable[[], T]) -> T:
    """Returns the result of a computation that takes at most so many seconds of the processor in its own thread.

    It ends between two steps of Python, in whichever thread it runs. Where there are no threads, it has no limit.
    raises TooLongError: the time is up
    """
    return _Watched(seconds).result(compute)


class _Watched:
    def __init__(self, seconds: float) -> None:
        self.seconds, self.thread = seconds, threading.get_ident()
        self.used = _processor_time(self.thread)
        self.begin = self.used()
        self.lock, self.ended, self.late = threading.Lock(), threading.Event(), False

    def result(self, compute: Callable[[], T]) -> T:
        try:
            threading.Thread(target=self._watch, daemon=True).start()
        except RuntimeError:  # a browser has no threads
            return compute()
        try:
            value = compute()
        finally:
            try:
                self._end()
            except TooLongError:  # the time was up just now
                self._end()
            if self.late:
                raise TooLongError from None
        return value

    def _end(self) -> None:
        with self.lock:
            self.ended.set()
            _raise_in(self.thread, None)

    def _watch(self) -> None:
        left = self.seconds
        while left > 0:
            if self.ended.wait(left):
                return
            left = self.seconds - (self.used() - self.begin)
        while not self.ended.wait(AGAIN if self.late else 0):
            with self.lock:
                if not self.ended.is_set():
                    self.late = True
                    _raise_in(self.thread, TooLongError)


def _processor_time(thread: int) -> Callable[[], float]:
    """Returns the function that gives the processor time of a thread, or of the process where threads have none."""
    try:
        return partial(time.clock_gettime, time.pthread_getcpuclockid(thread))
    except (AttributeError, OSError):  # macOS and Windows
        return time.process_time


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises an error in a thread before its next step, or takes back one that was not raised yet."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )
