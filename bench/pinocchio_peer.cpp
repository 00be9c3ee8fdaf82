// Times Pinocchio's forward dynamics of a mechanism with spherical loops, without Python: its headers alone, no library.
//
// Usage: pinocchio_peer MODEL STATES; both are written by loops.py. MODEL has a joint a line, then a loop a line. Prints
// nanoseconds a state of constraintDynamics and of lcaba, then the accelerations of the first state by each.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/constraints.hpp>
#include <pinocchio/multibody.hpp>

namespace pin = pinocchio;

static pin::SE3 pose(std::istream& file) {
    Eigen::Matrix3d R;
    Eigen::Vector3d p;
    for (int k = 0; k < 9; ++k) file >> R(k / 3, k % 3);
    for (int k = 0; k < 3; ++k) file >> p[k];
    return pin::SE3(R, p);
}

static pin::JointModel joint(const std::string& kind) {
    if (kind == "JointModelRX") return pin::JointModelRX();
    if (kind == "JointModelRY") return pin::JointModelRY();
    if (kind == "JointModelRZ") return pin::JointModelRZ();
    if (kind == "JointModelPX") return pin::JointModelPX();
    if (kind == "JointModelPY") return pin::JointModelPY();
    if (kind == "JointModelPZ") return pin::JointModelPZ();
    if (kind == "JointModelRUBX") return pin::JointModelRUBX();
    if (kind == "JointModelRUBY") return pin::JointModelRUBY();
    if (kind == "JointModelRUBZ") return pin::JointModelRUBZ();
    std::cerr << "no joint " << kind << "\n";
    std::exit(2);
}

// The processor's time [ns], as in loops.py, so that other programs on the machine count less.
static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}

template <typename Work>
static double least(const Work& work, std::size_t states) {
    double best = 1e300;
    for (int round = 0; round < 20; ++round) {
        const double start = now();
        work();
        best = std::min(best, now() - start);
    }
    return best / double(states);
}

int main(int, char** given) {
    std::ifstream file(given[1]);
    pin::Model model;
    PINOCCHIO_ALIGNED_STD_VECTOR(pin::RigidConstraintModel) loops;
    int joints, closures;
    file >> joints >> closures;
    for (int k = 0; k < joints; ++k) {
        std::string kind;
        std::size_t parent;
        file >> kind >> parent;
        const pin::SE3 place = pose(file);
        double m;
        Eigen::Vector3d c;
        Eigen::Matrix3d I;
        file >> m;
        for (int i = 0; i < 3; ++i) file >> c[i];
        for (int i = 0; i < 9; ++i) file >> I(i / 3, i % 3);
        const auto id = model.addJoint(parent, joint(kind), place, "j" + std::to_string(k));
        model.appendBodyToJoint(id, pin::Inertia(m, c, I), pin::SE3::Identity());
    }
    for (int k = 0; k < closures; ++k) {
        std::size_t a, b;
        file >> a;
        const pin::SE3 first = pose(file);
        file >> b;
        const pin::SE3 second = pose(file);
        loops.emplace_back(pin::CONTACT_3D, model, a, first, b, second);
    }
    PINOCCHIO_ALIGNED_STD_VECTOR(pin::RigidConstraintData) each;
    for (const auto& loop : loops) each.emplace_back(loop.createData());
    pin::Data data(model), other(model);
    pin::initConstraintDynamics(model, data, loops, each);
    pin::computeJointMinimalOrdering(model, other, loops);

    std::ifstream states(given[2], std::ios::binary);
    std::int64_t count;
    states.read(reinterpret_cast<char*>(&count), sizeof count);
    const int row = model.nq + 2 * model.nv;
    Eigen::MatrixXd rows(row, count);
    states.read(reinterpret_cast<char*>(rows.data()), std::streamsize(sizeof(double)) * row * count);

    pin::ProximalSettings exact, tight(1e-12, 1e-6, 10);
    Eigen::VectorXd q(model.nq), v(model.nv), tau(model.nv);
    const auto set = [&](std::int64_t k) {
        q = rows.col(k).head(model.nq);
        v = rows.col(k).segment(model.nq, model.nv);
        tau = rows.col(k).tail(model.nv);
    };
    const auto all = [&](const auto& one) {
        return [&, one] {
            for (std::int64_t k = 0; k < count; ++k) {
                set(k);
                one();
            }
        };
    };
    const auto direct = [&] { pin::constraintDynamics(model, data, q, v, tau, loops, each, exact); };
    const auto recursive = [&] { pin::lcaba(model, other, q, v, tau, loops, each, tight); };
    std::printf("%.17g %.17g\n", least(all(direct), count), least(all(recursive), count));
    set(0);
    direct();
    recursive();
    for (int k = 0; k < model.nv; ++k) std::printf("%.17g %.17g\n", data.ddq[k], other.ddq[k]);
    return 0;
}
