function dz = cartpole(t, z, F, mc, mp, l, g)
% z = [x; theta; xdot; thetadot], F is the force on the cart, no torque at the pin
theta = z(2);
xd    = z(3);
thetad = z(4);
D = mc + mp*sin(theta)^2;
xdd = (F + mp*sin(theta)*(l*thetad^2 + g*cos(theta)))/D;
thetadd = (-F*cos(theta) - mp*l*thetad^2*cos(theta)*sin(theta) - (mc + mp)*g*sin(theta))/(l*D);
dz = [xd; thetad; xdd; thetadd];
end
