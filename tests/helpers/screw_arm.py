"""A robot file with a screw, a spring, friction, a tree, a follower, angles of all kinds, and odd names."""

SCREW = """
name = "screw"
convention = "tree"
[symbols]
m = 2
p = {value = "1/8", meaning = "pitch (m/rad), \\"right\\" *) handed"}
k = 3
[[link]]
name = "nut *) ("
mass = "m"
com = ["0.05", 0, "m"]
inertia = { about = "origin", xx = "20", yy = 20, zz = "2" }
[link.joint]
type = "helical"
pitch = "p"
rpy = ["20deg", "0.3", "45deg"]
armature = "0.01"
damping = "0.2"
coulomb = "0.1"
spring = { stiffness = "k", rest = "0.5" }
[[link]]
name = "arm"
parent = "nut *) ("
mass = "0.7"
com = [0, "0.1", 0]
inertia = { about = "pseudo", xx = "0.02", yy = "0.03", zz = "0.01", xy = "0.001" }
joint = { type = "prismatic", axis = ["3/5", 0, "4/5"], xyz = ["0.1", 0, 0] }
[[link]]
name = "branch"
parent = "nut *) ("
mass = "0.3"
com = ["0.2", 0, 0]
inertia = { about = "com", zz = "0.004", yy = "0.004" }
joint = { type = "revolute", axis = [0, 1, 0] }
[[link]]
name = "follower"
parent = "arm"
mass = "0.1"
com = ["0.1", 0, "0.01"]
joint = { type = "revolute", axis = [1, 0, 0], coordinate = "q3", ratio = "3/2" }
"""
