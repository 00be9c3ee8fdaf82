"""A LinearModel is the motion near a state, or near each of many, to first order: ẋ ≈ A x + B u + c, or in time steps.

In time steps u is held: x(t + Δ) = e^(A Δ) x + ∫ e^(A s) ds (B u + c), which is a block of one matrix exponential.
Source: Van Loan, "Computing integrals involving the matrix exponential", IEEE Trans. Automat. Contr. 23, 1978.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.names import rate_name
from qddot.base import html
from qddot.base.errors import EvaluationError, few
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Message, say
from qddot.machine.numeric.manifold import joints
from qddot.robot.model import Model

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]
ORDER = 16  # of the series of e^X for ‖X‖ ≤ 1/2, whose rest is below 1e-19
ROUNDING = 1e-13  # of the largest number, in what is printed


@record(eq=False)
class LinearModel:
    """This is the motion near states (q, q̇) with torques τ, to first order: ẋ ≈ A x + B u + c.

    x = (δq, δq̇) is the deviation from the state, and u that of the motors' torques; c is the rate of the state itself,
    which is zero where it is an equilibrium. With a `step`, x(t + step) ≈ A x + B u + c while u is held. `A, B = model`
    unpacks the two matrices.

    A: shape (…, s, s); B: (…, s, m); c: (…, s); q, qd, tau: where it holds, of all joints
    states, inputs: names of the entries of x and u; step: None for rates, or its length [s]
    times: those of the states along a run [s], or None
    """

    where: Model
    A: Array
    B: Array
    c: Array
    q: Array
    qd: Array
    tau: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    step: float | None = None
    times: Array | None = None

    def __iter__(self) -> Iterator[Array]:
        yield self.A
        yield self.B

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> Array:
        return (self.A, self.B)[k]

    @property
    def data(self) -> xr.Dataset:
        """Returns A, B and c with q, q̇ and τ as an xarray Dataset, by the names of states, inputs and joints.

        A has the dimensions `state` and `from_state`, B has `state` and `input`. Along a run there is `time`, too; the
        dimensions of another batch are `batch0`, `batch1` ….
        """
        import xarray as xr

        batch = self.A.shape[:-2]
        leading = tuple(f"batch{k}" for k in range(len(batch))) if self.times is None else ("time",)
        positions, velocities = self.where.positions, self.where.coordinates
        position = "joint" if positions == velocities else "position"
        each = {
            "A": ((*leading, "state", "from_state"), self.A),
            "B": ((*leading, "state", "input"), self.B),
            "c": ((*leading, "state"), self.c),
            "q": ((*leading, position), np.broadcast_to(self.q, (*batch, len(positions)))),
            "qd": ((*leading, "joint"), np.broadcast_to(self.qd, (*batch, len(velocities)))),
            "tau": ((*leading, "joint"), np.broadcast_to(self.tau, (*batch, len(velocities)))),
        }
        names = {"state": self.states, "from_state": self.states, "input": self.inputs}
        coords: dict[str, Any] = {name: list(each) for name, each in names.items()}
        coords |= {"joint": list(velocities), position: list(positions)}
        coords |= {} if self.times is None else {"time": ("time", self.times, {"units": "s"})}
        attrs = {"model": self.where.name, "law": self.law} | ({} if self.step is None else {"step": self.step})
        return xr.Dataset(each, coords, attrs)

    @property
    def law(self) -> str:
        """Returns the equation in names."""
        return "ẋ ≈ A x + B u + c" if self.step is None else f"x(t + {self.step:g} s) ≈ A x + B u + c"

    @property
    def summary(self) -> Message:
        """Returns the sentence with the states, the inputs and the law."""
        inputs = few(self.inputs) if self.inputs else "—"
        return say("linear-model", name=self.where.name, law=self.law, states=few(self.states), inputs=inputs)

    @in_english
    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def rows(self) -> tuple[tuple[str, ...], list[list[str]]]:
        """Returns the table of A, B and c of one state, without what rounding leaves: titles, and a row for each x."""
        whole = without_rounding(np.concatenate([self.A, self.B, self.c[:, None]], axis=1))
        cells = [[name, *(f"{x:.6g}" for x in row)] for name, row in zip(self.states, whole, strict=True)]
        return ("", *self.states, *self.inputs, "c"), cells

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Returns the eigenvalues of A, (…, s), the largest real part first."""
        values = np.linalg.eigvals(self.A).astype(complex)
        return np.take_along_axis(values, np.lexsort((-values.imag, -values.real), axis=-1), axis=-1)

    def _repr_html_(self) -> str:
        head = html.lines([self.summary])
        if self.A.ndim > 2:
            return html.block(head, html.notes([f"A: {self.A.shape}, B: {self.B.shape}, c: {self.c.shape}"]))
        return html.block(head, html.table(*self.rows()))


