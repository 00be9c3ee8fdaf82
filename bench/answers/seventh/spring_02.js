// block on a spring k with a damper b, force F on the block, x = 0 at the spring's rest length
function step(state, F, dt) {
  const { m, b, k } = params;
  const xdd = (F + b * state.xd - k * state.x) / m;
  state.xd += xdd * dt;
  state.x += state.xd * dt;
  return state;
}
