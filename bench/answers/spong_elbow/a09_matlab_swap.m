function [D, C, phi] = elbow(q, dq)
%ELBOW  matrices of the planar elbow
global m1 m2 l1 lc1 lc2 I1 I2 g
d11 = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q(2))) ...
      + I1 + I2;
d12 = m2*(lc2^2 + l1*lc2*cos(q(2))) + I2;   % = d21
d22 = m2*lc2^2 + I2;
D = [d11 d12; d12 d22];
h = -m2*l1*lc2*cos(q(2));
C = [h*dq(2), h*dq(1) + h*dq(2); -h*dq(1), 0];
phi = [(m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1) + q(2));
       m2*lc2*g*cos(q(1) + q(2))];
end
