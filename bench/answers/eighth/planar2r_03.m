% two-link arm, x0-z0 plane, mid-link centres of mass
syms q1 q2 l1 l2 m1 m2 I1zz I2zz g real
M11 = I1zz + I2zz + (l1^2*m1)/4 + l1^2*m2 + (l2^2*m2)/4 + l1*l2*m2*cos(q2);
M12 = I2zz + (l2^2*m2)/4 + (l1*l2*m2*cos(q2))/2;
M22 = (m2*l2^2)/4 + I2zz;
M = [M11 M12; M12 M22];
G = [g*m2*((l2*cos(q1 + q2))/2 + l1*cos(q1)) + (g*l1*m1*cos(q1))/2;
     (g*l2*m2*cos(q1 + q2))/2];
