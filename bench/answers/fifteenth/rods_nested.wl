arm = <|
   "M11" -> l^2 (m1/3 + 4 m2/3 + m2 Cos[q2]),
   "M12" -> m2 l^2 (1/3 + Cos[q2]/2),
   "M22" -> m2 l^2/3
   |>;
M = {{arm["M11"], arm["M12"]}, {arm["M12"], arm["M22"]}};
G = {(m1/2 + m2) g l Cos[q1] + m2 g l/2 Cos[q1 + q2], m2 g l/2 Cos[q1 + q2]};
