#pragma once
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>

#include "engine/laboratory/ising2d/basic.hpp"
#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"

/// Launches of the variants of the 2D Ising model on the GPU. Numbers is SequenceNumbers or AddressedSquareNumbers. All
/// arrays are in device memory.
namespace psflip::laboratory::device {

/// `count` entries get the same value.
template <class T>
void fill(T* all, std::size_t count, T value);

/// basic: the numbers of a half sweep, [y][j], then the update of a parity with integers or floats.
template <class Numbers>
void fill_random(std::uint32_t* random, int L, std::uint64_t half_sweep, const Numbers& numbers);
template <class U, class Rule>
void update_bytes(std::int8_t* mine, const std::int8_t* other, const U* random, int parity, int L, const Rule& rule);

/// four_bit: half sweep h updates parity h mod 2; arrays [y][pair of words].
template <class Numbers>
void update_words(WordPair* mine, const WordPair* other, int L, std::uint64_t half_sweep, const Numbers& numbers,
                  const SquareThresholds& thresholds);

/// tensor: the sums of a matrix inside its blocks by tensor cores. Half precision is exact for them.
void multiply(const TensorView<__half>& view, int matrix);
/// The sums from other blocks, and the update of this matrix.
template <class Numbers>
void update_matrix(const TensorView<__half>& view, int matrix, std::uint64_t half_sweep, const Numbers& numbers,
                   const SquareThresholds& thresholds);

}  // namespace psflip::laboratory::device
