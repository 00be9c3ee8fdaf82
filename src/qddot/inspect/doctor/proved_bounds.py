"""Says what is proved of M and G over the joint limits, as far as two seconds of processor time allow."""

from __future__ import annotations

from qddot.base.errors import QddotError
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.site import Site
from qddot.proof.bounds.constants import bounds
from qddot.proof.bounds.floor import least_eigenvalue
from qddot.proof.bounds.table import Bounds, rounded_down
from qddot.robot.model import Model

LONGEST = 6  # coordinates of the longest arm whose bounds are searched
MOST = 200  # coordinates of the longest arm whose matrices are inverted in balls
SECONDS, GAP = 2.0, 0.05
SEARCHED = ("lambda_min", "lambda_max", "G")


def statements(model: Model) -> tuple[list[str], list[Finding]]:
    """Returns sentences about what is proved, or why nothing is, and a finding if M is singular in a pose."""
    try:
        if model.n > MOST:
            return [f"no bounds are proved: {model.n} coordinates, expected at most {MOST}"], []
        if model.n > LONGEST:
            return _of_long_arm(model), []
        proved = bounds(model, None, GAP, SECONDS, SEARCHED)
    except QddotError as error:
        return [f"no bounds are proved: {error.found}"], []
    limited = any(body.joint.limits is not None for body in model.moving())
    where = "within the joint limits" if limited else "in every pose"
    return _sentences(proved, where), _singular(proved)


def _of_long_arm(model: Model) -> list[str]:
    least = least_eigenvalue(model)
    definite = [f"proved in every pose: M is positive definite, λmin(M) ≥ {rounded_down(least)}"] if least > 0 else []
    rest = f"no other bounds are searched: {model.n} coordinates take longer than {SECONDS:g} s; use `qddot bounds`"
    return [*definite, rest]


def _sentences(proved: Bounds, where: str) -> list[str]:
    least, most, gravity = (proved[name] for name in SEARCHED)
    lines = [
        f"proved {where}: λmax(M) {most.relation()} (found: {most.found:.4g}), ‖G‖ {gravity.relation()} "
        f"(found: {gravity.found:.4g})"
    ]
    if proved.definite:
        return [
            f"proved {where}: M is positive definite, λmin(M) {least.relation()} (found: {least.found:.4g})",
            *lines,
        ]
    if proved.singular_at is None:
        longer = "`qddot bounds --seconds 60` searches longer"
        return [f"not proved in {SECONDS:g} s: M is positive definite {where}; {longer}", *lines]
    return lines


def _singular(proved: Bounds) -> list[Finding]:
    if proved.singular_at is None:
        return []
    pose = ", ".join(f"{name} = {x:.4g}" for name, x in zip(proved.region.names, proved.singular_at, strict=True))
    return [
        Finding(
            "hint",
            Site("mass matrix"),
            f"it is singular at {pose}, to the precision of floats",
            "forward dynamics and simulation need M⁻¹, and lose digits near this pose",
            "limit the joints to a range without it, if the robot never gets there",
            "singular_pose",
        )
    ]
