// planar RPR arm: q = [q1, q2, q3], hand of length b
const tip = (q, b) => [
  q[1] * Math.cos(q[0]) + b * Math.cos(q[0] + q[2]),
  q[1] * Math.sin(q[0]) + b * Math.sin(q[0] + q[2]),
];

const jacobian = (q, b) => {
  const s1 = Math.sin(q[0]), c1 = Math.cos(q[0]);
  const s13 = Math.sin(q[0] + q[2]), c13 = Math.cos(q[0] + q[2]);
  return [
    [-q[1] * s1 - b * s13, c1, -b * s13],
    [q[1] * c1, s1, b * c13],
  ];
};
