G1 = (m1*l1\2 + m2*l1)*g*cos(q1) + m2*l2\2*g*cos(q1+q2)
G2 = m2*l2\2*g*cos(q1+q2)
