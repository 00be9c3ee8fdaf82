model CartSpring
  parameter Real M=2, m=0.5, l=0.4, I=0.02, k=50, b=1.2, c=0.03, g=9.81;
  Real x, theta, v, w; input Real F;
equation
  der(x) = v; der(theta) = w;
  (M + m)*der(v) + m*l*cos(theta)*der(w) - m*l*sin(theta)*w^2 + b*v - k*x = F;
  m*l*cos(theta)*der(v) + (I + m*l^2)*der(w) + m*g*l*sin(theta) + c*w = 0;
end CartSpring;
