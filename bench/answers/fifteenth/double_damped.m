function dz = pendulums(~, z, p)
% z = [theta1; theta2; theta1'; theta2']
theta1 = z(1); theta2 = z(2); thetad1 = z(3); thetad2 = z(4);
m1 = p.m1; m2 = p.m2; L1 = p.L1; a1 = p.a1; a2 = p.a2; J1 = p.J1; J2 = p.J2;
b1 = p.b1; b2 = p.b2; g = p.g;

c = m2*L1*a2;
M = [J1 + J2 + m1*a1^2 + m2*(L1^2 + a2^2) + 2*c*cos(theta2), J2 + m2*a2^2 + c*cos(theta2);
     J2 + m2*a2^2 + c*cos(theta2),                           J2 + m2*a2^2];
h = [-c*sin(theta2)*(2*thetad1*thetad2 + thetad2^2); c*sin(theta2)*thetad1^2];
G = [(m1*a1 + m2*L1)*g*sin(theta1) + m2*a2*g*sin(theta1 + theta2);
     m2*a2*g*sin(theta1 + theta2)];
friction = [b1*thetad1; b2*thetad2];
dz = [thetad1; thetad2; M \ (-h - G - friction)];
end
