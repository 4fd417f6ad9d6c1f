#pragma once
#include "engine/core/platform.hpp"
#include "engine/cuda/tempering/member/pair_counters.cuh"

/// The counts of pair_counters.cuh of a square lattice.
namespace psflip::cuda {

/// Sites of a parity are spins[parity][set][y][x / 2]. A line is a segment of a row or column of the lattice, the last
/// ones perhaps shorter.
struct SquareSize {
  static constexpr std::uint32_t segment = 16;  ///< sites of a line
  static constexpr std::uint32_t largest_L = 160;
  static constexpr std::uint32_t threads = 128, blocks = 4;  ///< of a block, on a multiprocessor
  /// Pairs of lines that a thread counts, at even and odd x.
  static constexpr std::uint32_t most_pairs =
      ((largest_L + segment - 1) / segment * largest_L / 2 + threads - 1) / threads;
  static constexpr int line_bits = counter_bits<segment>, plane_bits = counter_bits<largest_L>;
  static constexpr int minus_bits = counter_bits<2 * segment * most_pairs>,
                       link_bits = counter_bits<4 * segment * most_pairs>;  ///< of a thread

  std::uint32_t L;

  PSFLIP_HD std::uint32_t half() const { return L / 2; }
  PSFLIP_HD std::uint32_t sites() const { return L * half(); }
  PSFLIP_HD std::uint32_t segments() const { return (L + segment - 1) / segment; }
  /// Words of shared memory: of lines[pair][bit][segment][position], and of planes[pair][axis][position][bit].
  PSFLIP_HD std::uint32_t line_words() const { return measured_pairs * line_bits * segments() * L; }
  PSFLIP_HD std::uint32_t plane_words() const { return measured_pairs * 2 * L * plane_bits; }
  PSFLIP_HD std::size_t bytes() const { return sizeof(MeasuredTotals) + 4 * (line_words() + plane_words()); }
};

/// What a thread block counts, in shared memory.
class SquareCounts {
  using Size = SquareSize;

 public:
  MeasuredTotals& totals;

  __device__ __forceinline__ SquareCounts(std::uint32_t* shared, std::uint32_t L)
      : totals(*reinterpret_cast<MeasuredTotals*>(shared)),
        size_{L},
        lines_(shared + sizeof(MeasuredTotals) / 4),
        planes_(lines_ + size_.line_words()) {}

  /// All threads of the block; ends with a barrier. `slot`: spins of the slot.
  __device__ __forceinline__ void count(const std::uint32_t* slot) {
    totals.clear();
    __syncthreads();
    count_columns(slot);
    count_links(slot);
    __syncthreads();
    add_up(0);
    __syncthreads();
    count_rows(slot);
    __syncthreads();
    add_up(1);
    __syncthreads();
  }

  /// Calls f(axis, position, sites of the row or column that differ) for a pair; each thread of a warp gets those of
  /// one sample.
  template <class F>
  __device__ __forceinline__ void for_each(std::uint32_t pair, F f) const {
    for_each_count<2, Size::plane_bits>(planes_ + plane(pair, 0, 0), size_.L, f);
  }

 private:
  using Words = std::uint32_t[measured_sets][8];

  PSFLIP_HD std::uint32_t line(int pair, int bit, std::uint32_t segment, std::uint32_t position) const {
    return ((pair * Size::line_bits + bit) * size_.segments() + segment) * size_.L + position;
  }
  PSFLIP_HD std::uint32_t plane(std::uint32_t pair, int axis, std::uint32_t position) const {
    return ((pair * 2 + axis) * size_.L + position) * Size::plane_bits;
  }
  __device__ __forceinline__ void store(const PairCounters<Size::line_bits>& differ, std::uint32_t segment,
                                        std::uint32_t position) {
#pragma unroll
    for (int pair = 0; pair < measured_pairs; ++pair)
#pragma unroll
      for (int j = 0; j < Size::line_bits; ++j) lines_[line(pair, j, segment, position)] = differ.of[pair].plane[j];
  }
  /// Words of a parity of the slot.
  __device__ __forceinline__ const std::uint32_t* of_parity(const std::uint32_t* slot, std::uint32_t parity) const {
    return slot + (parity & 1u) * measured_sets * size_.sites();
  }
  /// Words of all sets: word i is at `at(i)` for the first set. `count` words, at most eight; the others are zero.
  template <class At>
  __device__ __forceinline__ void load(At at, std::uint32_t count, Words& word) const {
#pragma unroll
    for (int set = 0; set < measured_sets; ++set)
#pragma unroll
      for (std::uint32_t i = 0; i < 8; ++i) word[set][i] = i < count ? at(i)[set * size_.sites()] : 0;
  }

