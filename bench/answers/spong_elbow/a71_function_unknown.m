M22 = m2*lc2^2 + I2;
M12 = m2*(lc2^2 + l1*lc2*cos(q(2))) + I2;
M11 = m1*lc1^2 + I1 + m2*l1^2 + m2*l1*lc2*cos(q(2)) + M12;
C = coriolis_from_file(q, dq);
