syms m2 m3 I1 I2 I3 g theta z r thetad zd rd real
% kinetic energy
T = 1/2*(I1 + I2 + I3)*thetad^2 + 1/2*m3*r*thetad^2 + 1/2*(m2 + m3)*zd^2 + 1/2*m3*rd^2;
% potential energy
V = (m2 + m3)*g*z;
