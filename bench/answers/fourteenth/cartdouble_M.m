syms x theta1 theta2 m0 m1 m2 l1 l2 real
M = sym(zeros(3));
M(1,1) = m0 + m1;
M(1,2) = (m1 + m2)*l1*cos(theta1) + m2*l2*cos(theta1 + theta2);
M(1,3) = m2*l2*cos(theta1 + theta2);
M(2,2) = (m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(theta2);
M(2,3) = m2*l2^2 + m2*l1*l2*cos(theta2);
M(3,3) = m2*l2^2;
M(2,1) = M(1,2); M(3,1) = M(1,3); M(3,2) = M(2,3);
