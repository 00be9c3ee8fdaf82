"""Makes random SDF files: trees of nested models whose poses, joints and axes refer to other elements."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

LATE, EARLY = ("1.7", "1.8", "1.9", "1.10", "1.11"), ("1.4", "1.5", "1.6")
QUATERNIONS_SINCE = ("1.9", "1.10", "1.11")


@dataclass
class _Model:
    """A model on its way to text: what has been written, and the names that later parts may refer to."""

    links: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


def random_file(seed: int) -> str:
    """A file of one model of one to nine joints, in a random version."""
    rng = np.random.default_rng(seed)
    late = rng.random() < 0.75
    version = str(rng.choice(LATE if late else EARLY))
    made = _Writer(rng, version, late)
    model = made.model(int(rng.integers(1, 6)), depth=0)
    order = rng.permutation(len(model.parts))
    parts = "".join(model.parts[k] for k in order)
    canonical = f' canonical_link="{model.links[0]}"' if late else ""
    return f'<sdf version="{version}"><model name="m"{canonical}>{made.pose()}{parts}</model></sdf>'


@dataclass
class _Writer:
    rng: np.random.Generator
    version: str
    late: bool
    joints: int = 0

    def model(self, joints: int, depth: int) -> _Model:
        """A tree of joints + 1 links, some of its branches nested models."""
        made = _Model()
        self._link(made, "l0")
        for k in range(1, joints + 1):
            nested = self.late and depth < 2 and self.rng.random() < 0.25
            parent = self._chosen([*made.links, *(made.frames if self.late else [])])
            child = self._nested(made, f"n{k}", depth) if nested else self._link(made, f"l{k}")
            self._joint(made, parent, child)
        return made

    def _link(self, made: _Model, name: str) -> str:
        A = self.rng.normal(size=(3, 3)) * 0.2
        second = A @ A.T + 0.02 * np.eye(3)  # moments ∫ r rᵀ dm of some body
        tensor = np.trace(second) * np.eye(3) - second
        entries = "".join(
            f"<i{a}{b}>{tensor[i, j]:.9f}</i{a}{b}>" for i, a in enumerate("xyz") for j, b in enumerate("xyz") if i <= j
        )
        mass = f"<mass>{self.rng.uniform(0.5, 3):.3f}</mass><inertia>{entries}</inertia>"
        made.parts.append(f'<link name="{name}">{self.pose(made)}<inertial>{self.pose()}{mass}</inertial></link>')
        made.links.append(name)
        made.frames.append(name)
        self._frame(made, name)
        return name

    def _frame(self, made: _Model, link: str) -> None:
        """A frame on the link, half of the time."""
        if self.late and self.rng.random() < 0.5:
            made.parts.append(f'<frame name="{link}_f" attached_to="{link}">{self.pose(made)}</frame>')
            made.frames.append(f"{link}_f")

    def _nested(self, made: _Model, name: str, depth: int) -> str:
        """A model in the model; what carries it is its first link, or its own frame."""
        inside = self.model(int(self.rng.integers(0, 3)), depth + 1)
        placement = f' placement_frame="{self._chosen(inside.frames)}"' if self.version != "1.7" else ""
        made.parts.append(
            f'<model name="{name}"{placement} canonical_link="l0">{self.pose(made)}{"".join(inside.parts)}</model>'
        )
        made.links += [f"{name}::{link}" for link in inside.links]
        made.frames += [name, *(f"{name}::{frame}" for frame in inside.frames)]
        return self._chosen([name, f"{name}::l0"])

    def _joint(self, made: _Model, parent: str, child: str) -> None:
        self.joints += 1  # Drake wants other names in every model
        kind = (
            self._chosen(["revolute", "revolute", "continuous", "prismatic", "fixed"])
            if self.joints > 1
            else "revolute"
        )
        if kind == "continuous" and not self.late:
            kind = "revolute"
        name = f"j{self.joints}"
        xyz = " ".join(f"{x:.4f}" for x in self.rng.normal(size=3))
        expressed = f' expressed_in="{self._chosen(["__model__", *made.frames])}"'
        given = expressed if self.late and self.rng.random() < 0.6 else ""
        in_model = self.version in ("1.5", "1.6") and self.rng.random() < 0.5
        of_model = f"<use_parent_model_frame>{str(in_model).lower()}</use_parent_model_frame>" if in_model else ""
        numbers = self.rng.uniform(0, 2, 3)
        effects = "<damping>{:.3f}</damping><spring_stiffness>{:.3f}</spring_stiffness>".format(*numbers[:2])
        rest = f"<spring_reference>{numbers[2]:.3f}</spring_reference>"
        limit = "<limit><lower>-1e16</lower><upper>1e16</upper></limit>"
        axis = f"<axis><xyz{given}>{xyz}</xyz>{of_model}<dynamics>{effects}{rest}</dynamics>{limit}</axis>"
        made.parts.append(
            f'<joint name="{name}" type="{kind}">{self.pose(made)}<parent>{parent}</parent><child>{child}</child>'
            f"{axis if kind != 'fixed' else ''}</joint>"
        )
        made.frames.append(name)

    def pose(self, made: _Model | None = None) -> str:
        """A pose, none, or one relative to what stands in the model already."""
        if self.rng.random() < 0.2:
            return ""
        xyz = " ".join(f"{x:.3f}" for x in self.rng.uniform(-0.5, 0.5, 3))
        name = ""
        if made is not None and made.frames and self.late and self.rng.random() < 0.6:
            name = f' relative_to="{self._chosen(made.frames)}"'
        if self.version not in QUATERNIONS_SINCE or self.rng.random() < 0.4:
            turn = " ".join(f"{x:.4f}" for x in self.rng.uniform(-3, 3, 3))
            return f"<pose{name}>{xyz} {turn}</pose>"
        if self.rng.random() < 0.5:
            turn = " ".join(str(x) for x in self.rng.choice([0, 30, -45, 90, 120, 17.5, -64], 3))
            return f'<pose{name} degrees="true">{xyz} {turn}</pose>'
        q = self.rng.normal(size=4)
        turn = " ".join(f"{x:.17g}" for x in q / np.linalg.norm(q))
        return f'<pose{name} rotation_format="quat_xyzw">{xyz} {turn}</pose>'

    def _chosen(self, names: list[str]) -> str:
        return names[int(self.rng.integers(len(names)))]
