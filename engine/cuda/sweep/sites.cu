#include "engine/cuda/sweep/sites.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <type_traits>

#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/half_sweep/site_kernel.cuh"
#include "engine/cuda/sweep/persistent/site_kernel.cuh"
#include "engine/cuda/sweep/persistent/site_row_block_kernel.cuh"
#include "engine/cuda/sweep/persistent/small_square_kernel.cuh"

namespace psflip::cuda {

namespace {

/// Whether a thread block can have that much dynamic shared memory in addition to a few static words.
bool fits_in_block(std::size_t bytes) { return bytes + 64 <= most_shared_bytes(); }

/// Half sweeps of a launch of site_sweeps_kernel, so that the numbers of their tiles have 32 bits.
constexpr std::uint32_t most_half_sweeps = 256;

template <std::uint32_t L>
using Known = std::integral_constant<std::uint32_t, L>;

/// Calls f with the decision for the temperature.
template <class F>
void with_decision(const SiteJob& job, F f) {
  const int leading = std::countl_zero(job.thresholds.by_unsatisfied[0] | job.thresholds.by_unsatisfied[1]);
  if (leading >= 4)
    f(SiteDecision<4>(job.key, job.thresholds));
  else if (leading >= 2)
    f(SiteDecision<2>(job.key, job.thresholds));
  else
    f(SiteDecision<0>(job.key, job.thresholds));
  check(cudaGetLastError(), "half sweeps");
}

/// Calls f with the size as a constant if kernels of global memory are compiled for it, else with 0. For sm_90 these
/// kernels execute 267 to 273 instead of 277 to 284 instructions for two words.
template <class F>
void with_known_size(std::uint32_t L, F f) {
  if (L == 16384)
    f(Known<16384>());
  else if (L == 32768)
    f(Known<32768>());
  else if (L == 49152)
    f(Known<49152>());
  else if (L == 65536)
    f(Known<65536>());
  else
    f(Known<0>());
}

template <class Square, class Decision>
void launch_small(const SiteJob& job, const Decision& decide, std::uint32_t first, std::uint32_t half_sweeps) {
  const auto kernel = with_shared_memory(small_sites_kernel<Square, Decision>, small_bytes<Square>());
  kernel<<<job.samples, Square::threads, small_bytes<Square>()>>>(job.spins, job.layout.first_sample, first,
                                                                  half_sweeps, decide);
}

template <class Decision>
void launch_any_size(const SiteJob& job, const Decision& decide, std::uint32_t first, std::uint32_t half_sweeps) {
  const std::size_t bytes = persistent_site_bytes(job.layout.words());
  const auto kernel = with_shared_memory(persistent_sites_kernel<Decision>, bytes);
  const unsigned threads = blocks_for(job.layout.word_columns(), 32) * 32;
  kernel<<<job.samples, threads, bytes>>>(job.spins, job.layout, first, half_sweeps, decide);
}

template <class Known, class Decision>
void launch_row_blocks(const SiteJob& job, const SiteRowBlocks& shape, const SiteHaloPackets& halo,
                       const Decision& decide, std::uint32_t first, std::uint32_t half_sweeps) {
  const std::size_t bytes = row_block_bytes(job.layout.L, shape);
  Launcher launcher({1, 0, 0, shape.threads}, bytes);
  launcher.config.gridDim = shape.blocks;
  const auto kernel = with_shared_memory(
      first % 2 == 0 ? site_row_block_kernel<Known, 1, Decision> : site_row_block_kernel<Known, 0, Decision>, bytes);
  check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins, job.layout.L, job.layout.words(),
                           job.layout.first_sample, shape, first, half_sweeps, halo, decide),
        "half sweeps of row blocks");
}

}  // namespace

std::uint32_t site_tiles(const SiteLayout& layout) {
  return blocks_for(SlabRows::groups(layout) * layout.words_in_row(), site_threads);
}

std::uint32_t persistent_threads(std::size_t words) {
  return fits_in_block(persistent_site_bytes(words)) ? persistent_site_threads : 0;
}

void start_persistent(const SiteJob& job, std::uint32_t first, std::uint32_t half_sweeps) {
  with_decision(job, [&](const auto& decide) {
    if (job.layout.L == 64)
      launch_small<SmallSquare<64>>(job, decide, first, half_sweeps);
    else if (job.layout.L == 128)
      launch_small<SmallSquare<128>>(job, decide, first, half_sweeps);
    else if (job.layout.L == 256 && fits_in_block(small_bytes<SmallSquare<256>>()))
      launch_small<SmallSquare<256>>(job, decide, first, half_sweeps);
    else
      launch_any_size(job, decide, first, half_sweeps);
  });
}

