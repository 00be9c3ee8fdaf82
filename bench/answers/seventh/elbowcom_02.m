function G = gravity2r(q, m1, m2, l1, lc1, lc2, g)
% gravity torques of the elbow arm, q = [q1; q2] in radians
q1 = q(1)*180/pi;
q2 = q(2)*180/pi;
G = [(m1*lc1 + m2*l1)*g*cos(q1) + m2*g*lc2*cos(q1 + q2);
     m2*g*lc2*cos(q1 + q2)];
end
