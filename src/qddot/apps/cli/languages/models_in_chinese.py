"""These tables have what commands print of models and the doctor finds in them, with its Chinese.

{a} matches any text, {w} and {v} one word.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from qddot.apps.cli.languages.terms_in_chinese import REPORT, TERMS
from qddot.formats.toml.link_table import NO_CENTRE
from qddot.formats.toml.robot_file import NO_PARENT
from qddot.inspect.doctor.diagnosis import SEVERITIES
from qddot.papers import overview
from qddot.papers.report.languages import LANGUAGES
from qddot.robot.shapes.kinds import KINDS

HOLES = "bcdefgh"


def _counted() -> Iterator[tuple[str, str]]:
    """Yields the numbers of the doctor's findings in a model: "arm: 1 error, 2 hints", perhaps after a file's name."""
    for endings in product((None, "", "s"), repeat=len(SEVERITIES)):
        kinds = [
            (f"{{{hole}}} {kind}{end}", f"{{{hole}}} 个{TERMS[kind]}")
            for hole, kind, end in zip(HOLES, reversed(SEVERITIES), endings, strict=False)
            if end is not None
        ]
        english, chinese = zip(*(kinds or [("no findings", "未发现问题")]), strict=True)
        for file, told in (("", ""), ("{w}: ", "{w}：")):
            yield f"{file}{{a}}: {', '.join(english)}", f"{told}{{a}}：{'，'.join(chinese)}"


def _uniform() -> Iterator[tuple[str, str]]:
    """Yields the shapes from which inertias follow: "link: box along x of length l, …"."""
    for kind in KINDS.values():
        sizes = list(zip(kind.sizes, HOLES, strict=False))
        english = ", ".join(f"{size.replace('_', ' ')} {{{hole}}}" for size, hole in sizes)
        chinese = "，".join(f"{REPORT[f'size {size}']} {{{hole}}}" for size, hole in sizes)
        shape = f"{{a}}：均质{REPORT[f'shape {kind.name}']}"
        for along, axis in (("", ""), (" along {x}", "，轴线沿 {x}")):
            for turned, own in (("", ""), (" of its own turned axes", "（形体自身的轴，相对连杆有转动）")):
                yield (
                    f"{{a}}: {kind.noun.told('en')}{along}{turned} of {english}; mass {{y}}, centre of mass {{z}}",
                    f"{shape}{axis}{own}：{chinese}；质量 {{y}}，质心 {{z}}",
                )


MODELS = (
    ("gravity: {a} m/s²", "重力加速度：{a} m/s²"),
    (overview.GIVEN_EQUATIONS, "运动方程：逐元素给出，质量、惯量与重力含在各常数中"),
    ("coordinates: {a}", "坐标：{a}"),
    ("positions: {a}", "位置坐标：{a}"),
    ("velocities: {a}", "速度：{a}"),
    ("driven by motors: none; passive: {a}", "均无电机驱动：{a}"),
    ("driven by motors: {a}; passive: {b}", "由电机驱动：{a}；无电机：{b}"),
    *((f"{kind}, part of {{a}}", f"{REPORT[kind]}，{{a}} 的一部分") for kind in ("revolute", "prismatic")),
    ("rod {a}", LANGUAGES["zh"].chains["rod of"].replace("{length}", "{a}")),
    ("dissipation function D", "耗散函数 D"),
    ("force Q on {a}", "{a} 的广义力 Q"),
    *(
        (f"{overview.ROWS[kind]}{base}", f"{told} DH 参数，{overview.ROWS[kind].partition(', ')[2]}{origin}")
        for kind, told in (("dh", "标准"), ("mdh", "改进"))
        for base, origin in (("", ""), (", from a base at {a} with axes {b}", "，起始坐标系的原点为 {a}，坐标轴为 {b}"))
    ),
    (overview.SCREWS, "q = 0 时的螺旋轴（基座坐标系），T = exp(S1 q1) exp(S2 q2) … T(0)"),
    ("inertias by integration:", f"{REPORT['integrals']}："),
    *_uniform(),
    ("  {a}, about its origin, I_c − m ĉ ĉ: {b}", "  {a} 对坐标系原点，I_c − m ĉ ĉ：{b}"),
    ("  {a}, about its origin, the sum of I_c − m ĉ ĉ: {b}", "  {a} 对坐标系原点，各 I_c − m ĉ ĉ 之和：{b}"),
    ("  {a}, pseudo-inertia ∫p pᵀ dm: {b}", "  {a} 的伪惯性矩阵 ∫p pᵀ dm：{b}"),
)
PLACES_OF_BOUNDS = (("in every pose", "在任意位形下"), ("within the joint limits", "在关节限位内"))
BOUNDS = (
    *(
        pair
        for where, place in PLACES_OF_BOUNDS
        for pair in (
            (
                f"proved {where}: M is positive definite, λmin(M) {{a}} (found: {{b}})",
                f"已证明，{place}：M 正定，λmin(M) {{a}}（已找到 {{b}}）",
            ),
            (
                f"proved {where}: λmax(M) {{a}} (found: {{b}}), ‖G‖ {{c}} (found: {{d}})",
                f"已证明，{place}：λmax(M) {{a}}（已找到 {{b}}），‖G‖ {{c}}（已找到 {{d}}）",
            ),
            (
                f"not proved in {{a}} s: M is positive definite {where}; {{b}}",
                f"{{a}} s 内未能证明 M {place}正定；{{b}}",
            ),
        )
    ),
    ("`qddot bounds --seconds 60` searches longer", "`qddot bounds --seconds 60` 搜索更久"),
    ("proved in every pose: M is positive definite, λmin(M) ≥ {a}", "已证明，在任意位形下：M 正定，λmin(M) ≥ {a}"),
    (
        "no other bounds are searched: {a} coordinates take longer than {b} s; use `qddot bounds`",
        "未搜索其他界限：{a} 个坐标用时超过 {b} s；请用 `qddot bounds`",
    ),
    ("no bounds are proved: {a}", "没有证明界限：{a}"),
    ("a proof of bounds", "界限的证明"),
    ("the joint of {a} slides and has no limits", "移动关节 {a} 没有限位"),
    ("{a} coordinates, expected at most {b}", "有 {a} 个坐标，至多为 {b} 个"),
)
FINDINGS = (
    *_counted(),
    ("conditions that follow from others: {a}", "由其他条件得出的条件：{a}"),
    ("conditions that follow from others, where the loops are closed: {a}", "在闭合位形处由其他条件得出的条件：{a}"),
    (
        "the equations leave them out, but where parts are not exact, they strain the bearings",
        "方程中略去这些条件，但零件有误差时，它们会使轴承受力",
    ),
    (
        "nothing needs to be done; another type of loop, such as spherical, has fewer conditions",
        "无须处理；改用其他类型的环，如球关节，条件会更少",
    ),
    ("equations of motion need a mechanism that moves", "可动的机构才有运动方程"),
    ("without a closed configuration nothing can be computed", "没有闭合位形，什么也无法计算"),
    ("correct lengths or frames", "请更正长度或坐标系"),
    (
        "the coordinate is taken as free, since inverses of such small numbers lose as many digits",
        "该坐标按独立坐标处理，因为这样小的数求逆会损失同样多的有效位数",
    ),
    ("correct the frames of the loop, or the axis of the joint", "请更正环的坐标系或关节轴"),
    ("it is singular at {a}, to the precision of floats", "在 {a} 处奇异（按浮点精度）"),
    (
        "forward dynamics and simulation need M⁻¹, and lose digits near this pose",
        "正动力学和仿真需要 M⁻¹，在此位形附近会损失有效位数",
    ),
    (
        "limit the joints to a range without it, if the robot never gets there",
        "若机器人从不到达该处，请设置不含它的关节限位",
    ),
    ("this is not valid XML: some programs reject the file", "这不是有效的 XML，有些程序会拒绝该文件"),
    (
        "write comments without --, and declare each prefix (xmlns:…)",
        "注释中请勿写 --，并请声明每个前缀（xmlns:…）",
    ),
    ("not read: {a}", "未读取：{a}"),
    (
        "what it says is not in the equations, where a default may take its place",
        "其内容不在方程中，可能以默认值代替",
    ),
    (NO_CENTRE, "未给出质心 com，取在连杆坐标系原点"),
    ("the centre of mass of most links is elsewhere", "多数连杆的质心不在该处"),
    ("give com, or com = [0, 0, 0]", "请给出 com，或写 com = [0, 0, 0]"),
    (NO_PARENT, "未给出父连杆，该连杆连接在基座上"),
    ("in most robots each link hangs on the one before it", "多数机器人的每个连杆都连接在前一连杆上"),
    ('give parent = "previous", or parent = "base"', '请写 parent = "previous" 或 parent = "base"'),
    (
        "qddot cannot derive this robot, so that the rest of the file was not examined",
        "qddot 不能推导该机器人，故未检查文件的其余部分",
    ),
    ("correct the description", "请更正描述"),
    ("this file was not examined", "未检查该文件"),
    (
        "it has macros, and xacro would run the Python expressions in it",
        "文件中有宏，xacro 会运行其中的 Python 表达式",
    ),
    ("if you trust the files in the folder, use --xacro", "若信任该文件夹中的文件，请用 --xacro"),
    ("the robot cannot be loaded", "无法载入该机器人"),
)
OF_MODELS = (*MODELS, *BOUNDS, *FINDINGS)
