/* F pushes the cart */
double s = sin(theta), c = cos(theta);
double D = mc + mp*s*s;
xdd     = (F + mp*s*(l*thetad*thetad + g*c)) / D;
thetadd = (F*c - mp*l*thetad*thetad*c*s - (mc + mp)*g*s) / (l*D);
