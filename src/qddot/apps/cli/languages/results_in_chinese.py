"""These tables have what commands print of equations and proofs, with its Chinese.

{a} matches any text, {w}, {v} and {u} one word.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from qddot.base.words.language import documents
from qddot.exact.forms.base.parameters import CONVENTION

LABELS: Mapping[str, str] = documents("zh", "pictures")["words"]
EQUATIONS = (
    *(
        (
            f"{{a}}: {{b}} {terms}, {{c}} {operations}; {{d}} and {{e}} in normal form",
            "{a}：{b} 项，{c} 次运算；标准形为 {d} 项、{e} 次",
        )
        for terms, operations in product(("term", "terms"), ("operation", "operations"))
    ),
    ("{w} constant", "{w} 个常数"),
    ("{w} constants", "{w} 个常数"),
    ("{w} other entries of {a} are zero", "{a} 的其余 {w} 个元素为零"),
    (
        "{w} other entries of {a} are zero, where {v} = {u} counts once",
        "{a} 的其余 {w} 个元素为零（由对称性，{v} 与 {u} 只计一个）",
    ),
    ("{w} other entries are zero", "其余 {w} 个元素为零"),
)
EFFECTS = {"springs": "弹簧力矩", "friction": "摩擦力矩", "springs and friction": "弹簧力矩和摩擦力矩"}
ENTRIES = "M\u0304, B\u0304, C\u03042 and G\u0304"
OF_CHAIN = ENTRIES.replace(", ", "、").replace(" and ", "、")
ABBREVIATED = (
    (
        "{a}, abbreviated: {w} {v} in inverse dynamics, {u} exact",
        "{a} 的简化模型：逆动力学 {w} 次运算，精确模型 {u} 次",
    ),
    (
        "the exact recursion is shorter; a higher significance or a budget shortens the abbreviated model",
        "精确模型的递推算法更短；提高 --significance 或给出 --budget 可缩短简化模型",
    ),
    *((f"{{a}}; {english} in full", f"{{a}}；{chinese}完整保留") for english, chinese in EFFECTS.items()),
    (
        "{a} with q̇ = R u, q̈ = R u̇ + Ṙ u, u: rates of {b}; {c} in full",
        "{a}，其中 q̇ = R u，q̈ = R u̇ + Ṙ u，u 为 {b} 的速度；{c} 完整保留",
    ),
    (
        "dropped: terms below {a} of their entry, or below {b} of their joint's largest term",
        "略去的项：小于所在元素的 {a}，或小于所在关节最大项的 {b}",
    ),
    (
        f"dropped: terms that add less than {{a}} to each entry of {ENTRIES}, or less than {{b}} of the largest entry "
        "of its row",
        f"略去的项：对 {OF_CHAIN} 各元素的影响小于 {{a}}，或小于所在行最大元素的 {{b}}",
    ),
    (
        "percentages: in units of the rates u in which each {w} is 1 in every configuration",
        "百分比：速度 u 的单位取为使各 {w} 在任何位形处为 1",
    ),
    ("errors: the largest ones in {a} {w} {v} of the region", "误差：该范围内 {a} 个闭合位形处的最大值"),
    ("{w} positive definite: proved", "{w} 正定：已证明"),
    ("{w} positive definite: undecided", "{w} 正定：未判定"),
    ("{w} positive definite: undecided; it is in these {v}", "{w} 正定：未判定；在上述 {v} 个位形处正定"),
    ("{w} positive definite: refuted: a diagonal entry is {v} at {a}", "{w} 并非正定：在 {a} 处，一个对角元素为 {v}"),
    (
        "{w} positive definite: refuted: scaled to a diagonal of ones, it has the eigenvalue {v} at {a}",
        "{w} 并非正定：在 {a} 处，将对角元素化为 1 后，有特征值 {v}",
    ),
    ("dropped completely, with the bound of each error: {a}", "完全略去的元素（括号内为误差界）：{a}"),
    ("{w}: error {v} {a}; it reaches {b}", "{w}：误差 {v} {a}；该元素最大为 {b}"),
    (f"{ENTRIES} have no errors there", f"{OF_CHAIN} 在这些位形处没有误差"),
)
REGIONS = (
    ("region: {a}", "范围：{a}"),
    ("{a} any angle", "{a} 为任意角"),
    ("{a} any angle; {b}", "{a} 为任意角；{b}"),
    ("{w} in [{v} {u}]", "{w} 在 [{v} {u}] 内"),
    ("{w} in [{v} {u}], {a}", "{w} 在 [{v} {u}] 内，{a}"),
    ("{w} in [{v} {u}]; {a}", "{w} 在 [{v} {u}] 内；{a}"),
)
BASE = (
    (
        f"{{w}} {{v}} {{u}} of {{a}}; {CONVENTION}",
        "{w} 个最小惯性参数（共 {a} 个惯性参数）；均为刚体 k 对其坐标系原点的参数，Ixy = −∫xy dm",
    ),
    ("at {a}: almost all other values give more base parameters", "取 {a} 时；对几乎所有其他数值，最小惯性参数更多"),
    ("no torque depends on {a}", "任何力矩都与下列参数无关：{a}"),
    (
        "constant angles are rounded; the relative error of each coefficient is proved below {a}",
        "常数角经过舍入；已证明各系数的相对误差小于 {a}",
    ),
)
LIST = (("`qddot closed NAME` derives the equations of a closed chain", "`qddot closed NAME` 推导闭链的运动方程"),)
CERTIFICATES = (
    ("{a}: {b} of {c} identities proved in {d} s", "{a}：{c} 个恒等式中 {b} 个已证明，用时 {d} s"),
    (
        "{a}: {b} of {c} identities proved, {d} verified in {e} s",
        "{a}：{c} 个恒等式中 {b} 个已证明，{d} 个已验证，用时 {e} s",
    ),
    ("{a}: {b} of {c} identities verified in {d} s", "{a}：{c} 个恒等式中 {b} 个已验证，用时 {d} s"),
    (
        "for closed q with det A_d ≠ 0, near {a}, certified within {b}",
        "针对 det A_d ≠ 0 的闭合位形，在 {a} 附近，已证明误差不超过 {b}",
    ),
    ("for q with det A_d ≠ 0, such as {a}", "针对 det A_d ≠ 0 的位形，例如 {a}"),
    *(
        (
            f"no configuration: {{a}} {have} no value, so that det A_d ≠ 0 is proved at no closed one, and mobility is "
            "that of open loops",
            "没有计算位形：{a} 没有数值，故未在任何闭合位形处证明 det A_d ≠ 0，自由度按各环断开时计算",
        )
        for have in ("has", "have")
    ),
    (
        "in random states modulo {a}; probability of error below {b}",
        "在随机状态下对素数 {a} 取模验证；出错的概率小于 {b}",
    ),
    ("drawn from the seed {a}", "随机数的种子为 {a}"),
    (
        "in absolute angles θ = A q and their rates; {a} of the angles are sums of coordinates",
        "采用绝对角 θ = A q 及其速度；其中 {a} 个角是坐标之和",
    ),
    ("rank A = {a}", "A 的秩 = {a}"),
    ("rank A ≥ {a}, det A_d = {b}", "A 的秩 ≥ {a}，det A_d = {b}"),
    ("rank A = {a}, m = {b}, det A_d = {c}", "A 的秩 = {a}，m = {b}，det A_d = {c}"),
    ("rank A = {a}, m = {b} for all q", "对任意 q，A 的秩 = {a}，m = {b}"),
    ("rank A = {a}, m = {b} at {c} closed configurations", "在 {c} 个闭合位形处，A 的秩 = {a}，m = {b}"),
    ("{w} row for all q", "对任意 q，{w} 行"),
    ("{w} rows for all q", "对任意 q，{w} 行"),
    ("φ = 0 at {w} closed configurations", "在 {w} 个闭合位形处，φ = 0"),
    ("{a}: the difference is {b}, {c} at {d}", "{a}：两边之差为 {b}，在 {d} 处等于 {c}"),
    ("{a}: the difference is not zero", "{a}：两边之差不为零"),
    ("{a}: the difference is not zero modulo a prime in a random state", "{a}：在随机状态下对素数取模，两边之差不为零"),
    (
        "{a}: they can be examined at closed configurations alone, and there is none",
        "{a}：只能在闭合位形处检验，而没有这样的位形",
    ),
    (
        "{a} does not follow from the others: they do not span {b} of its row of A",
        "{a} 不能由其他条件得出：A 中它那一行有 {b} 不在其余各行张成的空间内",
    ),
    ("{a}: no witness shows that the difference {b} is not zero", "{a}：未找到使两边之差 {b} 不为零的状态"),
    (
        "{a}: verified in doubles, not proved; |φ| ≤ {b}",
        "{a}：由双精度数验证，未经证明；|φ| ≤ {b}",
    ),
    (
        "{a}: verified in doubles, not proved; |φ| ≤ {b}, and rows of A are combinations of the others to within {c}, "
        "below {d}",
        "{a}：由双精度数验证，未经证明；|φ| ≤ {b}，且 A 的各行是其余各行的线性组合，误差在 {c} 以内，小于 {d}",
    ),
)
RESULTS = (*EQUATIONS, *ABBREVIATED, *REGIONS, *BASE, *LIST, *CERTIFICATES)
