with(LinearAlgebra):
M := Matrix([[Izz1 + Izz2 + m1*l1^2 + m2*d2^2, 0], [0, m2]]):
C := Matrix([[m2*d2*dd2, m2*d2*dq1], [-m2*d2*dq1, 0]]):
G := Vector([(m1*l1 + m2*d2)*g*cos(q1), m2*g*sin(q1)]):
# dd2 = diff(d2,t), dq1 = diff(q1,t)
