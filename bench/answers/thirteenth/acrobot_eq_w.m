function qdd = acrobot_fd(q, qd, u, p)
c2 = cos(q(2)); s2 = sin(q(2));
s1 = sin(q(1)); s12 = sin(q(1)+q(2));

M11 = p.I1 + p.I2 + p.m1*p.lc1^2 + p.m2*(p.l1^2 + p.lc2^2 + 2*p.l1*p.lc2*c2);
M12 = p.m2*(p.lc2^2 + p.l1*p.lc2*c2);
M22 = p.I2 + p.m2*p.lc2^2;

h1 = -p.m2*p.l1*p.lc2*s2*qd(2)^2 - 2*p.m2*p.l1*p.lc2*s2*qd(1)*qd(2);
h2 =  p.m2*p.l1*p.lc2*s2*qd(1)^2;

G1 = (p.m1*p.lc1 + p.m2*p.l1)*p.g*s1 + p.m2*p.lc2*p.g*s12;
G2 = p.m2*p.lc2*p.g*s12;

qdd = [M11 M12; M12 M22] \ ([0; u] - [h1; h2] - [G1; G2]);
end
