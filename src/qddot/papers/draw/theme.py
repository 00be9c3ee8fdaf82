"""The colours of a film: of its paper, its letters and its lines."""

from __future__ import annotations

from typing import Any

from qddot.base.records import record


@record()
class Theme:
    """A theme has the colours of paper, of letters that matter more and less, and of the lines of a grid.

    lift: by which part the arm's colours are nearer to white, so that dark joints are seen on dark paper
    """

    paper: str
    ink: str
    faint: str
    grid: str
    lift: float = 0.0

    def style(self) -> dict[str, Any]:
        """Returns Matplotlib's settings of these colours."""
        edges = ("axes.edgecolor", "xtick.color", "ytick.color")
        letters = ("text.color", "axes.labelcolor", "axes.titlecolor")
        papers = ("figure.facecolor", "axes.facecolor")
        return {
            **dict.fromkeys(edges, self.faint),
            **dict.fromkeys(letters, self.ink),
            **dict.fromkeys(papers, self.paper),
            "grid.color": self.grid,
        }

    def lit(self, paints: Any) -> Any:
        """Returns an arm's colours, rows of red, green and blue from 0 to 1, as they are on this paper."""
        return 1 - (1 - paints) * (1 - self.lift)


LIGHT = Theme("white", "#111827", "#6b7280", "#e5e7eb")
THEMES = {"light": LIGHT, "dark": Theme("#0b1020", "#f3f4f6", "#a3acba", "#2b3548", 0.25)}
