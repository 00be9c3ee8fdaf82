"""A check of the doctor: a function that looks for one mistake, and the sentence that explains what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined

Search = Callable[[Examined], Iterator[Finding]]


@dataclass(frozen=True)
class Check:
    """A check yields findings about an examined model, each of which carries the name of the check's function.

    rule: the sentence that explains them
    of_links: whether it needs links with inertias; equations that are given entry by entry have none
    """

    search: Search
    rule: str
    of_links: bool = False

    @property
    def name(self) -> str:
        return self.search.__name__

    def __call__(self, case: Examined) -> Iterator[Finding]:
        return (replace(finding, check=self.name) for finding in self.search(case))


def check(rule: str, *, of_links: bool = False) -> Callable[[Search], Check]:
    """Makes a check of the function below it; nothing else has to name the function."""
    return partial(Check, rule=rule, of_links=of_links)