def without_rounding(values: Any) -> Any:
    """Returns numbers with 0 in place of those that are as small as rounding errors of the largest."""
    return np.where(np.abs(values) > ROUNDING * np.abs(values).max(initial=0.0), values, 0.0)


def names_of(model: Model, free: Sequence[int], rates: Sequence[int]) -> tuple[str, ...]:
    """Returns the names of the entries of x; free, rates: places in q̇ of the coordinates and of the rates in it.

    The motion along a quasi-velocity is not a coordinate: that along v_x is called delta_v_x.
    """
    quasi = {name for each in model.freedoms for name in each.velocities}
    names = model.coordinates
    positions = (f"delta_{names[k]}" if names[k] in quasi else names[k] for k in free)
    return (*positions, *(names[k] if names[k] in quasi else rate_name(names[k]) for k in rates))


def torque_name(coordinate: str) -> str:
    """Returns the name of a coordinate's torque: q1 → tau1, theta → tau_theta."""
    numbered = re.fullmatch(r"q(\d+)", coordinate)
    return f"tau{numbered[1]}" if numbered else f"tau_{coordinate}"


def turning(model: Model, free: Sequence[int], qd: Array, share: float) -> Array:
    """Returns −share · ad_ν of the joints with quasi-velocities ν, (…, p, p), which is ∂(δq̇)/∂δq; 0 for others.

    With q = q₀ ⊞ δq, δq̇ = ν + ½ [δq, ν] + …: the share is ½ near a q₀ that stays where it is. Beside a motion q₀(t) it
    is 1, since δq̇ = δν − [ν, δq] + … there. free: places in q̇ of the coordinates that are free
    raises EvaluationError: only some velocities of a joint that turns are free
    Source: Solà, Deray, Atchuthan, "A micro Lie theory for state estimation in robotics", 2018.
    """
    from qddot.algebra.freedoms import COLUMNS, brackets

    whole = np.zeros((*qd.shape[:-1], model.n, model.n))
    for names, _, freedoms in joints(model):
        if freedoms is None:
            continue
        own = range(names.start, names.stop)
        if 0 < len(set(own) & set(free)) < len(own) and qd[..., names].any():
            raise EvaluationError("linearized-attitude-not-free", where=model.name, names=few(freedoms.velocities))
        for (a, b), terms in brackets(COLUMNS[freedoms.kind]).items():
            for l, c in terms:
                whole[..., own[l], own[b]] -= share * c * qd[..., own[a]]
    return whole[..., list(free), :][..., list(free)]


def held(A: Array, B: Array, c: Array, step: float) -> tuple[Array, Array, Array]:
    """Returns A, B and c of x(t + step) ≈ A x + B u + c while u is held; a state with NaN has NaN.

    raises EvaluationError: numbers beyond the range of doubles
    """
    s, m = B.shape[-2:]
    rates = np.concatenate([A, B, c[..., None]], axis=-1)
    generator = np.zeros((*A.shape[:-2], s + m + 1, s + m + 1))
    generator[..., :s, :] = rates * step
    known = np.isfinite(generator).all(axis=(-1, -2))
    moved = np.full(rates.shape, np.nan)
    with np.errstate(all="ignore"):
        moved[known] = np.eye(s, s + m + 1) + _exponential_less_one(generator[known])[..., :s, :]
    if not np.isfinite(moved[known]).all():
        raise EvaluationError("discrete-model-overflows", step=f"{step:g}")
    return moved[..., :s], moved[..., s : s + m], moved[..., -1]


def _exponential_less_one(G: Array) -> Array:
    """Returns e^G − 1 of many matrices at once: a series at G / 2^k, which is then doubled k times.

    E = e^X − 1 is doubled as e^2X − 1 = E² + 2 E, in which small entries keep their digits beside the 1 of e^X.
    Source: Moler & Van Loan, "Nineteen dubious ways to compute the exponential of a matrix", SIAM Review 45, 2003.
    """
    norm = np.abs(G).sum(axis=-1).max(initial=0.0)
    halvings = max(0, int(np.ceil(np.log2(norm))) + 1) if norm > 0 else 0
    X, unit = G / 2.0**halvings, np.eye(G.shape[-1])
    factor = unit
    for k in range(ORDER, 1, -1):
        factor = unit + X @ factor / k
    E: Array = X @ factor
    for _ in range(halvings):
        E = E @ E + 2 * E
    return E
