M11 = m1*L1^2/3 + m2*(L1^2 + L2^2/3 + L1*L2*cos(q2));
M12 = m2*(L2^2/3 + L1*L2*cos(q2));
M22 = m2*L2^2/3;
G1  = (m1/2 + m2)*g*L1*sin(q1) + m2*g*L2/2*sin(q1 + q2);
G2  = m2*g*L2/2*sin(q1 + q2);
