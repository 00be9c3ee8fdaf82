function furuta(theta1, theta2, m1, m2, L1, l1, l2, J1, J2, g)
    M = [J1 + m1*l1^2 + m2*L1^2 + (J2 + m2*l2^2)*cos(theta2)^2   m2*L1*l2*cos(theta2)
         m2*L1*l2*cos(theta2)                                   J2 + m2*l2^2]
    G = [0, m2*g*l2*sin(theta2)]
    return M, G
end
