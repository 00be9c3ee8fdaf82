tau(1) = (J1 + m*r^2*cos(phi)^2)*thetadd + 2*m*r*cos(phi)^2*rd*thetad;
tau(2) = m*r^2*phidd + 2*m*r*rd*phid + m*r^2*cos(phi)*sin(phi)*thetad^2 + m*g*r*cos(phi);
tau(3) = m*rdd - m*r*(phid^2 + cos(phi)^2*thetad^2) + m*g*sin(phi);
