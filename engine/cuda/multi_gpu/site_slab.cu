#include <bit>

#include "engine/cuda/measure/site_rows.cuh"
#include "engine/cuda/measure/site_slab_sums.cuh"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/slab_engine.cuh"
#include "engine/cuda/sweep/half_sweep/site_slab_kernels.cuh"

namespace psflip::cuda {

namespace {

/// Some rows of square lattices with packed sites. See SlabEngine.
class SiteSlab {
 public:
  SiteSlab(const System& system, const Planes& planes);

  PlaneMemory memory() { return {spins_.data(), samples_, 1, domain_.planes, layout_.words_in_row()}; }
  void update_boundary(std::uint64_t half_sweep, cudaStream_t stream);
  void update_interior(std::uint64_t half_sweep, cudaStream_t stream);
  DomainObservation observe() const;
  PackedSigns packed_spins() const;
  PackedSigns packed_couplings() const { return {}; }
  void restore(const PackedSigns& spins);

 private:
  static constexpr unsigned singles_threads = 128;

  SiteLayout with_rows(std::uint32_t rows) const {
    return {domain_.L, rows, system_.first_sample, domain_.stored_planes(), domain_.plane(0)};
  }
  std::uint32_t rows_of_word_column(std::uint32_t largest) const;
  template <class F>
  void with_decision(F f) const;

