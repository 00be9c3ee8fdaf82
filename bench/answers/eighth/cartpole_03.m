function dz = cartpole_rhs(t, z, F, mc, mp, l, g)
% z = [x; theta; xdot; thetadot], theta = 0 hanging down
th  = z(2);
xd  = z(3);
thd = z(4);

den  = mc + mp*sin(th)^2;
xdd  = (F + mp*sin(th)*(l*thd^2 + g*cos(th)))/den;
thdd = -(F*cos(th) + mp*l*thd^2*sin(th)*cos(th) + (mc + mp)*g*sin(th))/(l*den);

dz = [xd; thd; xdd; thdd];
end
