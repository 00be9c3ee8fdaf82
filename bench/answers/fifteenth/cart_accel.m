function [xdd, thetadd] = cartpole(theta, thetad, F, mc, mp, l, g)
s = sin(theta); c = cos(theta);
xdd = (F + mp*s*(l*thetad^2 + g*c)) / (mc + mp*s^2);
thetadd = (-F*c - mp*l*thetad^2*c*s - (mc + mp)*g*s) / (l*(mc + mp*s^2));
end
