subroutine mass(q2, m1, m2, l, M)
  real(8), intent(in) :: q2, m1, m2, l
  real(8), intent(out) :: M(2,2)
  M(1,1) = (1/3)*m1*l**2 + (4/3)*m2*l**2 + m2*l**2*cos(q2)
  M(1,2) = (1/3)*m2*l**2 + (1/2)*m2*l**2*cos(q2)
  M(2,1) = M(1,2)
  M(2,2) = (1/3)*m2*l**2
end subroutine
