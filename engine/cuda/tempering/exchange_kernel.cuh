#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/tempering/arrays.hpp"
#include "engine/random/address.hpp"

/// Decisions about exchanges for each sample, from the integers of the energies; replica-flow labels.
namespace psflip::cuda {

/// Decides for one sample whether the slots k and k + 1 in memory exchange. Four sets share a Philox call.
__device__ __forceinline__ bool exchanges(const TemperingShape& shape, std::uint32_t pack, std::uint32_t set,
                                          std::uint32_t k, std::uint32_t round, const Key& key,
                                          const ExchangeWeights& weights, int shift, const EnergyCounts& energies) {
  const std::uint32_t lane = threadIdx.x;
  const int* cold = energies.counts + energies.at(pack, k, set) + lane;
  const int* hot = cold + energies.of_slot;
  // B is the number of bonds less twice those unsatisfied, F = N - 2 against
  const std::int64_t d_bonds = 2 * (cold[energies.bonds] - hot[energies.bonds]);
  const std::int64_t d_field = 2 * (cold[energies.against] - hot[energies.against]);
  const auto u = numbers_at(key, lane, round, shape.pack_numbers[pack], set >> 2, 0, shape.first_slot + k);
  const std::uint32_t low = set & 1u ? u.x[1] : u.x[0], high = set & 1u ? u.x[3] : u.x[2];
  const std::int64_t x = weights.bond * d_bonds + weights.field * d_field;
  return (set & 2u ? high : low) < exchange_threshold(x, shift);
}

/// Updates the labels at both ends. A configuration from the cold end that arrives at the hot end gets the label
/// from_hot, one without a label hot_first; one that returns to the cold end is counted. For one warp. An end of the
/// memory is an end of the temperature grid, or the copy of another rank's slot, whose labels are not used before they
/// are received again.
__device__ __forceinline__ void count_round_trips(const TemperingShape& shape, std::uint32_t pack, std::uint32_t set,
                                                  const FlowLabels& labels) {
  const std::size_t coldest = shape.unit(pack, 0, set), hottest = shape.unit(pack, shape.slots - 1, set);
  const std::uint32_t lane = threadIdx.x, back = labels.from_hot[coldest] & ~labels.from_cold[coldest];
  labels.round_trips[set * shape.lanes() + std::size_t{32} * pack + lane] += static_cast<int>((back >> lane) & 1u);
  __syncwarp();
  if (lane != 0) return;
  labels.from_cold[hottest] = ~(labels.from_cold[hottest] ^ labels.from_hot[hottest]);
  labels.from_hot[hottest] = ~0u;
  labels.from_hot[coldest] = 0;
  labels.from_cold[coldest] = ~0u;
}

__device__ __forceinline__ void swap_lanes(std::uint32_t& a, std::uint32_t& b, std::uint32_t mask) {
  const std::uint32_t differ = (a ^ b) & mask;
  a ^= differ;
  b ^= differ;
}

/// Masks of the samples that exchange, their labels and the flow counts of the round. `weights` are those of the pairs
/// in memory. Grid (packs, sets); block (32 samples, up to 32).
static __global__ void __launch_bounds__(1024)
    exchange_kernel(TemperingShape shape, Key key, std::uint32_t round, const ExchangeWeights* weights, int shift,
                    EnergyCounts energies, std::uint32_t* masks, FlowLabels labels, BinSums sums) {
  const std::uint32_t pack = blockIdx.x, set = blockIdx.y, lane = threadIdx.x;
  after_previous_kernel();
  for (std::uint32_t k = shape.colder_parity(round) + 2 * threadIdx.y; k + 1 < shape.slots; k += 2 * blockDim.y) {
    const bool accepted = exchanges(shape, pack, set, k, round, key, weights[k], shift, energies);
    const std::uint32_t mask = __ballot_sync(~0u, accepted);
    if (accepted) ++labels.accepted[(shape.sets * k + set) * shape.lanes() + std::size_t{32} * pack + lane];
    if (lane != 0) continue;
    const std::size_t cold = shape.unit(pack, k, set), hot = cold + shape.sets;
    masks[cold] = mask;
    swap_lanes(labels.from_cold[cold], labels.from_cold[hot], mask);
    swap_lanes(labels.from_hot[cold], labels.from_hot[hot], mask);
  }
  __syncthreads();
  if (threadIdx.y == 0) count_round_trips(shape, pack, set, labels);
  __syncthreads();
  for (std::uint32_t slot = threadIdx.y; slot < shape.slots; slot += blockDim.y)
    count_flow(labels, sums, shape, slot, set, std::size_t{32} * pack + lane);
}

}  // namespace psflip::cuda
