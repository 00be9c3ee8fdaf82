% F is the force on the cart
D = mc + mp*sin(theta)^2;
x_ddot = (F + mp*sin(theta)*(l*theta_dot^2 + g*cos(theta)))/D;
theta_ddot = (-F*cos(theta) - mp*l*theta_dot^2*cos(theta)*sin(theta) - mp*g*sin(theta))/(l*D);
