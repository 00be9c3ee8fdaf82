% acrobot, gravity torques
% q1 from the downward vertical, q2 relative to link 1
function G = acrobot_gravity(q1, q2, p)
    m1 = p.m1; m2 = p.m2; l1 = p.l1; lc1 = p.lc1; lc2 = p.lc2; g = p.g;
    G1 = (m1*lc1 + m2*l1)*g*sin(q1) + m2*lc2*g*sin(q1 + q2);
    G2 = m2*lc2*g*sin(q2);
    G = [G1; G2];
end
