model ReactionWheel "q1 from upright, q2 relative to the pendulum"
  Real q1, q2, w1 = der(q1), w2 = der(q2);
  input Real tau1, tau2;
equation
  (I1 + I2 + m1*lc1^2 + m2*l1^2)*der(w1) + I2*der(w2) - (m1*lc1 + m2*l1)*g*sin(q1) = tau1;
  I2*der(w2) = tau2;
end ReactionWheel;
