# two-link arm, uniform mass distribution along l1 and l2 (centres in the middle)
using LinearAlgebra

function dynamics(q, qd, p)
    (; m1, m2, l1, l2, I1zz, I2zz, g) = p
    q1, q2 = q
    qd1, qd2 = qd
    a = I1zz + m1 * l1^2 / 4 + m2 * l1^2
    b = I2zz + m2 * l2^2 / 4
    d = m2 * l1 * l2 / 2
    M = [a + b + 2d * cos(q2)   b + d * cos(q2)
         b + d * cos(q2)        b]
    h = [-d * sin(q2) * (2qd1 * qd2 + qd2^2)
          d * sin(q2) * qd1^2]
    G = [(m1 / 2 + m2) * g * l1 * cos(q1) + m2 * g * l2 / 2 * cos(q1 + q2)
         m2 * g * l2 / 2 * cos(q1 + q2)]
    return M, h, G
end
