! planar elbow arm: mass matrix and velocity terms
subroutine elbow(q2, qd1, qd2, m11, m12, m22, h1, h2)
  real(8), intent(in)  :: q2, qd1, qd2
  real(8), intent(out) :: m11, m12, m22, h1, h2
  m11 = m1*lc1**2 + I1 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I2
  m12 = m2*(lc2**2 + l1*lc2*cos(q2)) + I2
  m22 = m2*lc2**2 + I2
  h1  = -m2*l1*lc2*sin(q2)*(2*qd1*qd2 + qd2**2)
  h2  = m2*l1*lc2*sin(q2)
end subroutine
