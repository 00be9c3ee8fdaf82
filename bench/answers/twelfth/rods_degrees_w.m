% holding torques at q1 = 30 deg, q2 = 60 deg
m1 = 1; m2 = 1; l = 1; g = 9.81;
q1 = 30; q2 = 60;
G1 = (m1/2 + m2)*g*l*cos(q1) + m2*g*l/2*cos(q1 + q2)
G2 = m2*g*l/2*cos(q1 + q2)
