M22 = Ix2 + Ix3 + m3*(l1^2 + r2^2 + 2*l1*r2*cos(th3));
M23 = Ix3 + m3*(r2^2 + l1*r2*cos(th3));
M33 = Ix3 + m3*r2^2;
