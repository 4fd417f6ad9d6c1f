#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/slab_rows.cuh"

/// Half sweeps of the rows of one rank of square lattices with packed sites.
namespace psflip::cuda {

/// One half sweep of the rows that are updated one by one. Grid (samples x blocks of a lattice), one thread per word.
template <class Decision>
__global__ void __launch_bounds__(128)
    single_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  const SlabRows rows(layout);
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, parity = half_sweep & 1u,
                      number = (blockIdx.x - sample * blocks_of_lattice) * blockDim.x + threadIdx.x,
                      k = number / rows.words;
  if (k >= rows.singles()) return;
  const std::uint32_t word = number - k * rows.words, y = rows.y(rows.single(k)), place = y * rows.words + word;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  std::uint32_t* mine = rows.as_whole(lattice + parity * layout.words());
  const std::uint32_t* row = rows.as_whole(lattice + (1 - parity) * layout.words()) + y * rows.words;
  const int W = static_cast<int>(rows.words), w = static_cast<int>(word);
  const bool shift = ((y + parity) & 1u) != 0;
  const std::uint32_t beside = row[shift ? (w + 1 == W ? 0 : w + 1) : (w == 0 ? W - 1 : w - 1)];
  std::uint32_t spin[1] = {mine[place]}, equal[1], ones[1];
  const std::uint32_t bond[1][4] = {
      {spin[0] ^ row[w - W], spin[0] ^ row[w + W], spin[0] ^ row[w], spin[0] ^ to_the_side(row[w], beside, shift)}};
  const SiteSweep s{half_sweep, layout.first_sample + sample};
  decide(decide.template draw<1>(s, {place}), bond, spin, equal, ones);
  mine[place] = spin[0];
  Undecided u{place, {equal[0], 0}, {ones[0], 0}};
  bool left = equal[0] != 0;
  while (left) left = decide_lowest(u, mine, rows.words, s, decide);
}

/// One half sweep of the rows in pairs; layout.rows of them are a thread's strip, the last strip may have fewer. SHIFT
/// is that of the first of them. Grid (samples x blocks of a lattice).
template <int SHIFT, class Decision>
__global__ void __launch_bounds__(streaming_block, 1024 / streaming_block)
    paired_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  __shared__ std::uint32_t size;
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared_memory()), &size};
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const SlabRows rows(layout);
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, block = blockIdx.x - sample * blocks_of_lattice,
                      parity = half_sweep & 1u, number = block * streaming_block + threadIdx.x,
                      band = number / rows.words, before = band * layout.rows;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  std::uint32_t* mine = rows.as_whole(lattice + parity * layout.words());
  const std::uint32_t* other = rows.as_whole(lattice + (1 - parity) * layout.words());
  const SiteSweep s{half_sweep, layout.first_sample + sample};
  if (before < rows.paired()) {
    const Strip strip{number - band * rows.words, rows.y(2 + before), min(layout.rows, rows.paired() - before), false};
    march<SHIFT>(mine, other, layout.L, strip, s, decide, queue);
  }
  __syncthreads();
  resolve(queue, mine, rows.words, s, decide);
}

}  // namespace psflip::cuda
