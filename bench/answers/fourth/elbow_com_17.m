%% Exercise 5 - manipulator dynamics
D(1,1) = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2;
D(1,2) = m2*(lc2^2 + l1*lc2*cos(q2)) + I2;
D(2,1) = D(1,2);
D(2,2) = m2*lc2^2 + I2;
h = -m2*l1*lc2*sin(q2);
C(1,1) = h*q2dot;
C(1,2) = h*(q1dot + q2dot);
C(2,1) = h*q1dot;
C(2,2) = 0;
