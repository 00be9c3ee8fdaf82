% x, th: coordinates; dx, dth: rates; ddx, ddth: accelerations
F1 = (M+m)*ddx + m*l*cos(th)*ddth - m*l*sin(th)*dth^2 + b*dx + k*x;   % tau1
T2 = (I+m*l^2)*ddth + m*l*cos(th)*ddx + m*g*l*sin(th);               % tau2
