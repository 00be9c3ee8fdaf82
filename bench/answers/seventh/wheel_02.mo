model ReactionWheelPendulum "q1 from upright, q2 of the wheel relative to the pendulum"
  parameter Real m1, m2, l1, lc1, I1, I2;
  parameter Real g = 9.81;
  Real q1, q2, w1, w2;
  input Real tau1, tau2;
equation
  der(q1) = w1;
  der(q2) = w2;
  (I1 + I2 + m1*lc1^2 + m2*l1^2)*der(w1) + I2*der(w2) + (m1*lc1 + m2*l1)*g*sin(q1) = tau1;
  I2*(der(w1) + der(w2)) = tau2;
end ReactionWheelPendulum;
