"""Decides what happens where a step ends at a switch: a sign changes, or friction begins or ceases to hold a joint.

A joint at rest is held while the torque that keeps it at rest is at most its friction; otherwise it begins to move
against friction. A sign chatters if each of its values leads back to the other one at once; then the motion cannot go
on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.machine.compilers.batch import compiled
from qddot.motion.simulate.stepping.taylor.expanded import GRIP, Expanded

SLIPS = 1 - 1e-12  # part of the friction above which a held joint slips; rounding must not hold it again
STOPS = 1 + 1e-12  # part up to which a joint that comes to rest is held; rounding must not release it again
ROUNDING = 1e-12  # of a slope


class Modes:
    """These are the modes of all arms of a run, which are some of their parameters."""

    def __init__(self, of: Expanded, n: int, state: Any, parameters: Any) -> None:
        self.of, self.state, self.parameters = of, state, parameters
        self._modes, self._held = parameters[:, of.modes], parameters[:, of.held]
        self._rates = [n + joint for joint in of.dry_joints]
        self._choosing = np.array(of.choosing, bool)
        assert of.judge is not None
        self._judge = compiled(of.judge)

    def begin(self) -> Any:
        """Sets the modes at the start; returns which arms chatter at once."""
        arms, times = np.arange(len(self.state)), np.zeros(len(self.state))
        for _ in range(1 + self._modes.shape[1]):  # an argument may depend on other switches, as in nested clips
            arguments = self._switch_values(arms, times)[0]
            if (self._modes == np.sign(arguments)).all():
                break
            self._modes[:] = np.sign(arguments)
        return self._settle(arms, times, arguments == 0, SLIPS)

    def renew(self, arms: Any, times: Any) -> None:
        """Sets the modes of switches that some arms have crossed within a step."""
        arguments, own = self._switch_values(arms, times)[0], self._modes[arms]
        others = (arguments != 0) & ~np.isin(np.arange(own.shape[1]), self.of.of_joint)
        self._modes[arms] = np.where(others, np.sign(arguments), own)

    def resume(self, arms: Any, times: Any) -> None:
        """Releases the joints of some arms that friction no longer holds after torques or masses have jumped."""
        self._hold(arms, times, self._held[arms] > 0, SLIPS)

    def turn(self, arms: Any, times: Any, guards: Any) -> Any:
        """Changes the modes where a step of some arms ended at a guard; returns which of them chatter."""
        switches = self._modes.shape[1]
        # two guards of each joint tell whether friction still holds it
        places = np.array([*range(switches), *(switch for switch in self.of.of_joint for _ in range(2))])
        at = np.zeros((len(arms), switches), bool)
        at[np.arange(len(arms)), places[guards]] = True
        onward = np.zeros((len(arms), len(self.of.of_joint)))
        slipping = guards >= switches
        joints, forward = np.divmod(guards[slipping] - switches, 2)
        onward[np.flatnonzero(slipping), joints] = 2.0 * forward - 1.0
        return self._settle(arms, times, at, np.where(slipping, SLIPS, STOPS)[:, None], onward)

    def _switch_values(self, arms: Any, times: Any) -> Any:
        """Returns arguments, slopes, holding torques and friction of some arms, (arm, 2 joints): backward, forward."""
        with np.errstate(all="ignore"):
            unknown = np.zeros((len(arms), self.of.motion.inputs[1].size))
            return self._judge(self.state[arms], unknown, times[:, None], self.parameters[arms])

    def _settle(self, arms: Any, times: Any, at: Any, most: Any, onward: Any = 0) -> Any:
        """Sets the modes of switches whose arguments are zero; returns the arms in which no mode lasts.

        most: a joint is held while its holding torque is at most this fraction of its friction; onward: as in `_hold`
        """
        joints = list(self.of.of_joint)
        resting = at[:, joints]
        self._hold(arms, times, resting, most, onward)
        others = at.copy()
        others[:, joints] = False
        own = self._modes[arms]
        own[others] = -own[others]
        self._modes[arms] = own
        signs = self._signs(arms, times)
        signs[:, self._choosing] += signs[:, self._choosing] == 0  # either side, which are equal until they differ
        unset = others & (own == 0)
        own[unset] = signs[unset]
        self._modes[arms] = own
        return ((own * self._signs(arms, times) < 0) & others).any(1)

    def _signs(self, arms: Any, times: Any) -> Any:
        """Returns the signs of the slopes of all arguments, 0 for those that are zero but for rounding."""
        slopes = self._switch_values(arms, times)[1]
        sizes = np.abs(slopes)
        return np.where(sizes <= ROUNDING * np.maximum(sizes.max(1, keepdims=True), 1.0), 0.0, np.sign(slopes))

    def _hold(self, arms: Any, times: Any, resting: Any, most: Any, onward: Any = 0) -> None:
        """Holds joints at rest, and releases those whose friction is too small; a release changes others' torques.

        onward: the directions in which joints begin to move whose torques are only about to be more than friction
        """
        joints = list(self.of.of_joint)
        holds, own = self._held[arms], self._modes[arms]
        holds[resting] = 1.0
        for k, place in enumerate(self._rates):
            self.state[arms[resting[:, k]], place] = 0.0
        for _ in range(len(joints) + 1):
            own[:, joints] = np.where(holds > 0, 0.0, own[:, joints])
            self._held[arms], self._modes[arms] = holds, own
            _, _, holding, friction = self._switch_values(arms, times)
            against = np.where(holding > 0, friction[:, ::2], friction[:, 1::2])
            pushed = np.where(holding == 0, onward != 0, np.abs(holding) >= GRIP * against * most)
            slips = (holds > 0) & resting & pushed
            if not slips.any():
                return
            holds[slips] = 0.0
            own[:, joints] = np.where(slips, np.where(holding == 0, onward, -np.sign(holding)), own[:, joints])
