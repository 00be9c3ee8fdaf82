// Inverse dynamics of the double link with point masses at the tips (Craig's example).
// th1, th2: joint angles in radians; w1, w2: joint velocities; a1, a2: joint accelerations.
export function torques({ m1, m2, l1, l2, g }, th1, th2, w1, w2, a1, a2) {
  const c2 = Math.cos(th2), s2 = Math.sin(th2);
  const c1 = Math.cos(th1), c12 = Math.cos(th1 + th2);

  const tau1 = m2 * l2 ** 2 * (a1 + a2) + m2 * l1 * l2 * c2 * (2 * a1 + a2) + (m1 + m2) * l1 ** 2 * a1
    - m2 * l1 * l2 * s2 * w2 ** 2 - 2 * m2 * l1 * l2 * s2 * w1 * w2
    + m2 * l2 * g * c12 + (m1 + m2) * l1 * g * c1;

  const tau2 = m2 * l1 * l2 * c2 * a1 - m2 * l1 * l2 * s2 * w1 ** 2
    + m2 * l2 * g * c12 + m2 * l2 ** 2 * (a1 + a2);

  return [tau1, tau2];
}
