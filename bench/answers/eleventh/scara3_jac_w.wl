p = {a1 Cos[q1] + a2 Cos[q1 + q2], a1 Sin[q1] + a2 Sin[q1 + q2], -d3};
J = {{-a1 Sin[q1] - a2 Sin[q1 + q2], -a2 Sin[q1 + q2], 0},
     {a1 Cos[q1] + a2 Cos[q1 + q2], a2 Cos[q1 + q2], 0},
     {0, 0, 1}}
