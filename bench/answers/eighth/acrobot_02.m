% Acrobot parameters (q1 = 0 hanging)
p1 = m1*lc1^2 + m2*l1^2 + I1;
p2 = m2*lc2^2 + I2;
p3 = m2*l1*lc2;
p4 = m1*lc1 + m2*l1;
p5 = m2*lc2;

M = [p1 + p2 + 2*p3*cos(q2), p2 + p3*cos(q2);
     p2 + p3*cos(q2),        p2];
G = [-p4*g*sin(q1) - p5*g*sin(q1+q2);
     -p5*g*sin(q1+q2)];
