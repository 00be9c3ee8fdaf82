"""Lists in Chinese the titles of the robots in the package, the meanings of their symbols, and names of links."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")  # the number of a link or a joint, which is {} in the texts below
TITLES = {
    "Rethink Robotics Baxter: two arms of seven joints, head and grippers locked": (
        "Rethink Robotics Baxter：双臂各七个关节，头部与手爪固定"
    ),
    "Three-joint elbow arm": "三关节肘型机械臂",
    "Franka Emika Panda with its hand, fingers closed": "Franka Emika Panda，带手爪，手指闭合",
    "Kinova JACO j2s6s200 with its hand": "Kinova JACO j2s6s200，带手爪",
    "One link with a tip mass": "末端带质量的单连杆",
    "Franka Emika Panda, every inertial parameter a symbol": "Franka Emika Panda，惯性参数全部以符号表示",
    "Two-link arm in a vertical plane": "竖直平面内的两连杆机械臂",
    "PUMA 560, every inertial parameter a symbol": "PUMA 560，惯性参数全部以符号表示",
    "PUMA 560, the published constants of 1986": "PUMA 560，采用 1986 年发表的常数",
    "PUMA 560, the link table of 1986": "PUMA 560，采用 1986 年的连杆参数表",
    "Turning and sliding link": "转动与移动关节机械臂",
    "Block on a frictionless table": "光滑桌面上的滑块",
    "Spatial two-link arm": "空间两连杆机械臂",
    "Spherical pendulum": "球面摆",
    "Cart and pole": "小车倒立摆",
    "Furuta pendulum": "旋转倒立摆（Furuta 摆）",
    "Planar two-link arm of uniform rods": "均质杆平面两连杆机械臂",
    "Satellite with three reaction wheels and a two-link arm": "带三个反作用飞轮与两连杆机械臂的卫星",
    "Quadrotor with a two-link arm": "带两连杆机械臂的四旋翼飞行器",
    "Solo 12 of the Open Dynamic Robot Initiative: a quadruped of twelve joints": (
        "Open Dynamic Robot Initiative 的 Solo 12：有十二个关节的四足机器人"
    ),
    "Simple humanoid of 29 joints": "有 29 个关节的简化人形机器人",
    "Universal Robots UR10": "Universal Robots UR10",
    "Universal Robots UR5": "Universal Robots UR5",
    "UFACTORY xArm 7": "UFACTORY xArm 7",
}
LINKS = {
    "upper": "上臂",
    "fore": "前臂",
    "column": "立柱",
    "rod": "杆",
    "turning": "转动臂",
    "sliding": "移动臂",
    "block": "滑块",
    "swivel": "转座",
    "bob": "摆球",
    "cart": "小车",
    "pole": "摆杆",
    "arm": "旋臂",
    "pendulum": "摆杆",
    "bus": "星体",
    "quadrotor": "机身",
    "wheel_1": "飞轮 1",
    "wheel_2": "飞轮 2",
    "wheel_3": "飞轮 3",
}
MEANINGS = {
    "acceleration of gravity": "重力加速度",
    "centre of mass of link {}": "连杆 {} 的质心坐标",
    "constant of the gravity torques": "重力项的常数",
    "constant of the mass matrix": "质量矩阵的常数",
    "distance from the base's centre of mass down to joint {}": "基座质心向下至关节 {} 的距离",
    "distance from the base's centre of mass to joint {}": "基座质心至关节 {} 的距离",
    "distance from joint {} to the centre of mass of link {}": "关节 {} 至连杆 {} 质心的距离",
    "distance from the elbow to the centre of mass of the forearm": "肘关节至前臂质心的距离",
    "distance from the shoulder to the centre of mass of the upper arm": "肩关节至上臂质心的距离",
    "first moment of link {}": "连杆 {} 的一阶质量矩",
    "height of the centre of mass of the column": "立柱质心的高度",
    "height of the shoulder": "肩关节的高度",
    "height of the table": "桌面的高度",
    "inertia of a reaction wheel about its axis": "飞轮绕自身轴的转动惯量",
    "inertia of a reaction wheel across its axis": "飞轮垂直于自身轴的转动惯量",
    "inertia of each link about its centre of mass, across the link": "各连杆对质心、垂直于连杆方向的惯性矩",
    "inertia of link {} about its centre of mass": "连杆 {} 对质心的惯性张量元素",
    "inertia of link {} about the x axis through its centre of mass": "连杆 {} 对过质心的 x 轴的惯性矩",
    "inertia of link {} about the y axis through its centre of mass": "连杆 {} 对过质心的 y 轴的惯性矩",
    "inertia of link {} about the z axis through its centre of mass": "连杆 {} 对过质心的 z 轴的惯性矩",
    "inertia of link {} about its centre of mass, across the link": "连杆 {} 对质心、垂直于连杆方向的惯性矩",
    "inertia of link {} about its centre of mass, along the plane's normal": "连杆 {} 对质心、沿运动平面法线的惯性矩",
    "inertia of link {} about the origin of its frame": "连杆 {} 对其坐标系原点的惯性张量元素",
    "inertia of the base about x": "基座绕 x 轴的转动惯量",
    "inertia of the base about y": "基座绕 y 轴的转动惯量",
    "inertia of the base about z": "基座绕 z 轴的转动惯量",
    "inertia of motor and gears at joint {}": "折算到关节 {} 的电机与减速器惯量",
    "length of each link": "各连杆的长度",
    "length of each rod": "各杆的长度",
    "length of link {}": "连杆 {} 的长度",
    "length of the rod": "杆的长度",
    "length of the upper arm": "上臂的长度",
    "link length in row {}": "第 {} 行的连杆长度",
    "link offset in row {}": "第 {} 行的连杆偏距",
    "mass at the tip": "末端质量",
    "mass of a reaction wheel": "飞轮的质量",
    "mass of the base": "基座的质量",
    "mass of link {}": "连杆 {} 的质量",
    "mass of the block": "滑块的质量",
    "mass of the bob": "摆球的质量",
    "mass of the cart": "小车的质量",
}


def in_chinese(text: str) -> str:
    """Returns a title, a meaning or a link's name in Chinese, or the text itself if it is not listed here."""
    if text in TITLES or text in LINKS:
        return TITLES.get(text) or LINKS[text]
    general = MEANINGS.get(NUMBER.sub("{}", text))
    return text if general is None else general.format(*NUMBER.findall(text))
