# planar arm, Maple
M := Matrix([[I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(theta2)), I2 + m2*(lc2^2 + l1*lc2*cos(theta2))],
             [I2 + m2*(lc2^2 + l1*lc2*cos(theta2)), I2 + m2*lc2^2]]);
h := Vector([-m2*l1*lc2*sin(theta2)*(2*thetad1*thetad2 + thetad2^2), m2*l1*lc2*sin(theta2)*thetad1^2]);
G := Vector([m1*g*lc1*cos(theta1) + m2*g*(l1*cos(theta1) + lc2*cos(theta1 + theta2)), m2*g*lc2*cos(theta1 + theta2)]);
