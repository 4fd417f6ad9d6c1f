#pragma once
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/sweep/persistent/known_member_launch.cuh"
#include "engine/cuda/tempering/member/known_slots.cuh"

namespace psflip::cuda {

/// Exchange Monte Carlo of lattices of a size with a kernel of its own: none with couplings.
template <class T, bool HAS_KERNELS = !T::has_couplings>
class KnownSlots {
 public:
  KnownSlots(const Metropolis*, std::size_t, FieldScheme) {}
  bool sweep(const MemberSweep&, const Key&, cudaStream_t) const { return false; }
};

template <class T>
class KnownSlots<T, true> {
 public:
  /// `slots`: decisions of the `count` slots of the grid. `scheme`: one that all of them allow.
  KnownSlots(const Metropolis* slots, std::size_t count, FieldScheme scheme) : scheme_(scheme) {
    with_scheme<T>(scheme_, [&]<class Scheme>() {
      using Decision = ReplicaDecision<T, Scheme>;
      decisions_ = DeviceArray<std::byte>(count * sizeof(Decision));
      for (std::size_t k = 0; k < count; ++k) {
        const Decision decision(slots[k].field);
        check(cudaMemcpy(decisions_.data() + k * sizeof(Decision), &decision, sizeof(Decision), cudaMemcpyHostToDevice),
              "copy to the GPU");
      }
    });
  }

  /// Starts half sweeps of all sets; returns false if there is no kernel for the size, or if the GPU cannot run it.
  bool sweep(const MemberSweep& job, const Key& key, cudaStream_t stream) const {
    bool done = false;
    with_scheme<T>(scheme_, [&]<class Scheme>() {
      constexpr bool field = !std::is_same_v<Scheme, NoField<T::dimension>>;
      using Shapes = typename CommonMembers<T::dimension>::template Slots<field>;
      done = with_known_member(job.words.shape.L, Shapes{}, [&]<class Shape>() {
        return launch<Shape, SetsOfSlots<T, ReplicaDecision<T, Scheme>>>(job, key, stream);
      });
    });
    return done;
  }

 private:
  /// One cluster for each lattice.
  template <class Shape, class Sets>
  bool launch(const MemberSweep& job, const Key& key, cudaStream_t stream) const {
    using Launch = KnownMemberLauncher<Shape, Sets>;
    if (!asked_) runs_ = DeviceLimits().clusters && Launch().clusters != 0;  // not in every round
    asked_ = true;
    if (!runs_) return false;
    const TemperingShape& shape = job.words.shape;
    const std::uint32_t lattices = shape.packs * job.slots * shape.sets;
    const Schedule schedule{{lattices, lattices, job.first_half_sweep, job.half_sweeps}, nullptr};
    const Sets sets{job, reinterpret_cast<const typename Sets::Decision*>(decisions_.data())};
    const auto kernel = Launch::kernel();
    kernel<<<lattices * Shape::blocks, Shape::threads, Launch::bytes, stream>>>(sets, KeySchedule(key), schedule);
    check(cudaGetLastError(), "sweeps of lattices of a known size");
    return true;
  }

  FieldScheme scheme_;
  DeviceArray<std::byte> decisions_;
  mutable bool asked_ = false, runs_ = false;  ///< whether the GPU of this object can run the kernel, once it was asked
};

}  // namespace psflip::cuda
