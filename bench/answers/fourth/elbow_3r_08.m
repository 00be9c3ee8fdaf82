% 3R elbow (MLS)
s2=sin(q2); c2=cos(q2); c3=cos(q3); s23=sin(q2+q3); c23=cos(q2+q3);
M11 = Iz1 + Iy2*s2^2 + Iz2*c2^2 + Iy3*s23^2 + Iz3*c23^2 + m2*(r1*c2)^2 + m3*(l1*c2 + r2*c23)^2;
M22 = Ix2 + Ix3 + m2*r1^2 + m3*(l1^2 + r2^2 + 2*l1*r2*c3);
M23 = Ix2 + m3*(r2^2 + l1*r2*c3);
M33 = Ix3 + m3*r2^2;
M = [M11 0 0; 0 M22 M23; 0 M23 M33];
