! Mass matrix and velocity terms of two equal-length uniform rods (length l, masses m1 and m2).
! q(1), q(2): joint angles; qd(1), qd(2): joint velocities
subroutine tworods(q, qd, m1, m2, l, M, h)
  implicit none
  double precision, intent(in)  :: q(2), qd(2), m1, m2, l
  double precision, intent(out) :: M(2,2), h(2)
  M(1,1) = m1*l**2/3d0 + m2*l**2*(4d0/3d0 + cos(q(2)))
  M(1,2) = m2*l**2*(1d0/3d0 + 0.5d0*cos(q(2)))
  M(2,1) = M(1,2)
  M(2,2) = m2*l**2/3d0
  h(1) = -0.5d0*m2*l**2*sin(q(2))*(2d0*qd(1)*qd(2) + qd(2)**2)
  h(2) =  0.5d0*m2*l**2*sin(q(2))*qd(1)**2
end subroutine tworods
