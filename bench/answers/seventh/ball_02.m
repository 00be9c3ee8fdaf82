function dx = ballbeam(t, x, tau, J, m, mr, g)
% x = [theta; r; dtheta; dr], tau = motor torque on the beam, mr = Jb/R^2 (rolling)
theta = x(1); r = x(2); thetad = x(3); rd = x(4);
thetadd = (tau - 2*m*r*rd*thetad - m*g*r*cos(theta)) / (J + m*r^2);
rdd = (m*r*thetad^2 - m*g*sin(theta)) / m;
dx = [thetad; rd; thetadd; rdd];
end
