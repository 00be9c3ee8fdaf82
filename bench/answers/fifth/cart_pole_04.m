function dy = cartpole(t, y, F)
% y = [x; theta; xdot; thetadot], theta from the downward vertical
mc = 1; mp = 0.2; l = 0.5; g = 9.81;
S = sin(y(2)); C = cos(y(2)); w = y(4);
den = mc + mp*S^2;
xdd  = (F + mp*S*(l*w^2 + g*C))/den;
thdd = (-F*C - mp*l*w^2*C*S - mc*g*S)/(l*den);
dy = [y(3); y(4); xdd; thdd];
end
