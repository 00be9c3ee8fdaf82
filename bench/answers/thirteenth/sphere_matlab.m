function dy = spherical(t, y, l, g)
% y = [theta; phi; thetad; phid], theta from the downward vertical, no torques
theta = y(1); thetad = y(3); phid = y(4);
thetadd = sin(theta)*cos(theta)*phid^2 - g/l*sin(theta);
phidd = -2*thetad*phid*cos(theta)/sin(theta);
dy = [thetad; phid; thetadd; phidd];
end
