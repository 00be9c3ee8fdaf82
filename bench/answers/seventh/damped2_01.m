function dz = doublependulum(t, z, p, tau1, tau2)
% z = [theta1; theta2; dtheta1; dtheta2], theta1 from the downward vertical, theta2 relative to the upper body
% b1 and b2 are the viscous coefficients of the two pivots; J1, J2 about the centres of mass
th1 = z(1); th2 = z(2); w1 = z(3); w2 = z(4);
m1 = p.m1; m2 = p.m2; L1 = p.L1; a1 = p.a1; a2 = p.a2; J1 = p.J1; J2 = p.J2; b1 = p.b1; b2 = p.b2; g = p.g;

M = [J1 + J2 + m1*a1^2 + m2*(L1^2 + a2^2 + 2*L1*a2*cos(th2)), J2 + m2*(a2^2 + L1*a2*cos(th2));
     J2 + m2*(a2^2 + L1*a2*cos(th2)),                         J2 + m2*a2^2];
h = [-m2*L1*a2*sin(th2)*(2*w1*w2 + w2^2); m2*L1*a2*sin(th2)*w1^2];
G = [(m1*a1 + m2*L1)*g*sin(th1) + m2*a2*g*sin(th1 + th2); m2*a2*g*sin(th1 + th2)];
D = [b1*w1; b2*w2];

dz = [w1; w2; M \ ([tau1; tau2] - h - G - D)];
end
