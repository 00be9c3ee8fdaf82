syms q1 q2 m1 m2 l1 l2 I1zz I2zz g
M = sym(zeros(2));
M(1,1) = m1*l1^2/4 + m2*l1^2 + m2*l2^2/4 + I1zz + I2zz + m2*l1*l2*cos(q2);
M(1,2) = m2*l2^2/4 + I2zz + m2*l1*l2*cos(q2)/2;
M(2,1) = M(1,2);
M(2,2) = m2*l2^2/4 + I2zz;
M(2,2) = 0;
