# telescope arm: theta measured from the horizontal
K := 1/2*(J + m*r^2)*thetad^2 + 1/2*m*rd^2;
P := m*g*r*cos(theta);
