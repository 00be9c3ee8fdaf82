function thetadd = link_accel(theta, thetad, tau, m, lc, I, N, bm)
g = 9.81;
thetadd = (tau - N^2*bm*thetad - m*g*lc*cos(theta)) / (I + m*lc^2);
end
