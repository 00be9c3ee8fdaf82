z1 = l1/2 Sin[q1];
z2 = l1 Sin[q1] + l2/2 Sin[q1 + q2];
P = m1 g z1 + m2 g z2;
G = {D[P, q1], D[P, q2]};
