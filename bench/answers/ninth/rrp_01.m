% theta: turret, phi: elevation, r: reach
tau1 = (J1 + m*r^2*cos(phi)^2)*theta_ddot + 2*m*r*cos(phi)^2*r_dot*theta_dot ...
       - 2*m*r^2*cos(phi)*sin(phi)*theta_dot*phi_dot;
tau2 = m*r^2*phi_ddot + 2*m*r*r_dot*phi_dot + m*r^2*cos(phi)*sin(phi)*theta_dot^2 + m*g*r*cos(phi);
tau3 = m*r_ddot - m*r*(phi_dot^2 + cos(phi)^2*theta_dot^2) + m*g*sin(phi);
