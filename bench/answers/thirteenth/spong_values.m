m1 = 1.2; m2 = 0.8; l1 = 0.6; l2 = 0.5;      % kg, m
lc1 = 0.3; lc2 = 0.25; I1 = 0.04; I2 = 0.02; g = 9.81;

M22 = m2*lc2^2 + I2;
G2 = m2*g*lc2*cos(q1+q2);
G1 = m1*g*lc1*cos(q1) + m2*g*l1*cos(q1) + G2;
