#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/tempering/arrays.hpp"
#include "engine/random/address.hpp"

/// Launches of the kernels of exchange Monte Carlo. Units and slots are counted from the first in memory.
namespace psflip::cuda {

/// Fields and spins at round 0, in the default stream.
void start_fields(const TemperingArrays& a, const Key& key);
void start_spins(const TemperingArrays& a, const Key& key);

/// Counts the energies of `units` units from `first` on, and the -1 spins of their planes.
void start_energies(const TemperingArrays& a, std::uint32_t first, std::uint32_t units, cudaStream_t stream);
void start_planes(const TemperingArrays& a, std::uint32_t first, std::uint32_t units, cudaStream_t stream);

/// Decides the exchanges of a round.
void start_exchange(const TemperingArrays& a, const Key& key, std::uint32_t round, cudaStream_t stream);
/// Exchanges the spins of slots `first` to `last`; `odd` is the parity of the colder slots of pairs. If the round is
/// measured, also counts the sites where the replicas differ.
void start_swaps(const TemperingArrays& a, std::uint32_t first, std::uint32_t last, std::uint32_t odd, bool measured,
                 cudaStream_t stream);
/// Adds the values of a round to the sums of these slots.
void start_sums(const TemperingArrays& a, std::uint32_t first, std::uint32_t last, std::uint32_t odd,
                cudaStream_t stream);

/// Copies a slot to a message or back.
void start_gather(const SlotWords& words, std::uint32_t slot, std::uint32_t* message, cudaStream_t stream);
void start_scatter(const SlotWords& words, std::uint32_t slot, const std::uint32_t* message, cudaStream_t stream);

}  // namespace psflip::cuda
