"""Runs MuJoCo on a file: its own M, C q̇ + G and passive forces, without contacts, limits or other constraints."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qddot.base.errors import FormatError, NotInstalledError, located
from qddot.base.system import parts
from qddot.base.words.message import say
from qddot.formats.mjcf.mjcf_reader import model_of
from qddot.inspect.against.peer import Numbers, Peer, refused
from qddot.inspect.comparison.places import Array


def read(path: Path, kind: str) -> Peer:
    """Returns MuJoCo with a compiled file, whose root element is `kind`.

    raises FormatError: MuJoCo rejects the file; NotInstalledError: MuJoCo is missing
    """
    try:
        import mujoco
    except ImportError:
        raise NotInstalledError("mujoco-not-installed", where=str(path), remedy=parts.remedy("mjcf")) from None
    if kind not in ("robot", "mujoco"):
        raise FormatError("not-file-for-mujoco", where=str(path), kind=kind)
    try:
        compiled = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, mujoco.FatalError) as error:
        raise refused("MuJoCo", path, error) from None
    with located(str(path)):
        model = model_of(compiled, mujoco, path.stem)
    # the forces without contacts, limits, equalities and dry friction, which MuJoCo treats as constraints
    compiled.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(compiled)

    def numbers(q: Array, qd: Array) -> Numbers:
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(compiled, data)
        M = np.zeros((compiled.nv, compiled.nv))
        try:
            mujoco.mj_fullM(compiled, data, M)
        except TypeError:
            # before MuJoCo 4
            mujoco.mj_fullM(compiled, M, data.qM)
        bias, passive = data.qfrc_bias.copy(), data.qfrc_passive.copy()
        data.qvel[:] = 0
        mujoco.mj_forward(compiled, data)
        G = data.qfrc_bias.copy()
        return Numbers(M, bias - G, G, -passive)

    left_out = say("dry-friction-of-mujoco")
    return Peer(f"MuJoCo {mujoco.__version__}", model, numbers, Numbers._fields, left_out)
