#pragma once
#include "engine/cuda/sweep/persistent/known_member_kernel.cuh"
#include "engine/cuda/tempering/member/job.hpp"

namespace psflip::cuda {

/// All sets of consecutive slots, numbered [pack][slot][set]. `decisions` of all slots of the grid.
template <class T, class Decision_>
struct SetsOfSlots {
  using Decision = Decision_;
  using Tables = const Decision;  ///< in registers

  MemberSweep job;
  const Decision* decisions;

  __device__ __forceinline__ static constexpr std::uint32_t parts() { return 1; }
  template <int D>
  __device__ __forceinline__ PackView view(std::uint32_t number) const {
    return job.words.view<D>(pack(number), slot(number), set(number));
  }
  template <int D>
  __device__ __forceinline__ PackView view_after(std::uint32_t, std::uint32_t number) const {
    return view<D>(number);
  }
  /// Of parity 0; those of parity 1 follow.
  __device__ __forceinline__ const std::uint32_t* fields(std::uint32_t number) const {
    return T::has_field_words ? job.words.fields + job.words.shape.fields(pack(number)) : nullptr;
  }
  __device__ __forceinline__ HalfSweep half_sweep(const KeySchedule& keys, std::uint32_t number,
                                                  std::uint32_t h) const {
    return HalfSweep(keys, job.words.shape.pack_numbers[pack(number)], h, set(number), slot_of_grid(number));
  }
  __device__ __forceinline__ const Decision& decision(std::uint32_t number) const {
    return decisions[slot_of_grid(number)];
  }

 private:
  __device__ __forceinline__ std::uint32_t set(std::uint32_t number) const { return number % job.words.shape.sets; }
  __device__ __forceinline__ std::uint32_t slot(std::uint32_t number) const {
    return job.first_slot + number / job.words.shape.sets % job.slots;
  }
  __device__ __forceinline__ std::uint32_t slot_of_grid(std::uint32_t number) const {
    return job.words.shape.first_slot + slot(number);
  }
  __device__ __forceinline__ std::uint32_t pack(std::uint32_t number) const {
    return number / (job.words.shape.sets * job.slots);
  }
};

}  // namespace psflip::cuda
