let tau1 = |q1: f64, qdd1: f64| m * l * l * qdd1 + m * g * l * cos(q1);
