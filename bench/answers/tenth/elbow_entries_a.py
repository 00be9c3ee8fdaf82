from sympy import cos, symbols

q1, q2, q3 = symbols("q1 q2 q3")
m2, m3, Ix2, Ix3, l1, r1, r2 = symbols("m2 m3 Ix2 Ix3 l1 r1 r2")

M22 = Ix2 + Ix3 + m3*l1**2 + m2*r1**2 + m3*r2**2 + 2*m3*l1*r2*cos(q3)
M23 = Ix3 + m3*r2**2 + m3*l1*r2*cos(q3)
M33 = Ix3 + m3*r2**2
