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
  /// `slots`: decisions of the `count` slots of the grid, which the scheme allows.
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

  /// Starts half sweeps of all sets; returns false if there is no kernel for the size.
  bool sweep(const MemberSweep& job, const Key& key, cudaStream_t stream) const {
    if (!DeviceLimits().clusters) return false;
    return with_known_member(job.words.shape.L, typename CommonMembers<T::dimension>::Slots{}, [&]<class Shape>() {
      with_scheme<T>(scheme_, [&]<class Scheme>() { launch<Shape, ReplicaDecision<T, Scheme>>(job, key, stream); });
      return true;
    });
  }

 private:
  /// One cluster for each lattice.
  template <class Shape, class Decision>
  void launch(const MemberSweep& job, const Key& key, cudaStream_t stream) const {
    const TemperingShape& shape = job.words.shape;
    const std::uint32_t lattices = shape.packs * job.slots * shape.sets;
    const Schedule schedule{{lattices, lattices, job.first_half_sweep, job.half_sweeps}, nullptr};
    const SetsOfSlots<T, Decision> sets{job, reinterpret_cast<const Decision*>(decisions_.data())};
    constexpr std::size_t bytes = known_member_bytes<Shape, Decision>;
    const auto kernel = with_shared_memory(known_member_kernel<Shape, SetsOfSlots<T, Decision>>, bytes);
    kernel<<<lattices * Shape::blocks, Shape::threads, bytes, stream>>>(sets, KeySchedule(key), schedule);
    check(cudaGetLastError(), "sweeps of lattices of a known size");
  }

  FieldScheme scheme_;
  DeviceArray<std::byte> decisions_;
};

}  // namespace psflip::cuda
