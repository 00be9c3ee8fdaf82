function [Mq, h, G] = ip_terms(theta, thetad, M, m, l, I)
%IP_TERMS  inverted pendulum on a cart, q = [x; theta], theta = 0 upright
g  = 9.81;
ct = cos(theta);
st = sin(theta);
Mq = [M + m,    m*l*ct;
      m*l*ct,   I + m*l^2];
h  = [-m*l*st*thetad^2; 0];
G  = [0; -m*g*l*st];
end
