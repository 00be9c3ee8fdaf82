// Times Pinocchio's constraintDynamics and lcaba on chains with spherical loops, without Python.
//     loops_peer robot.urdf states.bin FIRST SECOND …
// states.bin: the number of states, then (q, v, tau) of each; FIRST, SECOND: frames of each loop.
// It prints the least nanoseconds of a state for both functions.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/parsers/urdf.hpp>

namespace pin = pinocchio;

template <class Work>
double least_ns(int states, Work work)
{
  double least = 1e300;
  for (int run = 0; run < 9; ++run) {
    const auto begun = std::chrono::steady_clock::now();
    for (int k = 0; k < states; ++k) work(k);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
    least = std::min(least, took.count() / states);
  }
  return least;
}

int main(int count, char ** names)
{
  pin::Model model;
  pin::urdf::buildModel(names[1], model);
  std::ifstream file(names[2], std::ios::binary);
  std::int64_t states = 0;
  file.read(reinterpret_cast<char *>(&states), sizeof states);
  std::vector<Eigen::VectorXd> q, v, tau;
  const auto read = [&file](int size) {
    Eigen::VectorXd part(size);
    file.read(reinterpret_cast<char *>(part.data()), size * sizeof(double));
    return part;
  };
  for (int k = 0; k < states; ++k) {
    q.push_back(read(model.nq));
    v.push_back(read(model.nv));
    tau.push_back(read(model.nv));
  }
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintModel) loops;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintData) each;
  for (int k = 3; k + 1 < count; k += 2) {
    const auto & a = model.frames[model.getFrameId(names[k])];
    const auto & b = model.frames[model.getFrameId(names[k + 1])];
    loops.emplace_back(pin::CONTACT_3D, model, a.parentJoint, a.placement, b.parentJoint, b.placement);
    each.emplace_back(loops.back());
  }
  pin::Data data(model);
  pin::initConstraintDynamics(model, data, loops, each);
  pin::ProximalSettings rigid(1e-12, 0.0, 1);
  const auto sparse = [&](int k) { pin::constraintDynamics(model, data, q[k], v[k], tau[k], loops, each, rigid); };
  const double first = least_ns(states, sparse);
  pin::Data other(model);
  pin::computeJointMinimalOrdering(model, other, loops);
  pin::ProximalSettings proximal(1e-12, 1e-6, 10);
  const auto recursive = [&](int k) { pin::lcaba(model, other, q[k], v[k], tau[k], loops, each, proximal); };
  const double second = least_ns(states, recursive);
  std::printf("%.1f %.1f\n", first, second);
}
