function [M,C,G] = robot(q,dq)
global m1 m2 l1 lc1 lc2 I1 I2 g
M = zeros(2); C = zeros(2); G = zeros(2,1);
M(1,1) = m1*lc1^2 + I1 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q(2))) + I2;
M(1,2) = m2*(lc2^2 + l1*lc2*cos(q(2))) + I2;
M(2,1) = M(1,2);
M(2,2) = m2*lc2^2 + I2;
C(1,1) = -m2*l1*lc2*sin(q(2))*dq(2);
C(1,2) = -m2*l1*lc2*sin(q(2))*(dq(1)+dq(2));
C(2,1) =  m2*l1*lc2*sin(q(2))*dq(1);
G(1) = (m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1)+q(2));
G(2) = m2*lc2*g*cos(q(1)+q(2));
