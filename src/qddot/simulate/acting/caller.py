"""A Caller says that a law is called from Python, and why it is not compiled."""

from __future__ import annotations

from dataclasses import dataclass

from qddot.simulate.laws.law import Law, Made


@dataclass(frozen=True, eq=False)
class Caller:
    """A caller has a law that is called from Python, and the reason why it is not compiled.

    remembers: whether the law gave two answers in the same state
    """

    law: Law | Made
    why: str
    remembers: bool = False

    @property
    def in_order(self) -> bool:
        """Returns whether the law has to be called in order of time, once in each state."""
        return self.remembers or isinstance(self.law, Made)

    def of_arms(self, arms: int) -> list[Law]:
        """Returns the law of each arm of a new run."""
        return [self.law.factory() if isinstance(self.law, Made) else self.law for _ in range(arms)]
