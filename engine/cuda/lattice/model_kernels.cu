#include "engine/cuda/lattice/model_kernels.hpp"

#include <optional>
#include <stdexcept>

#include "engine/cuda/measure/count_launch.cuh"
#include "engine/cuda/measure/measure_launch.cuh"
#include "engine/cuda/measure/sum_launch.cuh"
#include "engine/cuda/sweep/choose_decision.cuh"
#include "engine/cuda/sweep/half_sweep/half_sweep_launch.cuh"
#include "engine/cuda/sweep/persistent/known_member_launch.cuh"

// The kernels of one preset, whose traits are the definitions PSFLIP_DIMENSION, PSFLIP_COUPLINGS and PSFLIP_FIELD.
namespace psflip::cuda {

namespace {

/// Calls f(decision) for each group of replicas that a kernel of this model updates together. The group is in the job.
template <class T, class Job, class F>
void for_each_launch(Job& job, const Metropolis& m, F f) {
  const auto launch = [&](const auto& decide, std::uint32_t first_replica) {
    job.first_replica = first_replica;
    f(decide);
  };
  if constexpr (has_cubic_kernels<T>)
    for_each_group(job.layout.replicas, [&]<int G>(std::uint32_t first) {
      with_cubic_decision<G>(m, [&](const auto& decide) { launch(decide, first); });
    });
  else
    for_each_decision<T>(job.layout.replicas, m, launch);
}

template <class T>
class TraitsKernels final : public ModelKernels {
 public:
  bool advance(PackJob job, const Metropolis& m) const override {
    if (advance_known_member<T>(m, job)) return false;
    std::optional<bool> in_scratch;
    for_each_launch<T>(job, m, [&](const auto& decide) {
      if constexpr (has_cubic_kernels<T>) {
        const bool now = advance_cubic(decide, job);
        if (in_scratch.value_or(now) != now) throw std::logic_error("replica groups left their spins in two arrays");
        in_scratch = now;
      } else if (!advance_member<T>(decide, job)) {
        launch_half_sweeps<T>(decide, job);
      }
    });
    return in_scratch.value_or(false);
  }

  bool has_snapshots(const Layout& layout, std::uint32_t packs, const Metropolis& m) const override {
    return is_one_known_member_each<T>(m, layout.L, packs * layout.replicas);
  }

  void update(SlabJob job, const Metropolis& m) const override {
    for_each_launch<T>(job, m, [&](const auto& decide) {
      if constexpr (has_cubic_kernels<T>)
        start_cubic_slab(decide, job);
      else
        launch_half_sweep<T>(decide, job);
    });
  }

  bool has_slab_sweeps(const Metropolis& m) const override { return has_cubic_kernels<T> && m.shared; }
  std::uint32_t update_many(SlabJob job, SlabSweeps sweeps, const SlabNeighbours& neighbours,
                            const Metropolis& m) const override {
    if constexpr (has_cubic_kernels<T>)
      for_each_group(job.layout.replicas, [&]<int G>(std::uint32_t first) {
        job.first_replica = first;
        start_slab_sweeps(SharedDecision<G>{m.thresholds}, job, sweeps, neighbours);
        sweeps.before += sweeps.count;
      });
    return sweeps.before;
  }

  bool has_measure(const MeasureJob& job) const override { return is_measured_in_block<T>(job); }
  void measure(const MeasureJob& job) const override { launch_measurement<T>(job); }
  void count(const CountJob& job) const override { launch_count<T>(job); }
  void count_sum(const CountJob& job, Integer integer, std::uint32_t width, int* counts) const override {
    launch_sum<T>(job, integer, width, counts);
  }
};

}  // namespace

template <class T>
const ModelKernels& kernels_of() {
  static const TraitsKernels<T> kernels;
  return kernels;
}

#ifndef PSFLIP_DIMENSION
#error "compiled once for each preset, see CMakeLists.txt"
#endif
template const ModelKernels&
kernels_of<Traits<PSFLIP_DIMENSION, ModelCouplings::PSFLIP_COUPLINGS, ModelField::PSFLIP_FIELD>>();

}  // namespace psflip::cuda
