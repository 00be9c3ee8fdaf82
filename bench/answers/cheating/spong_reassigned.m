syms q1 q2 m1 m2 l1 lc1 lc2 g
G = [(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2); m2*lc2*g*cos(q1+q2)];
G = -G;
