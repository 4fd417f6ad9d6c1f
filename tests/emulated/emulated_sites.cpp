#include <algorithm>
#include <stdexcept>

#include "emulated_lattices.hpp"
#include "engine/core/interleave.hpp"
#include "engine/cuda/measure/site_slab_sums.cuh"
#include "engine/cuda/sweep/half_sweep/site_kernel.cuh"
#include "engine/cuda/update/slab_memory.hpp"
#include "engine/cuda/update/start_sites.cuh"
#include "engine/models/tables.hpp"

namespace psflip::cuda {
namespace {

class EmulatedSites final : public EmulatedLattices {
 public:
  EmulatedSites(const System& system, const Planes& rows, std::uint32_t ghosts)
      : system_(system),
        domain_(Lattice<2>{static_cast<std::uint32_t>(system.L)}, rows, ghosts),
        layout_(with_rows(4)),
        samples_(static_cast<std::uint32_t>(system.samples)),
        spins_(2 * (std::size_t{layout_.words()} * samples_ + layout_.words_in_row())) {
    const std::uint32_t blocks = blocks_for(layout_.words(), 256);
    launch({blocks * samples_}, 256,
           [&] { fill_sites_kernel(spins(), layout_, trajectory_key(system, Stream::initial_spins), blocks); });
    spoil_unused_words();
  }

  PlaneMemory memory() override { return site_memory(spins(), layout_, samples_); }

  void update_all(std::uint32_t h) override { update_all_in_shared_memory(h, 1); }
  void update_all_in_shared_memory(std::uint32_t first, std::uint32_t count) override {
    run<true>(first, count, 0, decision());
  }
  void update_slab(std::uint32_t first, std::uint32_t count, bool) override {
    const std::uint32_t W = layout_.words_in_row();
    run<false>(first, count, first % domain_.ghosts,
               SlabDecision<SiteDecision<2>>{decision(), layout_.L * W, layout_.first * W});
  }

  Observation observe() override {
    const std::size_t L = layout_.L, W = layout_.words_in_row();
    const FourierTable table = make_fourier_table(system_.L);
    std::vector<int2> row(L), column(L);
    for (std::size_t x = 0; x < L; ++x) {
      row[x] = {table.cosine[x], table.sine[x]};
      column[x % 64 * W + x / 64] = row[x];
    }
    const SiteLayout layout = with_rows(16);
    const std::uint32_t blocks = blocks_for(blocks_for(domain_.planes, layout.rows) * W, counting_threads);
    std::vector<SiteSums> sums(samples_, SiteSums{});
    launch({blocks * samples_}, counting_threads, [&] {
      slab_sums_kernel(spins(), layout, {row.data(), column.data()}, blocks, sums.data());
    });
    Observation o;
    for (const SiteSums& minus : sums) {
      std::int64_t re = 0, im = 0;
      for (std::uint32_t y = domain_.first; y < domain_.first + domain_.planes; ++y) {
        re += table.cosine[y];
        im += table.sine[y];
      }
      const auto l = static_cast<std::int64_t>(L);
      o[Integer::bond_sum].push_back(2 * l * domain_.planes - 2 * minus.unsatisfied);
      o[Integer::magnetization].push_back(l * domain_.planes - 2 * minus.minus);
      auto& components = o[Integer::magnetization_k2];
      components.insert(components.end(),
                        {-2 * minus.re[0], -2 * minus.im[0], l * re - 2 * minus.re[1], l * im - 2 * minus.im[1]});
    }
    return o;
  }

  int spin(std::uint64_t sample, std::uint32_t, std::uint32_t x, std::uint32_t, std::uint32_t own_row) const override {
    const std::uint32_t parity = (x + domain_.first + own_row) & 1u;
    const std::uint32_t word =
        spins()[(2 * sample + parity) * layout_.words() + (own_row + domain_.ghosts) * layout_.words_in_row() + x / 64];
    return 1 - 2 * static_cast<int>((word >> (x / 2 % 32)) & 1u);
  }

 private:
  std::uint32_t* spins() const { return spins_.data() + layout_.words_in_row(); }
  SiteLayout with_rows(std::uint32_t rows) const {
    SiteLayout layout = site_layout(domain_, rows, system_.first_sample);
    if (domain_.ghosts == 0) layout.stored += rows_after_lattice;
    return layout;
  }
  SiteDecision<2> decision() const {
    return SiteDecision<2>(trajectory_key(system_, Stream::metropolis), make_thresholds(system_.betas[0], 2));
  }

  /// Words that hold no row of the lattice, or a copy that is not up to date: no result may depend on them.
  void spoil_unused_words() {
    constexpr std::uint32_t bits = 0x5ac3965a;
    const std::size_t W = layout_.words_in_row(), used = std::size_t{layout_.own + 2 * layout_.ghosts} * W;
    std::fill_n(spins_.begin(), W, bits);
    std::fill_n(spins_.end() - static_cast<std::ptrdiff_t>(W), W, bits);
    for (std::size_t parity = 0; parity < 2 * samples_; ++parity)
      std::fill_n(spins() + parity * layout_.words() + used, layout_.words() - used, bits);
  }

  /// As start_half_sweeps() does.
  void copy_first_rows() {
    const std::size_t row = layout_.words_in_row();
    for (std::size_t parity = 0; parity < 2 * samples_; ++parity) {
      std::uint32_t* words = spins() + parity * layout_.words();
      std::copy_n(words, row, words + layout_.L * row);
    }
  }

  /// Three thread blocks at the same time: some wait for others, and a block takes several tiles. L = 128 is a size
  /// known at compile time.
  template <bool CLOSED, class Decision>
  void run(std::uint32_t first, std::uint32_t count, std::uint32_t before, const Decision& decide) {
    const std::uint32_t tiles = blocks_for(SlabRows::groups(layout_) * layout_.words_in_row(), site_threads);
    Words32 done(samples_ * tiles);
    std::uint32_t taken = 0;
    if (CLOSED) copy_first_rows();
    const auto kernel =
        layout_.L == 128 ? site_sweeps_kernel<128, CLOSED, Decision> : site_sweeps_kernel<0, CLOSED, Decision>;
    emulated::run({3, site_threads, site_queue_bytes(layout_.rows) / 4}, next_seed(), [&] {
      kernel(spins(), layout_, {first, count, before, samples_, tiles}, {&taken, done.data()}, decide);
    });
  }

  System system_;
  Domain<2> domain_;
  SiteLayout layout_;
  std::uint32_t samples_;
  mutable Words32 spins_;  ///< with a row before and after them
};

}  // namespace

std::unique_ptr<EmulatedLattices> emulated_sites(const System& system, const Planes& rows, std::uint32_t ghosts) {
  return std::make_unique<EmulatedSites>(system, rows, ghosts);
}

}  // namespace psflip::cuda
