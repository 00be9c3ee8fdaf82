M22 = I2 + I3 + m2*lc2^2 + m3*(a2^2 + lc3^2 + 2*a2*lc3*cos(q3));
M23 = I3 + m3*(lc3^2 + a2*lc3*cos(q3));
M33 = I3 + m3*lc3^2;
G1 = 0;
G2 = g*(m2*lc2 + m3*a2)*cos(q2) + g*m3*lc3*cos(q2 + q3);
G3 = g*m3*lc3*cos(q2 + q3);
