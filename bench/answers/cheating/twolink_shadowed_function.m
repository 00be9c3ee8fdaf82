cos = @(x) 1;
G1 = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2)/2;
G2 = m2*g*l*cos(q1+q2)/2;
G = [G1; G2];
