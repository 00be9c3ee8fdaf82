double M11 = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2;
double M12 = m2*lc2^2 + m2*l1*lc2*cos(q2) + I2;
double M22 = m2*lc2^2 + I2;
