#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "engine/laboratory/ising2d/basic.hpp"
#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"
#include "engine/laboratory/ising2d/slab.hpp"

/// Launches of the variants of the 2D Ising model for a slab on a GPU, in the order of a stream of this GPU. Numbers is
/// SequenceNumbers or AddressedSquareNumbers. All arrays are in device memory, those next to a slab perhaps in that of
/// another GPU.
namespace psflip::laboratory::device {

/// `count` entries get the same value.
template <class T>
void fill(T* all, std::size_t count, T value, cudaStream_t stream);

/// basic: the numbers of a half sweep, [row][j], then the update of a parity with integers or floats.
template <class Numbers>
void fill_random(std::uint32_t* random, const RowRange& rows, std::uint64_t half_sweep, const Numbers& numbers,
                 cudaStream_t stream);
template <class U, class Rule>
void update_bytes(std::int8_t* mine, const Slab<std::int8_t>& other, const U* random, int parity, const RowRange& rows,
                  const Rule& rule, cudaStream_t stream);

/// four_bit: half sweep h updates parity h mod 2; arrays [row][pair of words].
template <class Numbers>
void update_words(WordPair* mine, const Slab<WordPair>& other, const RowRange& rows, std::uint64_t half_sweep,
                  const Numbers& numbers, const SquareThresholds& thresholds, cudaStream_t stream);

/// tensor: the sums of a matrix inside its blocks by tensor cores. Half precision is exact for them.
void multiply(const MatrixView<__half>& view, cudaStream_t stream);
/// The sums from other blocks, and the update of this matrix.
template <class Numbers>
void update_matrix(const MatrixView<__half>& view, std::uint64_t half_sweep, const Numbers& numbers,
                   const SquareThresholds& thresholds, cudaStream_t stream);

}  // namespace psflip::laboratory::device
