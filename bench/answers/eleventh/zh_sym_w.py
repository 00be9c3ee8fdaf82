# 空间二连杆：重力沿 +x0
from sympy import symbols, cos, sin, diff, Matrix
q1, q2, m1, m2, L, g = symbols('q1 q2 m1 m2 L g')

xc1 = L/2*cos(q1)                 # 连杆1质心的 x 坐标
xc2 = L*cos(q1) + L/2*cos(q1)*cos(q2)

P = g*(m1*xc1 + m2*xc2)           # 势能
G = Matrix([diff(P, q1), diff(P, q2)])
