# RP arm
M := Matrix([[m1*l1^2 + Izz1 + Izz2 + m2*d2^2, 0], [0, m2]]);
G := Vector([(m1*l1 + m2*d2)*g*cos(q1), m2*g*sin(q1)]);
