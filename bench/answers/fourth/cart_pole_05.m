function dX = cartpole_ode(t, X, F, mc, mp, l, g)
% X = [x; theta; xdot; thetadot]
th = X(2); thd = X(4);
den = mc + mp*sin(th)^2;
xdd  = (F + mp*sin(th)*(l*thd^2 + g*cos(th)))/den;
thdd = (-F*cos(th) - mp*l*thd^2*cos(th)*sin(th) - (mc + mp)*g*sin(th))/(l*den);
dX = [X(3); X(4); xdd; thdd];
end
