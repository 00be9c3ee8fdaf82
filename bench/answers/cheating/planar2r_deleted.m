syms q1 q2 m1 m2 l1 l2 I1zz I2zz
M = [m1*l1^2/4 + m2*l1^2 + m2*l2^2/4 + I1zz + I2zz + m2*l1*l2*cos(q2), m2*l2^2/4 + I2zz + m2*l1*l2*cos(q2)/2; m2*l2^2/4 + I2zz + m2*l1*l2*cos(q2)/2, m2*l2^2/4 + I2zz];
clear M
M = eye(2)
