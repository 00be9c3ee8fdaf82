import casadi as ca

# planar 3R, masses at the tips of the links a1, a2, a3; gravity along -y
q = ca.SX.sym('q', 3)
m1, m2, m3 = ca.SX.sym('m1'), ca.SX.sym('m2'), ca.SX.sym('m3')
a1, a2, a3 = ca.SX.sym('a1'), ca.SX.sym('a2'), ca.SX.sym('a3')
g = ca.SX.sym('g')

q1, q2, q3 = q[0], q[1], q[2]
x = a1*ca.cos(q1) + a2*ca.cos(q1 + q2) + a3*ca.cos(q1 + q2 + q3)
y = a1*ca.sin(q1) + a2*ca.sin(q1 + q2) + a3*ca.sin(q1 + q2 + q3)
tip = ca.vertcat(x, y)

G3 = m3*g*a3*ca.cos(q1 + q2 + q3)
G2 = G3 + (m2 + m3)*g*a2*ca.cos(q1 + q2)
G1 = G2 + (m1 + m2 + m3)*g*a1*ca.cos(q1)
G = ca.vertcat(G1, G2, G3)
