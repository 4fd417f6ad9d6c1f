#pragma once
#include "engine/laboratory/heisenberg/lattice.hpp"

/// Launches of the 2D Heisenberg model. All arrays are in device memory.
namespace psflip::laboratory::device {

/// Random directions of all sites.
template <class Math>
void start_heisenberg(const SpinArrays<typename Math::Real>& lattice, const Key& key);

/// All hits of the tiles of one parity; `round` counts the rounds before.
template <class Math, bool CONE>
void update_heisenberg(const HeisenbergStep<typename Math::Real>& step, int parity, std::uint32_t round);

/// A partial sum for each thread block.
inline constexpr int blocks_of_sums = 1024;
template <class Real>
void sum_heisenberg(const SpinArrays<Real>& lattice, SpinSums* sums);

}  // namespace psflip::laboratory::device
