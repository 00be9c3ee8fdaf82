m1 = 4.6; m2 = 2.3; l1 = 0.5; l2 = 0.4; g = 9.81;
M22 = m2*l2^2;
M12 = M22 + m2*l1*l2*cos(theta2);
M11 = M12 + m2*l1*l2*cos(theta2) + (m1 + m2)*l1^2;
G2 = m2*g*l2*cos(theta2);
G1 = G2 + (m1 + m2)*g*l1*cos(theta1);
