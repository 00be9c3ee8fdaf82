"""This table has the library's sentences with their Chinese; {a} matches any text, {w}, {v} and {u} one word."""

from __future__ import annotations

EXPRESSIONS = (("a magnitude within {a}", "绝对值在 {a} 以内"),)
ROBOTS = (
    (
        "the free joint of link {a} has quasi-velocities, which {b} does not support yet",
        "连杆 {a} 的自由关节使用准速度，{b}尚不支持",
    ),
    (
        "the spherical joint of link {a} has quasi-velocities, which {b} does not support yet",
        "连杆 {a} 的球关节使用准速度，{b}尚不支持",
    ),
    ("the {w} {a} {v} used but not declared", "使用了未声明的符号 {a}"),
    ("declare {w} in [symbols] (symbols=... in Python), {a}", "请在“符号”表中声明；{a}"),
    ("no body has this inertia: {a}", "没有物体具有这样的惯量：{a}"),
    ("name is {a}", "名称为 {a}"),
    ("title is {a}", "标题为 {a}"),
    ("write [[link]], not [link]", "请写 [[link]]，而不是 [link]"),
)
FINDINGS = (
    ("its least second moment about the centre of mass is {a}", "其对质心的最小二阶矩为 {a}"),
    (
        "a tensor is positive semidefinite and no moment exceeds the sum of the two others",
        "惯性张量半正定，任一主矩不大于另两个之和",
    ),
    ("a limit of {a} rad", "限位为 {a} rad"),
    ("{a} m from its parent to its joint", "从父连杆到关节 {a} m"),
    ("{a} m from its joint to its frame", "从关节到坐标系 {a} m"),
    ("{a} m to its centre of mass", "到质心 {a} m"),
    ("{a} m to the tool", "到工具 {a} m"),
    ("{a} m as the {b} of a {c}", "形体 {c} 的 {b} 为 {a} m"),
    ("no arm is so long: the number seems to be in millimetres", "没有这么长的机械臂：像是毫米"),
    ("give lengths in m (and inertias in kg m²)", "长度请用 m（惯量用 kg m²）"),
    ("a constant angle of {a} rad", "常数角 {a} rad"),
    ("that is more than two turns; probably, {a}", "超过两整圈；很可能{a}"),
    ("the limits of the joint are in degrees and taken as radians", "把以度为单位的关节限位当作弧度"),
    ("angles in degrees are taken as radians", "把以度为单位的角当作弧度"),
    ("convert them to radians", "请换算为弧度"),
    ("write radians: {w} for as many degrees", "请写弧度：这些度数为 {w}"),
    (
        'write radians: {w} for as many degrees; a robot file also takes "{a}"',
        '请写弧度：这些度数为 {w}；机器人文件中也可写 "{a}"',
    ),
    *(
        (
            f"if the products of inertia about the {point} are given as Ixy = +∫xy dm, it is possible: change their "
            'signs, or in a robot file write products = "positive"',
            f"若对{chinese}的惯性积按 Ixy = +∫xy dm 给出，则该惯量可能存在：请改变其符号，"
            '或在机器人文件中写 products = "positive"',
        )
        for point, chinese in (("centre of mass", "质心"), ("link's origin", "连杆坐标系原点"))
    ),
    (
        "the inertia is taken about the frame's origin, although it is given about the centre of mass (its "
        "parallel-axis term is missing)",
        "惯量按坐标系原点取值，而所给的是对质心的惯量（缺少平行轴项）",
    ),
    (
        'if {a}, the inertia is possible: give it about the other point; a robot file says about = "com"',
        '若{a}，则该惯量可能存在：请改为对另一点给出；机器人文件中写 about = "com"',
    ),
    (
        "check its signs, its point and its units; a robot file may say partial_inertia = true if only some entries "
        "are known",
        "请检查符号、参考点和单位；若只知部分分量，机器人文件中可写 partial_inertia = true",
    ),
    ("no gravity", "没有重力"),
    ("this is right only for motion in a horizontal plane or in space", "仅适用于水平面或太空"),
    ("{a} m/s²", "{a} m/s²"),
    ("on Earth it is 9.8 m/s²", "地球的重力加速度为 9.8 m/s²"),
    ("check its size and unit (m/s²)", "请检查大小和单位（m/s²）"),
    ("along none of the base's axes: {a}", "不沿基座的任何轴：{a}"),
    ("this is right only for a tilted base", "仅适用于倾斜的基座"),
    ("check its components", "请检查各分量"),
    ("toward +z: {a}", "指向 +z：{a}"),
    (
        "gravity is the acceleration of free fall, which points down; +z usually points up",
        "重力加速度应指向下方；+z 通常朝上",
    ),
    (
        'gravity = [0, 0, "-g"] unless z points down or the arm hangs',
        '除非 z 朝下或机械臂倒挂，请写 gravity = [0, 0, "-g"]',
    ),
    (
        "the mass matrix is singular in every pose: no inertia resists a motion of {a}",
        "质量矩阵在任何位形都奇异：没有惯量抵抗 {a} 的运动",
    ),
    (
        "the mass matrix is singular in every pose: no inertia resists a joint motion of {a}",
        "质量矩阵在任何位形都奇异：没有惯量抵抗 {a} 的联合运动",
    ),
    ("no torque contains {a}", "任何力矩都不含 {a}"),
    (
        "nothing needs to be done: the link declares that only some entries are known",
        "若如连杆所述只知部分分量，无须处理",
    ),
)
PLACES = (
    ("symbol {a}", "符号 {a}"),
    ("symbols", "符号"),
    ("joints", "关节"),
    ("gravity", "重力"),
    ("all moving links", "所有运动连杆"),
    ("a joint's or a frame's angle", "关节或坐标系的角度"),
    ("pasted text", "粘贴的文本"),
)
NOTATIONS = (("no notation {a}", "没有记号 {a}"),)
SENTENCES = (*EXPRESSIONS, *FINDINGS, *PLACES, *ROBOTS, *NOTATIONS)
