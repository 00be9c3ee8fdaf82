function dx = pendulum(t, x)
% x = [theta; thetadot]
theta = x(1); thetadot = x(2);
thetaddot = (tau - b*thetadot - m*g*l*sin(theta*180/pi))/(m*l^2);
dx = [thetadot; thetaddot];
end
