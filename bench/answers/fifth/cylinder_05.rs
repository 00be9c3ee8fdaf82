/// Efforts of the cylindrical arm: (torque of the column, lift force, reach force).
pub fn efforts(p: &Params, r: f64, th_d: f64, r_d: f64, th_dd: f64, z_dd: f64, r_dd: f64) -> (f64, f64, f64) {
    let Params { m2, m3, i1, i2, i3, g } = *p;
    let tau1 = (i1 + i2 + i3 + m3 * r * r) * th_dd + 2.0 * m3 * r * r * r_d * th_d;
    let tau2 = (m2 + m3) * (z_dd + g);
    let tau3 = m3 * (r_dd - r * th_d * th_d);
    (tau1, tau2, tau3)
}
