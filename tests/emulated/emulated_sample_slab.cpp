#include "emulated_slabs.hpp"
#include "engine/cuda/measure/reduce_kernel.cuh"
#include "engine/cuda/sweep/half_sweep/slab_row_kernel.cuh"
#include "engine/cuda/sweep/half_sweep/slab_z_sweep_kernel.cuh"
#include "engine/cuda/update/start_samples.cuh"
#include "engine/driver/tables.hpp"

namespace psflip::cuda {
namespace {

/// Calls f with an integral constant G, 1 to 4.
template <class F>
void with_group(std::uint32_t G, F f) {
  if (G == 1) f(std::integral_constant<int, 1>{});
  if (G == 2) f(std::integral_constant<int, 2>{});
  if (G == 3) f(std::integral_constant<int, 3>{});
  if (G == 4) f(std::integral_constant<int, 4>{});
}

template <int D>
class EmulatedSampleSlab final : public EmulatedSlab {
 public:
  EmulatedSampleSlab(const System& system, const Planes& planes)
      : system_(system),
        planes_(planes),
        domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, planes),
        layout_{domain_.L, domain_.stored_per_parity(), static_cast<std::uint32_t>(system.replicas),
                system.first_sample / 32},
        packs_(static_cast<std::uint32_t>((system.first_sample + system.samples + 31) / 32 - layout_.first_pack)),
        spins_(std::size_t{2} * packs_ * layout_.sites * layout_.replicas),
        couplings_(std::size_t{2} * D * packs_ * layout_.sites) {
    const Addresses address{domain_.plane(0) * plane(), domain_.lattice().sites_per_parity()};
    const emulated::Index grid{blocks_for(layout_.sites, 256), packs_};
    launch(grid, 256,
           [&] { fill_spins_kernel(spins_.data(), layout_, address, trajectory_key(system, Stream::initial_spins)); });
    if (D == 3 && system.couplings == Couplings::bimodal)
      launch(grid, 256, [&] {
        fill_couplings_kernel<D>(couplings_.data(), layout_, address, disorder_key(system, Stream::couplings));
      });
  }

  PlaneMemory memory() override { return {spins_.data(), packs_, layout_.replicas, planes_.count, plane()}; }
  void update_boundary(std::uint32_t h) override { update(h, PlaneSegments::boundary(planes_.count)); }
  void update_interior(std::uint32_t h) override { update(h, PlaneSegments::interior(planes_.count, slab_segment)); }

  DomainObservation observe() override {
    const Traversals<D> traversals(layout_.L, planes_);
    const CountRows rows{layout_.L, D, layout_.replicas, D == 3 ? static_cast<std::uint32_t>(system_.pairs()) : 1};
    const FourierTable table = make_fourier_table(system_.L);
    std::vector<int> counts(std::size_t{packs_} * rows.count() * 32);
    const std::uint32_t warps = std::min(8u, std::max(rows.fields, rows.replicas));
    const std::uint32_t warp_traversals =
        traversals.last().warp_traversals() +
        (rows.fields > 0 ? traversals.first.warp_traversals() + traversals.second.warp_traversals() : 0);
    launch(
        {warp_traversals, packs_}, 32 * warps,
        [&] {
          count_kernel<D>(spins_.data() + plane(), couplings_.data() + plane(), layout_, traversals, 0, rows,
                          counts.data());
        },
        warps);
    DomainObservation o;
    o.sums.bond_sum.resize(system_.samples * rows.replicas);
    o.sums.magnetization.resize(system_.samples * rows.replicas);
    o.sums.overlap.resize(D == 3 ? system_.samples * rows.fields : 0);
    o.components.resize(system_.samples * rows.fields * 2 * D);
    const Measured out{o.sums.bond_sum.data(), o.sums.magnetization.data(), o.sums.overlap.data(), nullptr,
                       o.components.data(),    system_.first_sample,        system_.samples};
    launch(
        {packs_, rows.fields + 1}, 256,
        [&] {
          reduce_kernel<D>(counts.data(), rows, planes_, layout_.first_pack, table.cosine.data(), table.sine.data(),
                           out);
        },
        8);
    return o;
  }

  int spin(std::uint64_t sample, std::uint32_t replica, std::uint32_t x, std::uint32_t y,
           std::uint32_t own_plane) const override {
    const std::uint64_t lane = system_.first_sample % 32 + sample, pack = lane / 32;
    const std::uint32_t L = layout_.L, parity = (x + (D == 3 ? y : 0) + planes_.first + own_plane) & 1u;
    const std::size_t index = (own_plane + 1) * plane() + (D == 3 ? y : 0) * (L / 2) + x / 2;
    const std::uint32_t word = spins_[((2 * pack + parity) * layout_.replicas + replica) * layout_.sites + index];
    return 1 - 2 * static_cast<int>((word >> (lane % 32)) & 1u);
  }

 private:
  std::uint32_t plane() const { return domain_.sites_in_plane() / 2; }

  void update(std::uint32_t h, const PlaneSegments& segments) {
    if (segments.count == 0) return;
    const Thresholds thresholds = make_thresholds(system_.beta, D);
    for (std::uint32_t first = 0; first < layout_.replicas; first += 4)
      with_group(std::min(4u, layout_.replicas - first), [&](auto group) {
        constexpr int G = decltype(group)::value;
        if constexpr (D == 2) {
          if constexpr (G == 1) update_rows(h, segments, IndependentDecision<1, 2>(thresholds));
        } else if (system_.random == Random::shared) {
          update_planes(h, segments, first, SharedDecision<G>{thresholds});
        } else if (plane() % 32 == 0 && leading_planes(thresholds, 3) >= 3) {
          update_planes(h, segments, first, IndependentDecision<G, 3, 3>(thresholds).queued());
        } else {
          update_planes(h, segments, first, IndependentDecision<G, 3>(thresholds));
        }
      });
  }
  template <class Decision>
  void update_planes(std::uint32_t h, const PlaneSegments& segments, std::uint32_t first, const Decision& decide) {
    const KeySchedule keys(trajectory_key(system_, Stream::metropolis));
    launch({blocks_for(plane(), z_sweep_threads), segments.count, packs_}, z_sweep_threads, [&] {
      slab_z_sweep_kernel<0, Decision>(spins_.data(), couplings_.data(), layout_, planes_, segments, keys, h, first,
                                       decide);
    });
  }
  template <class Decision>
  void update_rows(std::uint32_t h, const PlaneSegments& segments, const Decision& decide) {
    const KeySchedule keys(trajectory_key(system_, Stream::metropolis));
    if constexpr (D == 2)
      launch({blocks_for(std::size_t{segments.length} * plane(), 256), segments.count, packs_}, 256,
             [&] { row_slab_kernel(spins_.data(), layout_, domain_, segments, keys, h, decide); });
  }

  System system_;
  Planes planes_;
  Domain<D> domain_;
  Layout layout_;
  std::uint32_t packs_;
  Words32 spins_, couplings_;
};

}  // namespace

std::unique_ptr<EmulatedSlab> emulated_sample_slab(const System& system, const Planes& planes) {
  if (system.dimension() == 3) return std::make_unique<EmulatedSampleSlab<3>>(system, planes);
  return std::make_unique<EmulatedSampleSlab<2>>(system, planes);
}

}  // namespace psflip::cuda
