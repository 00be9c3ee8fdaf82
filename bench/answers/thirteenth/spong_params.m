function [M, C, G] = elbow_dynamics(q, dq, p)
%ELBOW_DYNAMICS  two-link arm, angles from the horizontal, second one relative
m1 = p.m1;  m2 = p.m2;  l1 = p.l1;  lc1 = p.lc1;  lc2 = p.lc2;
I1 = p.I1;  I2 = p.I2;  g = p.g;

alpha = I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2);
beta  = m2*l1*lc2;
delta = I2 + m2*lc2^2;

c2 = cos(q(2));  s2 = sin(q(2));
M = [alpha + 2*beta*c2,  delta + beta*c2;
     delta + beta*c2,    delta];
C = [-beta*s2*dq(2),  -beta*s2*(dq(1) + dq(2));
      beta*s2*dq(1),   0];
G = [ (m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1) + q(2));
       m2*lc2*g*cos(q(1) + q(2)) ];
end
