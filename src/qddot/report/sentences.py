"""The sentences of reports in English and Chinese; {M} in a sentence is a formula that is handed in."""

from __future__ import annotations

import re

from qddot.errors import QddotError, is_one_of, near, shortened
from qddot.report.document import Inline, Paragraph
from qddot.report.step_words import STEPS

LANGUAGES = ("en", "zh")
SENTENCES: dict[str, tuple[str, str]] = {
    "subtitle": ("Equations of motion, derived and proved", "运动方程的推导与证明"),
    "robot": ("The robot", "机器人"),
    "picture": ("The arm with its frames, joint axes, gravity and scale", "机械臂及其坐标系、关节轴、重力方向和比例尺"),
    "frames": (
        "All quantities are in SI units and radians. Frame {k} is fixed to link {k}; frame 0 is the base. "
        "The arm has {n} joints with the coordinates {q}.",
        "所有量均采用国际单位制与弧度。坐标系 {k} 固连于连杆 {k}，坐标系 0 为基座。"
        "机械臂有 {n} 个关节，关节坐标为 {q}。",
    ),
    "gravity": (
        "A body falls freely with the acceleration ({gravity}) in the base frame.",
        "基座坐标系中的自由落体加速度为 ({gravity})。",
    ),
    "assumptions": (
        "The links are rigid, the base stands still, and the joints have no play.",
        "假设连杆为刚体，基座静止，关节无间隙。",
    ),
    "symbols": ("Symbols", "符号"),
    "symbol": ("symbol", "符号"),
    "meaning": ("meaning", "含义"),
    "unit": ("unit", "单位"),
    "value": ("value", "数值"),
    "transforms": ("Transforms and centres of mass", "变换矩阵与质心"),
    "poses": (
        "The pose of each link's frame in the base frame is the product of the transforms along its chain:",
        "各连杆坐标系在基座坐标系中的位姿等于沿运动链各变换矩阵之积：",
    ),
    "tool": ("The tool's frame is at", "末端坐标系的位姿为"),
    "centres": (
        "The centres of mass are, in the base frame,",
        "各连杆质心在基座坐标系中的位置为",
    ),
    "legend": ("Short names of cosines and sines:", "余弦与正弦的简写："),
    "steps": ("The steps of the route {route}", "方法 {route} 的推导步骤"),
    "equations": ("The equations of motion", "运动方程"),
    "law": (
        "The torques {tau} that the motion requires are {M} q̈ + {C} q̇ + {G}, with springs and friction beside them.",
        "运动所需的关节力矩 {tau} 为 {M} q̈ + {C} q̇ + {G}，另加弹簧与摩擦力矩。",
    ),
    "mass": ("The mass matrix is symmetric; its entries are", "惯性矩阵对称，其元素为"),
    "christoffel": (
        "The Christoffel symbols Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) are symmetric in the last two "
        "indices; those that are not zero are",
        "克里斯托费尔符号 Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) 关于后两个下标对称，其中非零者为",
    ),
    "coriolis": (
        "With C_ij = Σ_k Γ_ijk q̇_k the matrix Ṁ − 2C is skew. The velocity terms C q̇ are",
        "取 C_ij = Σ_k Γ_ijk q̇_k，则 Ṁ − 2C 反对称。速度项 C q̇ 为",
    ),
    "weights": ("Gravity asks for the torques ∂P/∂q:", "重力力矩 ∂P/∂q 为"),
    "scalar": ("Joint by joint, the equations are", "逐关节写出的方程为"),
    "constants": ("The constants stand for", "其中各常数为"),
    "energies": ("The kinetic and the potential energy are", "动能与势能为"),
    "proof": ("Proof", "证明"),
    "proved": (
        "Every identity was decided by exact normal forms: zero is a proof. {held} of {all} hold.",
        "每个恒等式都通过精确范式判定：范式为零即为证明。{all} 个恒等式中有 {held} 个成立。",
    ),
    "identity": ("identity", "恒等式"),
    "what": ("what it says", "内容"),
    "verdict": ("verdict", "结论"),
    "state": ("One state in numbers", "数值算例"),
    "worked": (
        "With the values of the table of symbols, and at this state, the equations give these numbers.",
        "取符号表中的数值，在下列状态下由方程算得：",
    ),
    "no values": (
        "No numbers are given, since these symbols have no value: {names}.",
        "下列符号没有数值，故未给出数值算例：{names}。",
    ),
    "joint": ("joint", "关节"),
    "sources": ("Sources", "文献"),
    "robot source": ("Of the robot's description: {source}", "机器人描述的来源：{source}"),
}


class Words:
    """These are the words of one language."""

    def __init__(self, lang: str) -> None:
        if not is_one_of(lang, LANGUAGES):
            expected = " or ".join(LANGUAGES)
            raise QddotError(f"a language {shortened(lang)}", expected=expected, remedy=near(lang, LANGUAGES))
        self.lang, self._place = lang, LANGUAGES.index(lang)

    def __call__(self, key: str) -> str:
        """Returns a word or a sentence without formulas."""
        return SENTENCES[key][self._place]

    def step(self, route: str, name: str) -> str:
        """Returns what a step of a route is."""
        return STEPS.get(f"{route}.{name}", STEPS[name])[self._place]

    def paragraph(self, key: str, **formulas: Inline) -> Paragraph:
        """Returns a sentence with formulas in their places."""
        parts = re.split(r"\{(\w+)\}", self(key))
        return Paragraph(tuple(formulas[part] if k % 2 else part for k, part in enumerate(parts) if part))
