#include "engine/cuda/single_gpu/site_packed.cuh"

#include <bit>

#include "engine/cuda/single_gpu/engines.hpp"

namespace psflip::cuda {

namespace {

/// Whether a thread block can have that much dynamic shared memory in addition to a few static words.
bool fits_in_block(std::size_t bytes) {
  return bytes + 64 <= static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

}  // namespace

SitePacked::SitePacked(const System& system)
    : system_(system),
      layout_{static_cast<std::uint32_t>(system.L), 2, system.first_sample},
      thresholds_(make_thresholds(system.beta, 2)),
      samples_(static_cast<std::uint32_t>(system.samples)),
      multiprocessors_(static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount))),
      persistent_(use_persistent_kernel()),
      spins_(std::size_t{2} * layout_.words() * system.samples),
      fourier_(system.L),
      sums_(system.samples),
      sums_on_host_(system.samples) {
  layout_ = persistent_ ? persistent_layout() : half_sweep_layout();
  if (system.start == Start::random) {
    const unsigned blocks = blocks_for(layout_.words(), 256);
    fill_sites_kernel<<<blocks * samples_, 256>>>(spins_.data(), layout_, trajectory_key(system, Stream::initial_spins),
                                                  blocks);
    check(cudaGetLastError(), "start");
  } else {
    check(cudaMemset(spins_.data(), 0, spins_.size() * sizeof(std::uint32_t)), "clear spins");
  }
}

/// The persistent kernel needs no launch for each half sweep, but updates a lattice on one multiprocessor only.
bool SitePacked::use_persistent_kernel() const {
  const std::size_t words = layout_.words();
  const std::size_t bytes = persistent_site_bytes(words);
  if (!fits_in_block(bytes)) return false;
  // Estimated nanoseconds of a half sweep: a multiprocessor flips 30 spins per ns, a launch takes 2500 ns.
  const double flips = 0.5 * static_cast<double>(system_.sites()), rate = 30, launch = 2500;
  const double in_one_block = flips / rate * blocks_for(samples_, multiprocessors_);
  const double in_all = flips / rate * samples_ / multiprocessors_;
  return in_one_block <= launch + in_all;
}

/// The shortest word columns for which one block has a thread each.
SiteLayout SitePacked::persistent_layout() const {
  std::uint32_t rows = 2;
  while (with_rows(rows).word_columns() > persistent_site_threads) rows *= 2;
  return with_rows(rows);
}

/// Word columns for which the waves of thread blocks are full. A word column costs its rows and about one more for its
/// start and end.
SiteLayout SitePacked::half_sweep_layout() const {
  const std::size_t at_once = std::size_t{1024} / site_threads * multiprocessors_;
  const auto cost = [&](std::uint32_t rows) {
    const std::size_t blocks = std::size_t{samples_} * blocks_for(with_rows(rows).word_columns(), site_threads);
    return (blocks + at_once - 1) / at_once * (rows + 1);
  };
  std::uint32_t best = longest_word_column;
  for (std::uint32_t rows = best / 2; rows >= 2; rows /= 2)
    if (cost(rows) < cost(best)) best = rows;
  return with_rows(best);
}

SiteLayout SitePacked::counting_layout() const {
  const std::size_t enough = std::size_t{512} * multiprocessors_;
  std::uint32_t rows = longest_counted_column;
  while (rows > 8 && std::size_t{samples_} * with_rows(rows).word_columns() < enough) rows /= 2;
  return with_rows(rows);
}

void SitePacked::advance(std::uint64_t count) {
  const int leading = std::countl_zero(thresholds_.by_unsatisfied[0] | thresholds_.by_unsatisfied[1]);
  if (leading >= 4)
    launch<4>(count);
  else if (leading >= 2)
    launch<2>(count);
  else
    launch<0>(count);
  half_sweeps_ += count;
  check(cudaDeviceSynchronize(), "update");
}

template <int LEADING>
void SitePacked::launch(std::uint64_t count) {
  const SiteDecision<LEADING> decide(trajectory_key(system_, Stream::metropolis), thresholds_);
  if (persistent_)
    launch_persistent(decide, count);
  else
    launch_half_sweeps(decide, count);
}

