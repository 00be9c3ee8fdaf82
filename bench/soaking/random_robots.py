"""Random robots as mappings of docs/reference/robot-file.md: trees, rows, odd angles and axes, effects, followers."""

from __future__ import annotations

import random
from typing import Any

SYMBOLS = {
    "phi": 0.7, "psi": -0.35, "a": 0.4, "b": -0.25, "l": 1.3, "m": 1.7, "mu": 0.4, "A": 0.7, "B": 0.2, "D": 0.011,
    "mx": -0.2, "y": 0.13, "c": 0.6, "g": 9.81,
}  # fmt: skip
EASY_AXES: list[list[Any]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, -1]]
ODD_AXES: list[list[Any]] = [
    ["3/5", "4/5", 0],
    ["2/3", "-1/3", "2/3"],
    ["-2/7", "3/7", "6/7"],
    [0, "sqrt(2)/2", "sqrt(2)/2"],
    ["1/2", "sqrt(3)/2", 0],
    ["cos(17deg)", "sin(17deg)", 0],
    ["cos(phi)", 0, "sin(phi)"],
]
EASY_ANGLES = ["0", "0", "90deg", "-90deg", "180deg", "30deg", "45deg", "-75deg"]
ODD_ANGLES = ["17deg", "0.1", "0.3", "phi", "-phi", "2*phi + 90deg", "phi + psi", "phi - 2*psi", "-163deg", "3*17deg",
              "1.2345", "400deg", "-12.3"]  # fmt: skip
LENGTHS = ["0", "0", "a", "b", "0.1", "a - b/2", "a*b", "1e-3", "-a**2", "0.123456789", "sqrt(3)*a", "l", "-2*l"]
SCALES = ["1", "1", "1", "1e-4", "1e5", "1e-9", "1e9"]
GRAVITIES = [
    [0, 0, "-g"], [0, 0, "-g"], ["g", 0, 0], ["g/2", "-g*cos(17deg)", "g*sqrt(3)/2"], [0, 0, 0], [0, 0, "g"],
    ["0.1*g", "-2", "1e-3"],
]  # fmt: skip
STRAIGHT = ("mass", "com", "first_moment", "inertia", "xyz", "spring", "limits", "name", "coordinate", "parent")
FRICTION = [("damping", ["0.2", "c", "1e-3"]), ("armature", ["0.05", "a**2"]), ("coulomb", ["0.1", "c/3"])]


def robot(seed: int, largest: int = 9) -> dict[str, Any]:
    """Returns the mapping of one random robot; its symbols have the values of SYMBOLS."""
    return Draw(seed).robot(largest)


def odd_turns(table: Any) -> int:
    """Returns how many angles and axes of a robot are odd: each doubles the terms of what it turns."""
    if isinstance(table, dict):
        return sum(odd_turns(part) for key, part in table.items() if key not in STRAIGHT)
    if isinstance(table, list):
        return sum(odd_turns(part) for part in table)
    text = str(table)
    return "deg)" in text or any(angle in text for angle in ODD_ANGLES)