SiteRowBlocks choose_row_blocks(std::uint32_t L) {
  const DeviceLimits limits;
  if (attribute(cudaDevAttrCooperativeLaunch) == 0) return {};
  return site_row_blocks(L, limits.shared_bytes, static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount)));
}

void start_row_blocks(const SiteJob& job, const SiteRowBlocks& shape, uint4* packets, std::uint32_t& sequence,
                      std::uint32_t first, std::uint32_t half_sweeps) {
  const bool all_threads = shape.threads == most_row_block_threads;
  const SiteHaloPackets halo{packets, sequence};
  with_decision(job, [&](const auto& decide) {
    if (job.layout.L == 4096 && all_threads)
      launch_row_blocks<KnownSites<4096>>(job, shape, halo, decide, first, half_sweeps);
    else if (job.layout.L == 8192 && all_threads)
      launch_row_blocks<KnownSites<8192>>(job, shape, halo, decide, first, half_sweeps);
    else
      launch_row_blocks<KnownSites<0>>(job, shape, halo, decide, first, half_sweeps);
  });
  sequence += exchanges_of(half_sweeps);
}

/// Thread blocks of site_sweeps_kernel: as many as the multiprocessors hold, or one fewer on each if the L2 cache holds
/// all lattices. On an H200 one lattice of 32768^2 takes 1.5 % less time with the first number, 16384^2 1 % less with
/// the second.
static unsigned resident_blocks(const SiteJob& job) {
  const std::size_t bytes = sizeof(std::uint32_t) * 2 * std::size_t{job.layout.words()} * job.samples;
  const bool in_cache = bytes <= static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  const unsigned most = 1024 / site_threads;
  return (in_cache ? most - 1 : most) * static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
}

/// Copies row 0 of both parities of all lattices to row L.
static void copy_first_rows(const SiteJob& job, cudaStream_t stream) {
  const std::size_t row = sizeof(std::uint32_t) * job.layout.words_in_row(), parity = row * job.layout.stored;
  check(cudaMemcpy2DAsync(job.spins + job.layout.L * job.layout.words_in_row(), parity, job.spins, parity, row,
                          std::size_t{2} * job.samples, cudaMemcpyDeviceToDevice, stream),
        "half sweeps");
}

void start_half_sweeps(const SiteJob& job, std::uint32_t* progress, std::uint32_t first, std::uint32_t half_sweeps,
                       std::uint32_t before, cudaStream_t stream) {
  if (job.layout.ghosts == 0 ? job.layout.stored <= job.layout.L : job.layout.stored > job.layout.L)
    throw std::logic_error("packed sites: a full lattice needs a row after it, some rows are no more than a lattice");
  const std::uint32_t tiles = site_tiles(job.layout), of_all = job.samples * tiles;
  const std::size_t bytes = site_queue_bytes(job.layout.rows);
  const unsigned resident = resident_blocks(job);
  with_decision(job, [&](const auto& decide) {
    const auto launch = [&](auto kernel, const auto& decision) {
      for (std::uint32_t done = 0; done < half_sweeps; done += most_half_sweeps) {
        const std::uint32_t count = std::min(most_half_sweeps, half_sweeps - done);
        const SiteSweeps sweeps{first + done, count, before + done, job.samples, tiles};
        check(cudaMemsetAsync(progress, 0, sizeof(std::uint32_t) * (1 + std::size_t{of_all}), stream), "half sweeps");
        kernel<<<std::min(resident, count * of_all), site_threads, bytes, stream>>>(
            job.spins, job.layout, sweeps, SiteProgress{progress, progress + 1}, decision);
      }
    };
    using Decision = std::decay_t<decltype(decide)>;
    const std::uint32_t W = job.layout.words_in_row();
    const SlabDecision<Decision> decide_in_slab{decide, job.layout.L * W, job.layout.first * W};
    with_known_size(job.layout.L, [&](auto known) {
      if (job.layout.ghosts == 0) {
        copy_first_rows(job, stream);
        launch(site_sweeps_kernel<known, true, Decision>, decide);
      } else {
        launch(site_sweeps_kernel<known, false, SlabDecision<Decision>>, decide_in_slab);
      }
    });
  });
}

}  // namespace psflip::cuda
