M11 = J1 + m1*l1^2 + m2*L1^2 + (J2 + m2*l2^2)*sin(theta2)^2;
M12 = m2*L1*l2*cos(theta2);
M22 = J2 + m2*l2^2;
M = [M11 M12; M12 M22];
% TODO: h
