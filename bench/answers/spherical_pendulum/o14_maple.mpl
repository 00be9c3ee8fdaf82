L := 1/2*m*l^2*(diff(theta(t), t)^2 + sin(theta(t))^2*diff(phi(t), t)^2) + m*g*l*cos(theta(t));
