#include "engine/cuda/lattice/sites.hpp"

#include <algorithm>

#include "engine/core/fourier.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/measure/site_rows.hpp"
#include "engine/cuda/sweep/sites.hpp"
#include "engine/cuda/update/slab_memory.hpp"
#include "engine/cuda/update/start.hpp"

namespace psflip::cuda {

namespace {

/// Two copies of the halo packets of all row blocks.
std::size_t packets_of(std::uint32_t L, const SiteRowBlocks& shape) {
  return std::size_t{2} * shape.blocks * row_block_packets(L);
}

/// The rows of a share, with ghosts if they are some rows; all ranks have the same number of ghosts. Ghosts are updated
/// too: on an H100 a row of 32768 sites takes 5 ns. An exchange takes 70 us. It is needed once in as many half sweeps
/// as there are ghosts on a side.
Domain<2> domain_of(const System& system, const Share& share) {
  constexpr std::uint32_t most = 64, part_of_rows = 8;
  const std::uint32_t depth = std::clamp(share.fewest_planes / part_of_rows, 1u, most);
  return {Lattice<2>{static_cast<std::uint32_t>(system.L)}, share.planes, depth};
}

/// Words before the spins and after them, at least a row (SlabRows::updated), without a change of the alignment.
std::size_t spare_words(const SiteLayout& layout) {
  constexpr std::size_t words_of_line = 32;
  return (layout.words_in_row() + words_of_line - 1) / words_of_line * words_of_line;
}

/// Words of the memory of all lattices.
std::size_t stored_words(const SiteLayout& layout, std::size_t samples) {
  return 2 * (layout.words() * samples + spare_words(layout));
}

class Sites final : public RowLattices {
 public:
  Sites(const System& system, const Share& share);

  void start_rounds(std::uint64_t first, std::uint64_t count) override;
  void update_rows(std::uint64_t first, std::uint32_t half_sweeps, std::uint32_t before, cudaStream_t stream) override {
    start_half_sweeps(job(), progress_.data(), static_cast<std::uint32_t>(first), half_sweeps, before, stream);
  }
  PlaneMemory memory() override { return site_memory(spin_words(), layout_, samples_); }
  void start_reading() override;
  void finish_reading(std::uint64_t interval, Reading& reading) override;
  PackedSigns packed_spins(std::size_t slot) const override;
  void restore_spins(std::size_t slot, const PackedSigns& spins) override;

 private:
  bool is_full_lattice() const { return domain_.ghosts == 0; }
  std::uint32_t* spin_words() const { return spins_.data() + spare_words(layout_); }
  SiteLayout with_rows(std::uint32_t rows) const;
  SiteJob job() { return {spin_words(), layout_, samples_, trajectory_key(system_, Stream::metropolis), thresholds_}; }
  bool use_persistent_kernel() const;
  bool use_row_blocks() const { return is_full_lattice() && !persistent_ && samples_ == 1; }
  SiteLayout persistent_layout() const;
  SiteLayout half_sweep_layout() const;
  SiteLayout counting_layout() const;

  System system_;
  Domain<2> domain_;
  Thresholds thresholds_;
  std::uint32_t samples_, multiprocessors_;
  bool persistent_;
  SiteLayout layout_;                         ///< `rows` as used by the updates
  mutable DeviceArray<std::uint32_t> spins_;  ///< with spare words before and after them
  DeviceArray<std::uint32_t> progress_;
  SiteRowBlocks row_blocks_;  ///< none if another kernel updates the lattices
  DeviceArray<uint4> packets_;
  std::uint32_t sequence_ = 1;  ///< of the next exchange of row blocks
  SiteFourier fourier_;
  DeviceArray<SiteSums> sums_;  ///< of a measurement
  PinnedArray<SiteSums> sums_on_host_;
  TimedEvent copied_;
};

Sites::Sites(const System& system, const Share& share)
    : system_(system),
      domain_(domain_of(system, share)),
      thresholds_(make_thresholds(system.betas[0], 2)),
      samples_(static_cast<std::uint32_t>(system.samples)),
      multiprocessors_(static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount))),
      persistent_(is_full_lattice() && use_persistent_kernel()),
      layout_(persistent_ ? persistent_layout() : half_sweep_layout()),
      spins_(stored_words(layout_, system.samples)),
      progress_(1 + std::size_t{samples_} * site_tiles(layout_)),
      row_blocks_(use_row_blocks() ? choose_row_blocks(domain_.L) : SiteRowBlocks{}),
      packets_(std::max<std::size_t>(1, packets_of(domain_.L, row_blocks_))),
      fourier_(system.L),
      sums_(system.samples),
      sums_on_host_(system.samples) {
  spins_.clear();
  if (system.start == Start::random)
    start_sites(spin_words(), layout_, samples_, trajectory_key(system, Stream::initial_spins));
  packets_.clear();
}

/// The persistent kernel needs no launch for each half sweep, but updates a lattice on one multiprocessor only.
bool Sites::use_persistent_kernel() const {
  if (persistent_threads(site_layout(domain_, 2, 0).words()) == 0) return false;
  // Estimated nanoseconds of a half sweep: a multiprocessor flips 30 spins per ns, a launch takes 2500 ns.
  const double flips = 0.5 * static_cast<double>(system_.sites()), rate = 30, launch = 2500;
  const double in_one_block = flips / rate * ((samples_ + multiprocessors_ - 1) / multiprocessors_);
  const double in_all = flips / rate * samples_ / multiprocessors_;
  return in_one_block <= launch + in_all;
}

SiteLayout Sites::with_rows(std::uint32_t rows) const {
  SiteLayout layout = site_layout(domain_, rows, system_.first_sample);
  if (is_full_lattice() && !persistent_) layout.stored += rows_after_lattice;
  return layout;
}

