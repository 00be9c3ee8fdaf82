mass = {{I1 + I2 + m3 (d2^2 + d3^2 Sin[theta2]^2), -m3 d2 d3 Cos[theta2], 0},
        {-m3 d2 d3 Cos[theta2], I2 + m3 d3^2, 0},
        {0, 0, m3}};
