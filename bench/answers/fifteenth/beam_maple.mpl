# ball on beam, q = [theta, r]
M := <<J + m*r^2 | 0>, <0 | m + mr>>;
h := <2*m*r*rd*thetad, -m*r*thetad^2>;
G := <m*g*r*cos(theta), m*g*sin(theta)>;
