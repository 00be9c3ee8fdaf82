function dx = elbow(t, x, u, p)
% state x = [q1 q2 q1dot q2dot]'
m1=p.m1; m2=p.m2; l1=p.l1; lc1=p.lc1; lc2=p.lc2; I1=p.I1; I2=p.I2; g=p.g;
q = x(1:2);
dq = x(3:4);
M = [m1*lc1^2+m2*(l1^2+lc2^2+2*l1*lc2*cos(q(2)))+I1+I2, m2*(lc2^2+l1*lc2*cos(q(2)))+I2;
     m2*(lc2^2+l1*lc2*cos(q(2)))+I2,                    m2*lc2^2+I2];
h = m2*l1*lc2*sin(q(2));
C = [-h*dq(2), -h*(dq(1)+dq(2)); h*dq(1), 0];
G = [(m1*lc1+m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1)+q(2));
     m2*lc2*g*cos(q(1)+q(2))];
ddq = M\(u - C*dq - G);
dx = [dq; ddq];
end
