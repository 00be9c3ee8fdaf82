syms q1 q2 m1 m2 l1 l2 g
disp('G1 = m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)/2')
disp('G2 = m2*g*l2*cos(q1+q2)/2')
G = [m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)/2; -m2*g*l2*cos(q1+q2)/2];
