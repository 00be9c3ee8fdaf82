equation
  w = der(theta);
  m*l*der(w) + b*w + m*g*l*sin(theta) = tau;
