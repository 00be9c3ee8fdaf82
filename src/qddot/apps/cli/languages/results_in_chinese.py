"""These tables have what commands print of equations, proofs, grades and runs, with its Chinese.

{a} matches any text, {w} and {v} one word.
"""

from __future__ import annotations

from itertools import product

from qddot.papers.draw.labels import CHINESE as LABELS

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
    ("{w} other entries are zero", "其余 {w} 个元素为零"),
)
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
GRADES = (
    ("not judged: {a} ({b}): {c}", "未评判：{a}（{b}）：{c}"),
    ("give its meaning by rename={a}, on the command line --rename {b}=…", "请用 --rename {b}=… 说明其含义"),
    ("one of {a}", " {a} 之一"),
    ("at {a}: yours {b}, exact {c}", "在 {a} 处：您的 {b}，精确值 {c}"),
    ("{w} at {a}: yours {b}, exact {c}", "{w}：在 {a} 处，您的 {b}，精确值 {c}"),
    ("every state", "任何状态"),
    ("✓ proved equal: {a}", "✓ 已证明相等：{a}"),
    ("✗ {w} is missing", "✗ 缺少 {w}"),
    ("✗ {w} is {a}, which differs from {b}", "✗ {w} 为 {a}，与 {b} 不同"),
    ("{w} is different", "{w} 不同"),
    ("{w} is undecided", "{w} 未判定"),
    *(
        (f"{{a}}: {{b}} of {{c}} answers {are} right{more}", f"{{a}}：{{c}} 份答案中 {{b}} 份正确{rest}")
        for are in ("is", "are")
        for more, rest in (
            ("", ""),
            (", {d} cannot be read", "，{d} 份无法读取"),
            (", {d} is judged only in part", "，{d} 份只评判了一部分"),
            (", {d} are judged only in part", "，{d} 份只评判了一部分"),
            (", {d} cannot be read, {e} is judged only in part", "，{d} 份无法读取，{e} 份只评判了一部分"),
            (", {d} cannot be read, {e} are judged only in part", "，{d} 份无法读取，{e} 份只评判了一部分"),
        )
    ),
    ("{w} of {v}", "{v} 个中 {w} 个"),
    ("{w} of {v}, {a} not judged", "{v} 个中 {w} 个，{a} 处未评判"),
)
BALANCES = {
    "ΔE − work of the motors + losses": f"ΔE − {LABELS['work of the motors']} + 损耗",
    "ΔE − work of the motors − work of external forces + losses": (
        f"ΔE − {LABELS['work of the motors']} − {LABELS['work of external forces']} + 损耗"
    ),
}
RUN = "Run of {a}: {b} × {c} samples up to {d} s, {e} with a step of {f} s"
TOLD_RUN = "{a} 的仿真：{b} × {c} 个采样点，至 {d} s；方法 {e}，步长 {f} s"
RUNS = (
    *BALANCES.items(),
    (RUN, TOLD_RUN),
    (f"{RUN}, interrupted", f"{TOLD_RUN}；已中断"),
    (f"{RUN}, {{g}} stopped early", f"{TOLD_RUN}；{{g}} 个提前终止"),
    (f"{RUN}, interrupted, {{g}} stopped early", f"{TOLD_RUN}；已中断；{{g}} 个提前终止"),
    ("loss: damping", f"损耗：{LABELS['damping']}"),
    ("loss: viscous", f"损耗：{LABELS['viscous friction']}"),
    ("loss: coulomb", f"损耗：{LABELS['Coulomb friction']}"),
    ("loss: dissipation", "损耗：耗散函数"),
    ("{a} reaches {b} J, at t = {c} s", "|{a}| 最大为 {b} J（t = {c} s）"),
    (
        "reliable to the end: {a} differs by less than {b} in every coordinate (by {c} at the end)",
        "整个过程可信，与{a}相比，各坐标相差小于 {b}（结束时相差 {c}）",
    ),
    (
        "reliable up to {a} s; after that, {b} differs by more than {c} in a coordinate, and by {d} at the end, even "
        "if the energy is in balance",
        "在 {a} s 内可信；此后与{b}相比，有坐标相差超过 {c}，结束时相差 {d}，即使能量守恒",
    ),
    (
        "reliable up to {a} s, where {b}; nothing is known after that",
        "在 {a} s 内可信，此时{b}；此后的情况未知",
    ),
    ("this run ends, whereas {a} goes on to {b} s", "本次运行结束，而{a}持续到 {b} s"),
    ("{a} ends, whereas this run goes on to {b} s", "{a}结束，而本次运行持续到 {b} s"),
    ("this run ends, and so does {a}", "本次运行与{a}均结束"),
    ("a run by {w} to a tolerance of {v}", "方法 {w}（容差 {v}）的结果"),
    ("a run by {w} in steps of {v} s", "方法 {w}（步长 {v} s）的结果"),
    ("a run by {w} with half the step", "方法 {w}（步长减半）的结果"),
    ("a run by {w} with a hundredth of the tolerance", "方法 {w}（容差为百分之一）的结果"),
    (
        "{a}; no method of another kind takes this run, so errors that do not depend on the step stay unseen",
        "{a}；没有另一类方法可用，与步长无关的误差无法发现",
    ),
    ("arm {w} stopped at t = {v} s: {a}", "第 {w} 个机械臂在 t = {v} s 停止：{a}"),
    ("it reached {a}'s upper limit", f"{{a}} 到达{LABELS['upper limit']}"),
    ("it reached {a}'s lower limit", f"{{a}} 到达{LABELS['lower limit']}"),
    ("it reached the event", "到达所定事件"),
    (
        "its loops are singular there: their conditions depend on one another, and the motion beyond is not known",
        "各环在该处奇异：约束条件彼此相关，此后的运动未知",
    ),
    ("its state grew without bound", "状态无限增长"),
    ("the implicit step did not converge", "隐式步不收敛"),
    ("{w} stopped: its steps became too short", "{w} 停止：步长过小"),
    (
        "its mass matrix is singular there: a joint moves nothing that has inertia",
        "质量矩阵在该处奇异：有关节不带动任何惯量",
    ),
    (
        "{w} stopped: its steps became too short; where dry friction holds a joint at rest, use method={a}",
        "{w} 停止：步长过小；若有关节被干摩擦卡住，请用 method={a}",
    ),
    (
        "a sign, minimum or maximum switches back and forth without end: use a smooth function such as tanh",
        "符号、最小值或最大值函数不停地来回切换：请用光滑函数，如 tanh",
    ),
    ("the run was interrupted", "运行被中断"),
    ("the torque acts in {a}, where no motor is", "力矩作用于无电机的 {a}"),
    (
        "near t = {a} s the loops of arm {b} are nearly singular, where branches may meet: the run goes on along its "
        "velocity",
        "在 t = {a} s 附近，第 {b} 个机械臂的各环接近奇异，不同分支可能在此相交：运动沿其速度方向继续",
    ),
    (
        "at t = {a} s the loops of arm {b} are open: take a shorter step or a smaller tolerance",
        "在 t = {a} s，第 {b} 个机械臂的环未闭合：请减小步长或容差",
    ),
)
RESULTS = (*EQUATIONS, *CERTIFICATES, *GRADES, *RUNS)
