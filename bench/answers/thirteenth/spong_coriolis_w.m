% Inverse dynamics of the 2R arm (q1, q2 in rad)
a = m1*lc1^2 + m2*l1^2 + I1;
b = m2*l1*lc2;
d = m2*lc2^2 + I2;

tau1 = (a + d + 2*b*cos(q2))*ddq1 + (d + b*cos(q2))*ddq2 ...
       - b*sin(q2)*dq1*dq2 - b*sin(q2)*dq2^2 ...
       + (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2);
tau2 = (d + b*cos(q2))*ddq1 + d*ddq2 + b*sin(q2)*dq1^2 + m2*lc2*g*cos(q1+q2);
