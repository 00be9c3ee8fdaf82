syms q1 q2 dq1 dq2 m1 m2 l1 lc1 lc2 I1 I2 g real
h = [-m2*l1*lc2*sin(q2)*(2*dq1*dq2 + dq2^2), m2*l1*lc2*sin(q2)*dq1^2].';
G = [(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2), m2*lc2*g*cos(q1+q2)]';   % column