class Draw:
    """One robot's draws."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        easy = self.r.random() < 0.5
        self.axes = EASY_AXES if easy else EASY_AXES + ODD_AXES
        self.angles = EASY_ANGLES if easy else EASY_ANGLES + ODD_ANGLES
        self.scale = self.r.choice(SCALES)
        self.physical = self.r.random() < 0.6
        self.convention = self.r.choice(["tree"] * 6 + ["dh", "mdh", "screws"])
        self.leaders: list[tuple[str, bool]] = []

    def robot(self, largest: int) -> dict[str, Any]:
        joints = min(self.r.randint(1, largest) for _ in range(2))  # mostly small: they are many a minute
        named = self.r.random() < 0.7 or self.convention in ("dh", "mdh")
        links: list[dict[str, Any]] = []
        while len(self.leaders) < joints and len(links) < joints + 4:
            last = len(links) == joints + 3
            links.append(self.link(len(links), [link["name"] for link in links], named, last))
        order = [name for name, _ in self.leaders]
        if self.r.random() < 0.5:
            self.r.shuffle(order)
        made: dict[str, Any] = {"name": "random", "convention": self.convention, "gravity": self.r.choice(GRAVITIES)}
        made |= {"coordinates": order, "symbols": dict(SYMBOLS), "link": links}
        if self.convention in ("dh", "mdh") and self.r.random() < 0.3:
            made["base"] = self.pose()
        tool = {**self.pose(), "body": self.r.choice(links)["name"]} if self.r.random() < 0.7 else {}
        return {**made, "tool": {**tool, "body": tool.get("body", links[-1]["name"])}}

    def link(self, k: int, above: list[str], named: bool, must_move: bool) -> dict[str, Any]:
        kinds = ["revolute", "revolute", "continuous", "prismatic"] + ["fixed"] * (not must_move)
        kind = self.r.choice(kinds if self.convention == "tree" else ["revolute", "revolute", "prismatic"])
        if must_move and not self.leaders:
            kind = "revolute"
        joint: dict[str, Any] = {}
        slides = kind == "prismatic"
        leading = [name for name, sliding in self.leaders if sliding == slides]
        if kind != "fixed":
            follows = self.convention == "tree" and leading and self.r.random() < 0.12
            if follows:
                ratios = ["0.5", "1.5", "2", "1/3"] if slides else ["1", "2", "3"]
                joint |= {"coordinate": self.r.choice(leading), "ratio": self.r.choice(ratios)}
            else:
                name = f"q{len(self.leaders) + 1}"
                self.leaders.append((name, slides))
                joint |= {"coordinate": name} if named and self.convention not in ("dh", "mdh") else {}
                joint |= self.effects(slides)
        table: dict[str, Any] = {"name": f"l{k}", **self.mass()}
        return {**table, **self.geometry(kind, joint, above)}

    def geometry(self, kind: str, joint: dict[str, Any], above: list[str]) -> dict[str, Any]:
        if self.convention in ("dh", "mdh"):
            q = self.leaders[-1][0]
            moving = f"{self.r.choice(['', '-'])}{q}"
            turn, slide = self.r.choice(self.angles), self.r.choice(LENGTHS)
            row = {"a": self.r.choice(LENGTHS), "alpha": self.r.choice(self.angles)}
            row |= (
                {"theta": turn, "d": f"{moving} + {slide}"}
                if kind == "prismatic"
                else {"theta": f"{moving} + {turn}", "d": slide}
            )
            return {self.convention: row, **({"joint": joint} if joint else {})}
        if self.convention == "screws":
            axis = self.r.choice([axis for axis in self.axes if "phi" not in str(axis)])
            numbers = [self.r.choice(["0", "0.5", "-1/3", "2"]) for _ in range(3)]
            moment = cross(numbers, axis)
            screw = [0, 0, 0, *axis] if kind == "prismatic" else [*axis, *moment]
            parent = {"parent": self.r.choice(["base", *above])} if self.r.random() < 0.2 else {}
            return {"screw": screw, "home": self.pose(), **parent, **({"joint": joint} if joint else {})}
        turned = {"axis": list(self.r.choice(self.axes))} if kind != "fixed" else {}
        parent_name = ["base", *above][-1] if self.r.random() < 0.7 else self.r.choice(["base", *above])
        frame = {"frame": self.pose()} if self.r.random() < 0.3 else {}
        return {"parent": parent_name, "joint": {"type": kind, **turned, **self.pose(), **joint}, **frame}

    def pose(self) -> dict[str, Any]:
        xyz = [self.r.choice(LENGTHS) for _ in range(3)]
        if self.r.random() < 0.1:
            return {"xyz": xyz, "rotation": [["3/5", "-4/5", 0], ["4/5", "3/5", 0], [0, 0, 1]]}
        middle = self.r.choice(self.angles) if self.r.random() < 0.3 else "0"
        return {"xyz": xyz, "rpy": [self.r.choice(self.angles), middle, self.r.choice(self.angles)]}

    def effects(self, slides: bool) -> dict[str, Any]:
        found: dict[str, Any] = {key: self.r.choice(values) for key, values in FRICTION if self.r.random() < 0.3}
        if self.r.random() < 0.2:
            rest = self.r.choice(["0", "a", "0.2"] if slides else ["0", "0.2", "30deg", "17deg", "phi"])
            found["spring"] = {"stiffness": self.r.choice([3, "7*c"]), "rest": rest}
        if self.r.random() < 0.2:
            found["limits"] = [-100, "100"]
        return found

    def mass(self) -> dict[str, Any]:
        """A body that can be, or any ten numbers, which say partial_inertia."""
        if self.r.random() < 0.12:
            return {}
        times = f"*{self.scale}"
        if self.physical:
            com = [self.r.choice(["0", "a", "-a/2", "0.1", "b"]) for _ in range(3)]
            if self.r.random() < 0.2:
                return {"mass": f"m{times}", "com": com}
            tensor = {
                "xx": f"A{times}",
                "yy": f"(B + 0.6){times}",
                "zz": f"(A + B){times}",
                "xy": self.r.choice([0, f"D{times}"]),
            }
            return {
                "mass": self.r.choice([f"m{times}", f"mu{times}"]),
                "com": com,
                "inertia": {"about": "com", **tensor},
            }
        table: dict[str, Any] = {
            "partial_inertia": True,
            "mass": self.r.choice([f"m{times}", "1/2", "sqrt(2)", "m*sin(phi)"]),
        }
        about = self.r.choice(["com", "origin", "pseudo"])
        if self.r.random() < 0.4:
            table["first_moment"] = [
                self.r.choice(["-0.3", "mx", 0]),
                self.r.choice(["0.3", "-m*a"]),
                self.r.choice([1, 0]),
            ]
            about = "origin" if about == "com" else about
        else:
            table["com"] = [self.r.choice(["a", "-a/2", 0]), self.r.choice(["0", "y"]), self.r.choice(["0.1", "-b"])]
        tensor = {
            "xx": f"A{times}",
            "yy": "B",
            "zz": "A + B",
            "xy": self.r.choice([0, "-0.02"]),
            "xz": self.r.choice([0, "D"]),
        }
        if about != "pseudo" and self.r.random() < 0.3:
            tensor["products"] = "positive"
        return {**table, "inertia": {"about": about, **tensor}}


def cross(p: list[str], w: list[Any]) -> list[str]:
    """The moment p × ω of a line as texts: −ω × p."""
    pairs = ((1, 2), (2, 0), (0, 1))
    return [f"({p[i]})*({w[j]}) - ({p[j]})*({w[i]})" for i, j in pairs]