/// The shortest word columns for which one block has a thread each.
SiteLayout Sites::persistent_layout() const {
  std::uint32_t rows = 2;
  while (with_rows(rows).word_columns() > persistent_threads(with_rows(rows).words())) rows *= 2;
  return with_rows(rows);
}

/// Long word columns, since each costs about one row more for its start and end, but at least two tiles for each thread
/// block, so that none waits for the adjoining tiles.
SiteLayout Sites::half_sweep_layout() const {
  const std::size_t thread_blocks = std::size_t{1024} / site_threads * multiprocessors_;
  const auto cost = [&](std::uint32_t rows) {
    return std::max(std::size_t{samples_} * site_tiles(with_rows(rows)), 2 * thread_blocks) * (rows + 1);
  };
  std::uint32_t best = longest_word_column;
  for (std::uint32_t rows = best / 2; rows >= 2; rows /= 2)
    if (cost(rows) < cost(best)) best = rows;
  return with_rows(best);
}

/// The longest word columns for which there are enough threads to occupy the GPU.
SiteLayout Sites::counting_layout() const {
  const std::size_t enough = std::size_t{512} * multiprocessors_,
                    words = std::size_t{samples_} * domain_.planes * (domain_.L / 64);
  std::uint32_t rows = longest_counted_column;
  while (rows > 8 && words / rows < enough) rows /= 2;
  return with_rows(rows);
}

void Sites::start_rounds(std::uint64_t first, std::uint64_t count) {
  const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps),
             h = static_cast<std::uint32_t>(first) * half_sweeps, n = static_cast<std::uint32_t>(count) * half_sweeps;
  if (persistent_)
    start_persistent(job(), h, n);
  else if (row_blocks_.blocks != 0 && n >= fewest_half_sweeps_of_row_blocks)
    start_row_blocks(job(), row_blocks_, packets_.data(), sequence_, h, n);
  else
    start_half_sweeps(job(), progress_.data(), h, n);
}

void Sites::start_reading() {
  start_site_sums(spin_words(), counting_layout(), samples_, fourier_.tables(), sums_.data());
  check(
      cudaMemcpyAsync(sums_on_host_.data(), sums_.data(), samples_ * sizeof(SiteSums), cudaMemcpyDeviceToHost, nullptr),
      "measurement");
  copied_.record();
}

/// Fourier components are zero if all spins are +1, minus twice the sum over the spins -1. Of some rows, the sum over
/// all spins +1 is that of the rows' cosines and sines.
void Sites::finish_reading(std::uint64_t, Reading& reading) {
  copied_.wait();
  Observation o;
  const auto L = static_cast<std::int64_t>(domain_.L), N = L * domain_.planes;
  std::int64_t cosines = 0, sines = 0;
  for (std::size_t y = domain_.first; y < domain_.first + domain_.planes; ++y) {
    cosines += fourier_.on_host().cosine[y];
    sines += fourier_.on_host().sine[y];
  }
  for (std::uint32_t k = 0; k < samples_; ++k) {
    const SiteSums& minus = sums_on_host_.data()[k];
    const std::int64_t re[2] = {-2 * minus.re[0], L * cosines - 2 * minus.re[1]},
                       im[2] = {-2 * minus.im[0], L * sines - 2 * minus.im[1]};
    o[Integer::bond_sum].push_back(2 * N - 2 * minus.unsatisfied);
    o[Integer::magnetization].push_back(N - 2 * minus.minus);
    auto& fourier = o[Integer::magnetization_k2];
    if (is_full_lattice())
      fourier.push_back(k2_from_components(re, im, 2));
    else
      fourier.insert(fourier.end(), {re[0], im[0], re[1], im[1]});
  }
  reading.moment = std::move(o);
}

PackedSigns Sites::packed_spins(std::size_t) const {
  PackedSigns stored = rows_of_sites(spin_words(), layout_, samples_);
  if (layout_.stored == layout_.own) return stored;
  PackedSigns own(samples_, domain_.sites());
  for (std::size_t k = 0; k < samples_; ++k)
    std::copy_n(stored.row(k) + domain_.ghosts * (domain_.L / 32), own.words_in_row(), own.row(k));
  return own;
}

void Sites::restore_spins(std::size_t, const PackedSigns& spins) {
  PackedSigns stored(samples_, std::size_t{layout_.stored} * domain_.L);
  for (std::size_t k = 0; k < samples_; ++k) copy_stored_planes(spins.row(k), domain_, stored.row(k));
  sites_of_rows(stored, layout_, samples_, spin_words());
}

}  // namespace

double bytes_of_sites(const System& system, const Share& share) {
  const Domain<2> domain = domain_of(system, share);
  SiteLayout layout = site_layout(domain, 2, 0);
  if (domain.ghosts == 0) layout.stored += rows_after_lattice;
  const std::size_t samples = system.samples;
  std::size_t bytes = sizeof(std::uint32_t) * stored_words(layout, samples);
  bytes += samples * sizeof(SiteSums) + staging_bytes(layout, samples);
  bytes += sizeof(std::uint32_t) * (1 + samples * site_tiles(layout));
  bytes += copies_of_message * sizeof(std::uint32_t) * site_memory(nullptr, layout, samples).in_message();
  if (samples == 1 && domain.ghosts == 0) bytes += sizeof(uint4) * packets_of(domain.L, choose_row_blocks(domain.L));
  return static_cast<double>(bytes);
}

std::unique_ptr<RowLattices> make_sites(const System& system, const Share& share) {
  return std::make_unique<Sites>(system, share);
}

}  // namespace psflip::cuda
