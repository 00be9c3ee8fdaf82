K := (I1 + I2 + I3)*thetadot^2/2 + m2*zdot^2/2 + m3*(rdot^2 + r^2*thetadot^2 + zdot^2)/2;
P := (m2 + m3)*g*z;
L := K - P;
