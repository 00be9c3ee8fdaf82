# angles q2, q3 upward from the horizontal; rho is the distance of the forearm's centre of mass from the column
rho := a2*cos(q2) + lc3*cos(q2 + q3):
M[1,1] := Iz1 + (I2 + m2*lc2^2)*cos(q2)^2 + I3*cos(q2 + q3)^2 + m3*rho^2;
# q1p, q2p, q3p are the joint velocities
h[1] := -2*q1p*( q2p*((I2 + m2*lc2^2)*cos(q2)*sin(q2) + m3*rho*a2*sin(q2)) + (q2p + q3p)*(I3*cos(q2 + q3)*sin(q2 + q3) + m3*rho*lc3*sin(q2 + q3)) );
