#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/tempering/arrays.hpp"
#include "engine/random/address.hpp"

/// Launches of the kernels of exchange Monte Carlo. Units and slots are counted from the first in memory.
namespace psflip::cuda {

/// Spins at round 0, in the default stream.
void start_spins(const TemperingShape& shape, std::uint32_t* spins, const Key& key);

/// Decides the exchanges of a round. `waits`: the stream waits for other streams before.
void start_exchange(const TemperingShape& shape, const TemperingArrays& a, const Key& key, std::uint32_t round,
                    bool waits, cudaStream_t stream);

/// Exchanges the spins of the samples in the masks, of `pairs` pairs of slots whose colder ones are first, first + 2,
/// ...
void start_swaps(const TemperingShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t pairs,
                 cudaStream_t stream);

/// Copies a slot to a message or back.
void start_gather(const SlotWords& words, std::uint32_t slot, std::uint32_t* message, cudaStream_t stream);
void start_scatter(const SlotWords& words, std::uint32_t slot, const std::uint32_t* message, cudaStream_t stream);

}  // namespace psflip::cuda
