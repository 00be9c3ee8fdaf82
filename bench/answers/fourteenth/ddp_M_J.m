% theta = [theta1; theta2], relative angle for the lower body
c2  = cos(theta(2));
M11 = J1 + m1*a1^2 + m2*(L1^2 + a2^2 + 2*L1*a2*c2);
M12 = J2 + m2*(a2^2 + L1*a2*c2);
M22 = J2 + m2*a2^2;
M   = [M11 M12; M12 M22];
