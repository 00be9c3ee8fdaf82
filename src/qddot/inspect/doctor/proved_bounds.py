"""Says what is proved of M and G over the joint limits, as far as two seconds of processor time allow."""

from __future__ import annotations

from qddot.base.errors import QddotError
from qddot.base.words.message import Message, say
from qddot.inspect.doctor.diagnosis import ErrorPart, Finding
from qddot.inspect.doctor.site import Site
from qddot.proof.bounds.constants import bounds
from qddot.proof.bounds.floor import least_eigenvalue
from qddot.proof.bounds.table import Bounds, rounded_down
from qddot.robot.model import Model

LONGEST = 6  # coordinates of the longest arm whose bounds are searched
MOST = 200  # coordinates of the longest arm whose matrices are inverted in balls
SECONDS, GAP = 2.0, 0.05
SEARCHED = ("lambda_min", "lambda_max", "G")


def statements(model: Model) -> tuple[list[Message], list[Finding]]:
    """Returns sentences about what is proved, or why nothing is, and a finding if M is singular in a pose."""
    try:
        if model.n > MOST:
            return [say("no-bounds-of-so-many-coordinates", coordinates=model.n, most=MOST)], []
        if model.n > LONGEST:
            return _of_long_arm(model), []
        proved = bounds(model, None, GAP, SECONDS, SEARCHED)
    except QddotError as error:
        return [say("no-bounds-proved", why=ErrorPart(error, 0))], []
    limited = any(body.joint.limits is not None for body in model.moving())
    return _sentences(proved, say("within-joint-limits") if limited else say("everywhere")), _singular(proved)


def _of_long_arm(model: Model) -> list[Message]:
    least = least_eigenvalue(model)
    definite = [say("proved-definite-of-long-arm", bound=rounded_down(least))] if least > 0 else []
    return [*definite, say("other-bounds-not-searched", coordinates=model.n, seconds=f"{SECONDS:g}")]


def _sentences(proved: Bounds, where: Message) -> list[Message]:
    least, most, gravity = (proved[name] for name in SEARCHED)
    found = [f"{each.found:.4g}" for each in (least, most, gravity)]
    bound, weight = most.relation(), gravity.relation()
    lines = [say("proved-largest", where=where, bound=bound, found=found[1], gravity=weight, found_gravity=found[2])]
    if proved.definite:
        definite = say("proved-definite", where=where, bound=least.relation(), found=found[0])
        return [definite, *lines]
    if proved.singular_at is None:
        return [say("not-proved-definite", where=where, seconds=f"{SECONDS:g}"), *lines]
    return lines


def _singular(proved: Bounds) -> list[Finding]:
    if proved.singular_at is None:
        return []
    pose = ", ".join(f"{name} = {x:.4g}" for name, x in zip(proved.region.names, proved.singular_at, strict=True))
    return [Finding("hint", Site(say("site-mass-matrix")), say("finding-singular-pose", pose=pose), "singular_pose")]