template <class Decision>
void SitePacked::launch_persistent(const Decision& decide, std::uint64_t count) {
  if (layout_.L == 64)
    launch_small<SmallSquare<64>>(decide, count);
  else if (layout_.L == 128)
    launch_small<SmallSquare<128>>(decide, count);
  else if (layout_.L == 256 && fits_in_block(small_bytes<SmallSquare<256>>()))
    launch_small<SmallSquare<256>>(decide, count);
  else
    launch_any_size(decide, count);
}

template <class Square, class Decision>
void SitePacked::launch_small(const Decision& decide, std::uint64_t count) {
  const auto kernel = with_shared_memory(small_sites_kernel<Square, Decision>, small_bytes<Square>());
  kernel<<<samples_, Square::threads, small_bytes<Square>()>>>(spins_.data(), layout_.first_sample,
                                                               static_cast<std::uint32_t>(half_sweeps_),
                                                               static_cast<std::uint32_t>(count), decide);
  check(cudaGetLastError(), "sweeps of small lattices");
}

template <class Decision>
void SitePacked::launch_any_size(const Decision& decide, std::uint64_t count) {
  const std::size_t bytes = persistent_site_bytes(layout_.words());
  const auto kernel = with_shared_memory(persistent_sites_kernel<Decision>, bytes);
  const unsigned threads = blocks_for(layout_.word_columns(), 32) * 32;
  kernel<<<samples_, threads, bytes>>>(spins_.data(), layout_, static_cast<std::uint32_t>(half_sweeps_),
                                       static_cast<std::uint32_t>(count), decide);
  check(cudaGetLastError(), "sweeps in shared memory");
}

template <class Decision>
void SitePacked::launch_half_sweeps(const Decision& decide, std::uint64_t count) {
  const unsigned blocks = blocks_for(layout_.word_columns(), site_threads);
  const std::size_t bytes = std::size_t{site_threads} * layout_.rows / 2 * sizeof(Undecided);
  for (std::uint64_t h = half_sweeps_; h < half_sweeps_ + count; ++h) {
    const auto kernel = h % 2 == 0 ? half_sweep_sites_kernel<0, Decision> : half_sweep_sites_kernel<1, Decision>;
    kernel<<<blocks * samples_, site_threads, bytes>>>(spins_.data(), layout_, static_cast<std::uint32_t>(h), blocks,
                                                       decide);
  }
  check(cudaGetLastError(), "half sweep");
}

Observation SitePacked::observe() const {
  const SiteLayout layout = counting_layout();
  const unsigned threads = std::min(counting_threads, blocks_for(layout.word_columns(), 32) * 32);
  const unsigned blocks = blocks_for(layout.word_columns(), threads);
  check(cudaMemsetAsync(sums_.data(), 0, samples_ * sizeof(SiteSums)), "measurement");
  site_sums_kernel<<<blocks * samples_, threads>>>(spins_.data(), layout, fourier_.tables(), blocks, sums_.data());
  check(cudaGetLastError(), "measurement");
  check(cudaMemcpy(sums_on_host_.data(), sums_.data(), samples_ * sizeof(SiteSums), cudaMemcpyDeviceToHost),
        "measurement");
  Observation o;
  const auto L = static_cast<std::int64_t>(layout_.L), N = L * L;
  for (std::uint32_t k = 0; k < samples_; ++k) {
    const SiteSums& minus = sums_on_host_.data()[k];
    std::int64_t re[2], im[2];
    for (int axis = 0; axis < 2; ++axis) {  // zero if all spins are +1, minus twice the sum over the spins -1
      re[axis] = -2 * minus.re[axis];
      im[axis] = -2 * minus.im[axis];
    }
    o.bond_sum.push_back(2 * N - 2 * minus.unsatisfied);
    o.magnetization.push_back(N - 2 * minus.minus);
    o.magnetization_k2.push_back(k2_from_components(re, im, 2));
  }
  return o;
}

PackedSigns SitePacked::packed_spins() const { return rows_of_sites(spins_.data(), layout_, samples_); }

void SitePacked::restore(std::uint64_t half_sweeps, const PackedSigns& spins) {
  sites_of_rows(spins, layout_, samples_, spins_.data());
  half_sweeps_ = half_sweeps;
}

std::unique_ptr<Engine> make_site_packed(const System& system) { return std::make_unique<SitePacked>(system); }

}  // namespace psflip::cuda