  System system_;
  Domain<2> domain_;
  std::uint32_t samples_;
  SiteLayout layout_;  ///< `rows` as the updates use it
  SlabRows rows_;
  Thresholds thresholds_;
  DeviceArray<std::uint32_t> spins_;
  SiteFourier fourier_;
  mutable DeviceArray<SiteSums> sums_;  ///< of a measurement
  PinnedArray<SiteSums> sums_on_host_;
};

SiteSlab::SiteSlab(const System& system, const Planes& planes)
    : system_(system),
      domain_(Lattice<2>{static_cast<std::uint32_t>(system.L)}, planes),
      samples_(static_cast<std::uint32_t>(system.samples)),
      layout_(with_rows(rows_of_word_column(longest_word_column))),
      rows_(layout_),
      thresholds_(make_thresholds(system.beta, 2)),
      spins_(std::size_t{2} * layout_.words() * system.samples),
      fourier_(system.L),
      sums_(system.samples),
      sums_on_host_(system.samples) {
  if (system.start == Start::random) {
    const unsigned blocks = blocks_for(layout_.words(), 256);
    fill_sites_kernel<<<blocks * samples_, 256>>>(spins_.data(), layout_, trajectory_key(system, Stream::initial_spins),
                                                  blocks);
    check(cudaGetLastError(), "start");
  } else {
    check(cudaMemset(spins_.data(), 0, spins_.size() * sizeof(std::uint32_t)), "clear spins");
  }
}

/// Rows of a word column: the most, up to `largest`, for which there are enough threads to occupy the GPU.
std::uint32_t SiteSlab::rows_of_word_column(std::uint32_t largest) const {
  const std::size_t threads = std::size_t{1024} * static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  const std::size_t words = std::size_t{samples_} * domain_.planes * (domain_.L / 64);
  std::uint32_t rows = largest;
  while (rows > 2 && words / rows < threads) rows /= 2;
  return rows;
}

/// Calls f with the decision for the temperature.
template <class F>
void SiteSlab::with_decision(F f) const {
  const Key key = trajectory_key(system_, Stream::metropolis);
  const int leading = std::countl_zero(thresholds_.by_unsatisfied[0] | thresholds_.by_unsatisfied[1]);
  if (leading >= 4)
    f(SiteDecision<4>(key, thresholds_));
  else if (leading >= 2)
    f(SiteDecision<2>(key, thresholds_));
  else
    f(SiteDecision<0>(key, thresholds_));
  check(cudaGetLastError(), "half sweep");
}

void SiteSlab::update_boundary(std::uint64_t half_sweep, cudaStream_t stream) {
  const unsigned blocks = blocks_for(std::size_t{rows_.singles()} * rows_.words, singles_threads);
  with_decision([&](const auto& decide) {
    single_rows_kernel<<<blocks * samples_, singles_threads, 0, stream>>>(
        spins_.data(), layout_, static_cast<std::uint32_t>(half_sweep), blocks, decide);
  });
}

void SiteSlab::update_interior(std::uint64_t half_sweep, cudaStream_t stream) {
  if (rows_.paired() == 0) return;
  const std::uint32_t row_groups = (rows_.paired() + layout_.rows - 1) / layout_.rows;
  const unsigned blocks = blocks_for(std::size_t{row_groups} * rows_.words, site_threads);
  const std::size_t bytes = std::size_t{site_threads} * layout_.rows / 2 * sizeof(Undecided);
  const bool shift = ((rows_.y(2) + half_sweep) & 1u) != 0;
  with_decision([&](const auto& decide) {
    using Decision = std::decay_t<decltype(decide)>;
    const auto kernel = shift ? paired_rows_kernel<1, Decision> : paired_rows_kernel<0, Decision>;
    kernel<<<blocks * samples_, site_threads, bytes, stream>>>(spins_.data(), layout_,
                                                               static_cast<std::uint32_t>(half_sweep), blocks, decide);
  });
}

DomainObservation SiteSlab::observe() const {
  const SiteLayout layout = with_rows(rows_of_word_column(longest_counted_column));
  const std::size_t word_columns = std::size_t{(rows_.count + layout.rows - 1) / layout.rows} * rows_.words;
  const unsigned threads = std::min(counting_threads, blocks_for(word_columns, 32) * 32),
                 blocks = blocks_for(word_columns, threads);
  check(cudaMemset(sums_.data(), 0, samples_ * sizeof(SiteSums)), "measurement");
  slab_sums_kernel<<<blocks * samples_, threads>>>(spins_.data(), layout, fourier_.tables(), blocks, sums_.data());
  check(cudaGetLastError(), "measurement");
  check(cudaMemcpy(sums_on_host_.data(), sums_.data(), samples_ * sizeof(SiteSums), cudaMemcpyDeviceToHost),
        "measurement");
  const auto L = static_cast<std::int64_t>(domain_.L), N = L * domain_.planes;
  std::int64_t cosines = 0, sines = 0;  // of the rows; those of all columns add up to zero
  for (std::size_t y = domain_.first; y < domain_.first + domain_.planes; ++y) {
    cosines += fourier_.on_host().cosine[y];
    sines += fourier_.on_host().sine[y];
  }
  DomainObservation o;
  for (std::uint32_t k = 0; k < samples_; ++k) {
    const SiteSums& minus = sums_on_host_.data()[k];
    o.sums.bond_sum.push_back(2 * N - 2 * minus.unsatisfied);
    o.sums.magnetization.push_back(N - 2 * minus.minus);
    o.components.insert(o.components.end(), {-2 * minus.re[0], -2 * minus.im[0], L * cosines - 2 * minus.re[1],
                                             L * sines - 2 * minus.im[1]});
  }
  return o;
}

PackedSigns SiteSlab::packed_spins() const {
  const PackedSigns stored = rows_of_sites(spins_.data(), layout_, samples_);
  PackedSigns own(samples_, domain_.sites());
  for (std::size_t k = 0; k < samples_; ++k)
    std::copy_n(stored.row(k) + domain_.L / 32, own.words_in_row(), own.row(k));  // after the ghost
  return own;
}

void SiteSlab::restore(const PackedSigns& spins) {
  PackedSigns stored(samples_, std::size_t{domain_.stored_planes()} * domain_.L);
  for (std::size_t k = 0; k < samples_; ++k) copy_stored_planes(spins.row(k), domain_, stored.row(k));
  sites_of_rows(stored, layout_, samples_, spins_.data());
}

}  // namespace

std::unique_ptr<DomainEngine> make_site_slab(const System& system, const Planes& planes) {
  return std::make_unique<SlabEngine<SiteSlab>>(system, planes);
}

}  // namespace psflip::cuda
