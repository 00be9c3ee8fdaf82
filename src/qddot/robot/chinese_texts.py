"""Lists in Chinese the titles and sources of robots and chains in the package, their symbols, and names of links."""

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
    "Acrobot": "Acrobot：仅肘关节有电机的两连杆机械臂",
    "Pendubot": "Pendubot：仅肩关节有电机的两连杆机械臂",
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
    "Delta robot with three arms and pairs of light rods": "三臂 Delta 机器人，连杆为成对的轻杆",
    "Delta robot whose forearms are parallelograms of two rods with universal and ball joints": (
        "Delta 机器人，前臂为两杆平行四边形，两端为万向节与球关节"
    ),
    "Symmetric five-bar linkage in a vertical plane": "竖直平面内的对称五杆机构",
    "Four-bar linkage in a vertical plane": "竖直平面内的四杆机构",
    "Robotiq 2F-85 gripper: two fingers, each a four-bar with a spring link, moved by one motor": (
        "Robotiq 2F-85 手爪：两指各为带弹簧构件的四杆机构，由一台电机驱动"
    ),
    "Disc that rolls on a horizontal plane": "在水平面上滚动的圆盘",
    "SCARA arm whose forearm is driven by a parallelogram from the ground": "前臂由机架经平行四边形驱动的 SCARA 机械臂",
    "Slider-crank mechanism": "曲柄滑块机构",
    "Upright wheel with a body that it carries": "带载体的直立轮（独轮车）",
}
LEFT_OUT = {  # kinds of content of `model.left_out`
    "tendons with springs, damping, friction or armature": "带弹簧、阻尼、摩擦或转子惯量的腱",
    "actuators with armature or damping": "带转子惯量或阻尼的执行器",
    "equalities that are not modelled": "未建模的等式约束",
    "connections that close loops": "形成闭环的连接",
    "gravity that is compensated or switched off for single links": "对个别连杆补偿或关闭的重力",
    "a fluid round the links": "连杆周围的流体",
    "bodies that bend": "可弯曲的物体",
    "plugins": "插件",
    "springs and damping that are not linear": "非线性的弹簧与阻尼",
    "springs that are not modelled": "未建模的弹簧",
    "rotors of motors": "电机转子",
    "velocities of single links that decay": "个别连杆衰减的速度",
    "wind that acts on links": "作用于连杆的风",
    "links, joints and states that extensions add": "由扩展添加的连杆、关节与状态",
}
MERGED = ", as in the package example-robot-data; fixed links merged", "，取自软件包 example-robot-data；固定连杆已合并"
SOURCES = {
    (
        "Barto, Sutton, Anderson, Neuronlike adaptive elements, 1983; with a point mass as in Tedrake, "
        "Underactuated Robotics, section 3.2"
    ): (
        "Barto, Sutton, Anderson, Neuronlike adaptive elements, 1983；质点摆见 Tedrake, Underactuated Robotics, 3.2 节"
    ),
    (
        "Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, example 4.3; link "
        "frames at the centres of mass"
    ): (
        "Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994，例 4.3；连杆坐标系原点取在质心"
    ),
    "Cazzolato, Prime, On the dynamics of the Furuta pendulum, 2011: slender links, without friction": (
        "Cazzolato, Prime, On the dynamics of the Furuta pendulum, 2011：细长连杆，无摩擦"
    ),
    (
        "Spong, The swing up control problem for the acrobot, 1995; the numbers are those of two uniform rods of "
        "1 m and 2 m"
    ): ("Spong, The swing up control problem for the acrobot, 1995；数值取自长 1 m 与 2 m 的两根均质杆"),
    (
        "Spong, Block, The pendubot: a mechatronic system for control research and education, 1995; the numbers are "
        "chosen for two rods of 0.5 kg and 0.3 m"
    ): (
        "Spong, Block, The pendubot: a mechatronic system for control research and education, 1995；"
        "数值取自质量 0.5 kg、长 0.3 m 的两根杆"
    ),
    "Zhejiang University, slides on robot dynamics: point mass at the end of a massless rod, gravity along −y0": (
        "浙江大学机器人动力学课件：质点固连于无质量杆的末端，重力沿 −y0 方向"
    ),
    "Franka Emika, Robot and interface specifications: modified DH table": (
        "Franka Emika, Robot and interface specifications：改进 DH 参数表"
    ),
    "A blog on the two-link arm: modified DH, x0-z0 plane, full inertia tensors about the centres of mass": (
        "一篇介绍两连杆机械臂的博客：改进 DH 约定，x0-z0 平面，对质心的完整惯性张量"
    ),
    "Zhejiang University, slides on robot dynamics: standard DH table of the PUMA 560": (
        "浙江大学机器人动力学课件：PUMA 560 的标准 DH 参数表"
    ),
    (
        "Armstrong, Khatib, Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 arm, "
        "ICRA 1986: tables A2 to A6"
    ): (
        "Armstrong, Khatib, Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 arm, "
        "ICRA 1986：表 A2 至 A6"
    ),
    (
        "Armstrong, Khatib, Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 arm, "
        "ICRA 1986: modified DH, masses, centres of mass, inertias about them, reflected motor inertias"
    ): (
        "Armstrong, Khatib, Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 arm, "
        "ICRA 1986：改进 DH 参数、质量、质心、对质心的惯性张量、折算的电机惯量"
    ),
    (
        "aerial manipulator as in Lippiello, Ruggiero, Exploiting redundancy in Cartesian impedance control "
        "of UAVs equipped with a robotic arm, 2012; the numbers are round ones"
    ): (
        "空中机械臂，参见 Lippiello, Ruggiero, Exploiting redundancy in Cartesian impedance control of UAVs "
        "equipped with a robotic arm, 2012；数值取整"
    ),
    (
        "Khatib, CS223A Introduction to Robotics, the RP manipulator; its Izz2 is about the plane's normal, "
        "here y of frame 2"
    ): "Khatib, CS223A Introduction to Robotics，RP 机械臂；其中 Izz2 绕运动平面法线，此处为坐标系 2 的 y 轴",
    (
        "free-flying robot as in Umetani, Yoshida, Resolved motion rate control of space manipulators with "
        "generalized Jacobian matrix, 1989; the numbers are round ones"
    ): (
        "自由飞行机器人，参见 Umetani, Yoshida, Resolved motion rate control of space manipulators with "
        "generalized Jacobian matrix, 1989；数值取整"
    ),
    "Lagrange's and Newton's equation of a sliding mass, the first example of a blog on the two-link arm": (
        "滑动质量的拉格朗日方程与牛顿方程，一篇介绍两连杆机械臂的博客的第一个例子"
    ),
    "ME 739 homework 3, problem 2; Ia is read as an inertia in kg m²": (
        "ME 739 课程作业 3 第 2 题；Ia 按转动惯量理解，单位 kg m²"
    ),
    (
        "R. Clavel, Delta, a fast robot with parallel geometry, 18th International Symposium on Industrial Robots, "
        "1988; half of each pair of rods counts as a point mass at each end, as in Tsai, Robot Analysis, 1999, section "
        "10.4"
    ): (
        "R. Clavel, Delta, a fast robot with parallel geometry, 18th International Symposium on Industrial Robots, "
        "1988；每对杆的质量各以一半作为两端的质点，同 Tsai, Robot Analysis, 1999，10.4 节"
    ),
    "The planar parallel arm with two motors at the ground (Tsai, Robot Analysis, 1999, ch. 3)": (
        "两电机均在机架上的平面并联臂（Tsai, Robot Analysis, 1999，第 3 章）"
    ),
    (
        "The planar four-bar of textbooks on mechanisms: crank, coupler and rocker (Doughty, Mechanics of Machines, "
        "1988, ch. 2)"
    ): "机械原理教科书中的平面四杆机构：曲柄、连杆与摇杆（Doughty, Mechanics of Machines, 1988，第 2 章）",
    (
        "The crank drive of textbooks on mechanisms: crank, connecting rod and piston (Doughty, Mechanics of Machines, "
        "1988, ch. 2)"
    ): "机械原理教科书中的曲柄滑块机构：曲柄、连杆与活塞（Doughty, Mechanics of Machines, 1988，第 2 章）",
    (
        "Robotiq 2F-85 of google-deepmind/mujoco_menagerie (BSD-2-Clause), derived from ros-industrial/robotiq; "
        "tensors turned into the links' axes, rounded to six digits"
    ): (
        "google-deepmind/mujoco_menagerie 的 Robotiq 2F-85（BSD-2-Clause），源自 ros-industrial/robotiq；"
        "惯性张量已转到连杆坐标轴，并取六位数字"
    ),
    (
        "Asada, Youcef-Toumi, Direct-Drive Robots, 1987, ch. 6; Spong, Hutchinson, Vidyasagar, Robot Modeling and "
        "Control, 2006, §7.4 (five-bar linkage)"
    ): (
        "Asada, Youcef-Toumi, Direct-Drive Robots, 1987，第 6 章；Spong, Hutchinson, Vidyasagar, Robot Modeling and "
        "Control, 2006，7.4 节（五杆机构）"
    ),
    "Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, example 4.1": (
        "Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994，例 4.1"
    ),
    "Zhejiang University, slides on robot dynamics: exercise, from its pseudo-inertia matrices; gravity along −y0": (
        "浙江大学机器人动力学课件的习题，给出伪惯性矩阵；重力沿 −y0 方向"
    ),
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
    "crank": "曲柄",
    "coupler": "连杆",
    "rocker": "摇杆",
    "piston": "活塞",
    "platform": "动平台",
    "left_crank": "左曲柄",
    "left_rod": "左连杆",
    "right_crank": "右曲柄",
    "right_rod": "右连杆",
    "bus": "星体",
    "quadrotor": "机身",
    "wheel_1": "飞轮 1",
    "wheel_2": "飞轮 2",
    "wheel_3": "飞轮 3",
}
MEANINGS = {
    "acceleration of gravity": "重力加速度",
    "acceleration of free fall": "重力加速度",
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
    "inertia of each link about its centre of mass, across the link": "各连杆对质心、垂直于连杆方向的转动惯量",
    "inertia of link {} about its centre of mass": "连杆 {} 对质心的惯性张量元素",
    "inertia of link {} about the x axis through its centre of mass": "连杆 {} 对过质心的 x 轴的转动惯量",
    "inertia of link {} about the y axis through its centre of mass": "连杆 {} 对过质心的 y 轴的转动惯量",
    "inertia of link {} about the z axis through its centre of mass": "连杆 {} 对过质心的 z 轴的转动惯量",
    "inertia of link {} about its centre of mass, across the link": "连杆 {} 对质心、垂直于连杆方向的转动惯量",
    "inertia of link {} about its centre of mass, along the plane's normal": "连杆 {} 对质心、沿运动平面法线的转动惯量",
    "inertia of link {} about the origin of its frame": "连杆 {} 对其坐标系原点的惯性张量元素",
    "inertia of the base about x": "基座绕 x 轴的转动惯量",
    "inertia of the base about y": "基座绕 y 轴的转动惯量",
    "inertia of the base about z": "基座绕 z 轴的转动惯量",
    "inertia of motor and gears at joint {}": "折算到关节 {} 的电机与减速器惯量",
    "inertia, as in the tables above": "惯量，见上表",
    "length, as in the tables above": "长度，见上表",
    "length of each link": "各连杆的长度",
    "length of each rod": "各杆的长度",
    "length of link {}": "连杆 {} 的长度",
    "length of the rod": "杆的长度",
    "length of the upper arm": "上臂的长度",
    "link length in row {}": "连杆 {} 的长度",
    "link offset in row {}": "连杆 {} 的偏距",
    "mass at the tip": "末端质量",
    "mass of a reaction wheel": "飞轮的质量",
    "mass of the base": "基座的质量",
    "mass of link {}": "连杆 {} 的质量",
    "mass of the block": "滑块的质量",
    "mass of the bob": "摆球的质量",
    "mass of the cart": "小车的质量",
    "radius of the motors' circle": "电机所在圆的半径",
    "radius of the platform's joints": "动平台铰点圆的半径",
    "length of the arms": "主动臂的长度",
    "length of the rods": "连杆的长度",
    "mass of an arm": "一个主动臂的质量",
    "inertia of an arm about its centre of mass": "一个主动臂对质心的转动惯量",
    "mass of a pair of rods": "一对杆的质量",
    "mass of the platform and its load": "动平台及负载的质量",
    "distance of the motors from the middle": "电机到中心的距离",
    "distance of the platform's joints from its middle": "动平台铰点到其中心的距离",
    "length of the upper arms": "主动臂的长度",
    "half the distance between the two rods of an arm": "同一臂两杆间距的一半",
    "mass of an upper arm": "一个主动臂的质量",
    "inertia of an upper arm about its centre of mass": "一个主动臂对质心的转动惯量",
    "mass of a rod": "一根杆的质量",
    "inertia of a rod about its centre of mass": "一根杆对质心的转动惯量",
    "mass of the platform": "动平台的质量",
    "inertia of the platform about its x and y axes; twice that about z": "动平台绕 x、y 轴的转动惯量；绕 z 轴为其两倍",
    "length of the cranks": "曲柄的长度",
    "distance between the motors": "两电机的间距",
    "mass of a crank": "一个曲柄的质量",
    "inertia of a crank about its centre of mass": "一个曲柄对质心的转动惯量",
    "length of the crank": "曲柄的长度",
    "length of the coupler": "连杆的长度",
    "length of the rocker": "摇杆的长度",
    "distance between the ground's joints": "机架上两铰点的间距",
    "mass of the crank": "曲柄的质量",
    "mass of the coupler": "连杆的质量",
    "mass of the rocker": "摇杆的质量",
    "inertia of the crank about its centre of mass": "曲柄对质心的转动惯量",
    "inertia of the coupler about its centre of mass": "连杆对质心的转动惯量",
    "inertia of the rocker about its centre of mass": "摇杆对质心的转动惯量",
    "radius of the disc": "圆盘的半径",
    "mass of the disc": "圆盘的质量",
    "length of the upper arm and of the rod": "上臂与连杆的长度",
    "length of the crank and of the forearm's short end": "曲柄与前臂短端的长度",
    "length of the forearm, from the elbow to the quill": "前臂从肘关节到主轴的长度",
    "distance of the upper arm's centre of mass from the shoulder": "上臂质心到肩关节的距离",
    "distance of the crank's centre of mass from the shoulder": "曲柄质心到肩关节的距离",
    "distance of the rod's centre of mass from the crank": "连杆质心到曲柄的距离",
    "distance of the forearm's centre of mass from the elbow": "前臂质心到肘关节的距离",
    "mass of the upper arm": "上臂的质量",
    "mass of the rod": "连杆的质量",
    "mass of the forearm": "前臂的质量",
    "mass of the quill": "主轴的质量",
    "inertia of the upper arm about its centre of mass": "上臂对质心的转动惯量",
    "inertia of the rod about its centre of mass": "连杆对质心的转动惯量",
    "inertia of the forearm about its centre of mass": "前臂对质心的转动惯量",
    "radius of the crank": "曲柄的半径",
    "length of the connecting rod": "连杆的长度",
    "mass of the connecting rod": "连杆的质量",
    "mass of the piston": "活塞的质量",
    "inertia of the connecting rod about its centre of mass": "连杆对质心的转动惯量",
    "radius of the wheel": "车轮的半径",
    "distance of the body's centre of mass ahead of the wheel's axle": "载体质心在轮轴前方的距离",
    "mass of the body": "载体的质量",
    "mass of the wheel": "车轮的质量",
    "inertia of the body about the vertical through its centre of mass": "载体对过质心的竖直轴的转动惯量",
    "inertia of the wheel about its axle": "车轮对轮轴的转动惯量",
    "inertia of the wheel about a diameter": "车轮对直径的转动惯量",
}


def in_chinese(text: str) -> str:
    """Returns a title, a source, a meaning, a link's name or a kind of content in Chinese, or the text itself."""
    for texts in (TITLES, LINKS, SOURCES, LEFT_OUT):
        if text in texts:
            return texts[text]
    if text.endswith(MERGED[0]):
        return text.removesuffix(MERGED[0]) + MERGED[1]
    general = MEANINGS.get(NUMBER.sub("{}", text))
    return text if general is None else general.format(*NUMBER.findall(text))