  /// Lines along y, and -1 spins. A thread has two columns of a segment.
  __device__ __forceinline__ void count_columns(const std::uint32_t* slot) {
    Counter<Size::minus_bits> minus[measured_sets];
    for_each_segment([&](std::uint32_t segment, std::uint32_t c, std::uint32_t begin, std::uint32_t end) {
#pragma unroll 1
      for (std::uint32_t odd_x = 0; odd_x < 2; ++odd_x) {
        PairCounters<Size::line_bits> differ;
#pragma unroll 1
        for (std::uint32_t y = begin; y < end; y += 8) {
          const std::uint32_t* at[2] = {of_parity(slot, y + odd_x) + y * size_.half() + c,
                                        of_parity(slot, y + odd_x + 1) + y * size_.half() + c};
          Words word;
          load([&](std::uint32_t i) { return at[i % 2] + i * size_.half(); }, end - y, word);
#pragma unroll
          for (int set = 0; set < measured_sets; ++set) minus[set].add_words(word[set]);
          differ.add(word);
        }
        store(differ, segment, 2 * c + odd_x);
      }
    });
    __syncwarp();
#pragma unroll
    for (int set = 0; set < measured_sets; ++set) MeasuredTotals::add(totals.minus[set], minus[set]);
  }
  __device__ __forceinline__ void count_links(const std::uint32_t* slot) {
    PairCounters<Size::link_bits> links;
    for_each_segment([&](std::uint32_t, std::uint32_t c, std::uint32_t begin, std::uint32_t end) {
#pragma unroll 1
      for (std::uint32_t y = begin; y < end; y += 2) add_links(slot, y, c, links);
    });
    __syncwarp();
#pragma unroll
    for (int pair = 0; pair < measured_pairs; ++pair) MeasuredTotals::add(totals.links[pair], links.of[pair]);
  }
  /// Calls f(segment, column, first row, row behind the last one) for the segments of columns of this thread.
  template <class F>
  __device__ __forceinline__ void for_each_segment(F f) const {
    for (std::uint32_t task = threadIdx.x; task < size_.segments() * size_.half(); task += blockDim.x) {
      const std::uint32_t segment = task / size_.half(), begin = segment * Size::segment;
      f(segment, task % size_.half(), begin, min(begin + Size::segment, size_.L));
    }
  }

  /// The bonds to x + 1 and y + 1 of the sites of two columns in rows y, which is even, and y + 1.
  template <class Counters>
  __device__ __forceinline__ void add_links(const std::uint32_t* slot, std::uint32_t y, std::uint32_t c,
                                            Counters& links) const {
    const std::uint32_t half = size_.half(), right = c + 1 == half ? 0 : c + 1;
    const std::uint32_t rows[3] = {y * half, (y + 1) * half, y + 2 == size_.L ? 0 : (y + 2) * half};
    Words unlike;
#pragma unroll
    for (int set = 0; set < measured_sets; ++set) {
      const std::uint32_t *evens = of_parity(slot, 0) + set * size_.sites(),
                          *odds = of_parity(slot, 1) + set * size_.sites();
      // at even and odd x of each row; the parity of row y at even x is that of y
      const std::uint32_t even[3] = {evens[rows[0] + c], odds[rows[1] + c], evens[rows[2] + c]},
                          odd[3] = {odds[rows[0] + c], evens[rows[1] + c], odds[rows[2] + c]};
      unlike[set][0] = even[0] ^ odd[0];
      unlike[set][1] = odd[0] ^ evens[rows[0] + right];
      unlike[set][2] = even[0] ^ even[1];
      unlike[set][3] = odd[0] ^ odd[1];
      unlike[set][4] = even[1] ^ odd[1];
      unlike[set][5] = odd[1] ^ odds[rows[1] + right];
      unlike[set][6] = even[1] ^ even[2];
      unlike[set][7] = odd[1] ^ odd[2];
    }
    links.add(unlike);
  }

  /// Lines along x.
  __device__ __forceinline__ void count_rows(const std::uint32_t* slot) {
    constexpr std::uint32_t words = Size::segment / 2;
    for (std::uint32_t task = threadIdx.x; task < size_.segments() * size_.L; task += blockDim.x) {
      const std::uint32_t y = task / size_.segments(), segment = task % size_.segments(), c = segment * words;
      PairCounters<Size::line_bits> differ;
#pragma unroll 1
      for (std::uint32_t parity = 0; parity < 2; ++parity) {
        const std::uint32_t* first = of_parity(slot, parity) + y * size_.half() + c;
        Words word;
        load([&](std::uint32_t i) { return first + i; }, size_.half() - c, word);
        differ.add(word);
      }
      store(differ, segment, y);
    }
  }

  /// Adds up the lines of all rows or columns.
  __device__ __forceinline__ void add_up(int axis) {
    for (std::uint32_t task = threadIdx.x; task < measured_pairs * size_.L; task += blockDim.x) {
      const std::uint32_t pair = task / size_.L, position = task % size_.L;
      Counter<Size::plane_bits> sum;
      for (std::uint32_t segment = 0; segment < size_.segments(); ++segment) {
        std::uint32_t counts[Size::line_bits];
#pragma unroll
        for (int j = 0; j < Size::line_bits; ++j)
          counts[j] = lines_[line(static_cast<int>(pair), j, segment, position)];
        sum.add_counts(counts);
      }
#pragma unroll
      for (int j = 0; j < Size::plane_bits; ++j) planes_[plane(pair, axis, position) + j] = sum.plane[j];
    }
  }

  SquareSize size_;
  std::uint32_t *lines_, *planes_;
};

}  // namespace psflip::cuda
