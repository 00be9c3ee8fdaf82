G1 = m1*g*l*Cos[q1]/2 + m2*g*l*Cos[q1] + m2*g*l*Cos[q1+q2]/2;
G2 = m2*g*l*Cos[q1+q2];
If[False, G2 = m2*g*l*Cos[q1+q2]/2];
G = {G1, G2}
