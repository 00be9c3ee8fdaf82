"""Draws the energies that the README shows into docs/_static: python docs/front_pictures.py"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import qddot
from qddot.papers.draw import saved

FOLDER = Path(__file__).parent / "_static"
TOLD = "beyond {:g} s another method\nleads elsewhere, and the\nenergy does not notice"
PAPER = "#ffffff"  # a picture without a ground of its own is hard to read on a dark page


def main() -> None:
    """Draws the energies of the trust tutorial's arm, with the time up to which its motion is reliable."""
    arm = qddot.load("spatial_2r")
    run = arm.simulate([np.pi, 0], [0.1, 0.1], duration=20, step=0.01, method="rk4")
    horizon = float(run.trust().horizon)
    energy = run.plot_energy()
    for axes in energy.axes:
        axes.axvspan(horizon, 20, color="#f59e0b", alpha=0.18, linewidth=0)
    top = energy.axes[0]
    look = {"fontsize": 9, "color": "#92400e", "bbox": {"facecolor": "white", "alpha": 0.85, "linewidth": 0}}
    top.text(horizon + 0.3, 0.04, TOLD.format(horizon), transform=top.get_xaxis_transform(), **look)
    energy.set_facecolor(PAPER)
    (FOLDER / "energy.svg").write_text(saved.svg(energy, "energy"), encoding="utf-8")


if __name__ == "__main__":
    main()
