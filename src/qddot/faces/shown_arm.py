"""A ShownArm is an arm that shows itself: in a figure, and in three dimensions in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.numeric.arm import NumericArm

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from qddot.draw.widget import ArmWidget


class ShownArm(NumericArm):
    """This is an arm with its numbers and its pictures."""

    def plot(
        self,
        q: ArrayLike | None = None,
        frames: bool = True,
        camera: tuple[float, float] | None = None,
        lang: str = "en",
    ) -> Figure:
        """Returns a Matplotlib figure of the arm at the coordinates q, shape (n,) [rad or m], by default all zero.

        It shows the joints' axes with the sense of their coordinates, gravity and the scale. An arm that moves in one
        plane is seen flat, any other in parallel perspective, where up is minus gravity.
        frames: whether to draw the frames, {0} of the base, {k} of the k-th link, {T} of the tool (x red, y green,
        z blue); camera: (elevation, azimuth) in degrees; lang: "en" or "zh"
        raises QddotError: not n finite numbers, or a symbol of the geometry without a value
        """
        from qddot.draw import picture

        return picture.pose(self.model, q, frames, camera, lang)

    def view(self, q: ArrayLike | None = None, lang: str = "en") -> ArmWidget:
        """Returns a widget for a notebook: the arm in three dimensions, a slider for each joint, the tool's pose.

        q: where it begins, shape (n,) [rad or m], by default all zero; the widget's `q` follows the sliders, and the
        arm follows that. lang: "en" or "zh"
        A symbol without a value counts as 1, and is named below the arm.
        raises QddotError: anywidget or the built page is not installed, or not n finite numbers
        """
        from qddot.draw import in_notebook

        return in_notebook.of_arm(self.model, q, lang)
