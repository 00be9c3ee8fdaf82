function [M,h,G] = elbow_dyn(q,dq,p)
% planar elbow manipulator, homework 5
c2 = cos(q(2)); s2 = sin(q(2));
M = zeros(2);
M(1,1) = p.I1 + p.I2 + p.m1*p.lc1^2 + p.m2*(p.l1^2 + p.lc2^2 + 2*p.l1*p.lc2*c2);
M(1,2) = p.I2 + p.m2*(p.lc2^2 + p.l1*p.lc2*c2);
M(2,1) = M(1,2);
M(2,2) = p.I2 + p.m2*p.lc2^2;
% velocity terms
h = [-p.m2*p.l1*p.lc2*s2*(dq(1)*dq(2) + dq(2)^2);
      p.m2*p.l1*p.lc2*s2*dq(1)^2];
% gravity
G = [p.g*(p.m1*p.lc1 + p.m2*p.l1)*cos(q(1)) + p.g*p.m2*p.lc2*cos(q(1)+q(2));
     p.g*p.m2*p.lc2*cos(q(1)+q(2))];
end
