% two-link arm, uniform rods -- ex 3
syms q1 q2 dq1 dq2 m1 m2 l g real
I1 = m1*l^2/12;  I2 = m2*l^2/12;
M11 = I1 + m1*(l/2)^2 + I2 + m2*(l^2 + (l/2)^2 + 2*l*(l/2)*cos(q2));
M12 = I2 + m2*((l/2)^2 + l*(l/2)*cos(q2));
M22 = I2 + m2*(l/2)^2;
M = [M11 M12; M12 M22];
h = -m2*l*(l/2)*sin(q2);
C = [h*dq2, h*(dq1+dq2); -h*dq1, 0];
G = [m1*g*(l/2)*cos(q1) + m2*g*(l*cos(q1) + (l/2)*cos(q1+q2)); ...
     m2*g*(l/2)*cos(q1+q2)];
simplify(M), simplify(C)
