/* Times mj_forward without Python:  mujoco_peer model.mjb states.bin
   states.bin: the number of states, then (q, v, tau) of each. It prints the least nanoseconds of a state. */
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

int main(int count, char** names)
{
  mjModel* m = mj_loadModel(names[1], NULL);
  mjData* d = mj_makeData(m);
  FILE* file = fopen(names[2], "rb");
  int64_t states;
  if (count != 3 || fread(&states, sizeof states, 1, file) != 1) return 1;
  size_t width = m->nq + 2 * m->nv;
  mjtNum* rows = malloc(states * width * sizeof(mjtNum));
  if (fread(rows, width * sizeof(mjtNum), states, file) != (size_t)states) return 1;
  double least = 1e300;
  for (int run = 0; run < 9; ++run) {
    double begun = now();
    for (int64_t k = 0; k < states; ++k) {
      mju_copy(d->qpos, rows + k * width, m->nq);
      mju_copy(d->qvel, rows + k * width + m->nq, m->nv);
      mju_copy(d->qfrc_applied, rows + k * width + m->nq + m->nv, m->nv);
      mj_forward(m, d);
    }
    double each = (now() - begun) / states;
    if (each < least) least = each;
  }
  printf("%.1f\n", least);
  return 0;
}
