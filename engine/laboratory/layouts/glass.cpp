#include "engine/laboratory/layouts/glass.hpp"

#include "engine/laboratory/layouts/sliced_part.hpp"
#include "engine/random/acceptance_threshold.hpp"

namespace psflip::laboratory {

namespace {

std::uint32_t disorder_tag(const System& system) {
  return system_tag(static_cast<std::uint32_t>(system.model), static_cast<std::uint32_t>(system.L), 0);
}
std::uint32_t trajectory_tag(const System& system) {
  return system_tag(static_cast<std::uint32_t>(system.model), static_cast<std::uint32_t>(system.L),
                    std::bit_cast<std::uint64_t>(system.betas[0]));
}

/// Parity and compact index of each site are those of x + L (y + L z).
std::uint32_t parity_of(std::uint32_t site, std::uint32_t L) { return (site + site / L + site / (L * L)) % 2; }

}  // namespace

System glass_system(int L, double beta, std::uint32_t packs, std::uint32_t seed) {
  System system;
  system.L = L;
  system.betas = {beta};
  system.samples = std::uint64_t{32} * packs;
  system.replicas = glass_replicas;
  system.seed = seed;
  system.random = Random::shared;
  system.couplings = Couplings::bimodal;
  system.round.half_sweeps = 1;
  return system;
}

Thresholds glass_thresholds(double beta, std::uint32_t most) {
  Thresholds thresholds{};
  for (int n = 0; n < 3; ++n) {
    const std::uint64_t of_32_bits = acceptance_threshold(beta * (4.0 * (3 - n)));
    thresholds.by_unsatisfied[n] = static_cast<std::uint32_t>((of_32_bits * (std::uint64_t{most} + 1)) >> 32);
  }
  return thresholds;
}

AddressedNumbers metropolis_numbers(const System& system, std::uint32_t half_sweep) {
  return {make_key(system.seed, Stream::metropolis, trajectory_tag(system)), half_sweep, 0};
}

template <class Layout>
Glass<Layout>::Glass(const System& system, const Layout& layout)
    : layout_(layout),
      L_(static_cast<std::uint32_t>(system.L)),
      packs_(static_cast<std::uint32_t>(system.samples / 32)),
      sites_(layout.sites()),
      couplings_(6 * packs_ * sites_) {
  draw_disorder(system);
  draw_spins(system);
}

template <class Layout>
void Glass<Layout>::draw_disorder(const System& system) {
  const Key key = make_key(system.seed, Stream::couplings, disorder_tag(system));
  for_each_site([&](std::uint32_t pack, std::uint32_t index) {
    const Six six = layout_.template neighbours<0>(index);
    const auto own = numbers_at(key, layout_.template compact<0>(index), 0, pack, 0, 0);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const auto behind = numbers_at(key, layout_.template compact<1>(six.of[2 * axis + 1]), 1, pack, 0, 0);
      couplings_[(std::size_t{2 * axis} * packs_ + pack) * sites_ + index] = own.x[axis];
      couplings_[(std::size_t{2 * axis + 1} * packs_ + pack) * sites_ + index] = behind.x[axis];
    }
  });
}

template <class Layout>
void Glass<Layout>::draw_spins(const System& system) {
  const Key key = make_key(system.seed, Stream::initial_spins, trajectory_tag(system));
  for (std::uint32_t parity : {0u, 1u}) {
    spins_[parity].resize(std::size_t{packs_} * glass_replicas * sites_);
    for_each_site([&](std::uint32_t pack, std::uint32_t index) {
      const std::uint32_t compact =
          parity == 0 ? layout_.template compact<0>(index) : layout_.template compact<1>(index);
      const auto words = numbers_at(key, compact, parity, pack, 0, 0);
      for (std::uint32_t replica = 0; replica < glass_replicas; ++replica)
        view().spins_of(static_cast<int>(parity), pack, replica)[index] = words.x[replica];
    });
  }
}

template <class Layout>
std::vector<std::int8_t> Glass<Layout>::spins() const requires(!PartOfLattice<Layout>) {
  std::vector<std::uint32_t> index_of[2] = {std::vector<std::uint32_t>(sites_), std::vector<std::uint32_t>(sites_)};
  for (std::uint32_t index = 0; index < sites_; ++index) {
    index_of[0][layout_.template compact<0>(index)] = index;
    index_of[1][layout_.template compact<1>(index)] = index;
  }
  std::vector<std::int8_t> all;
  all.reserve(std::size_t{packs_} * 32 * glass_replicas * 2 * sites_);
  for (std::uint32_t sample = 0; sample < 32 * packs_; ++sample) {
    for (std::uint32_t replica = 0; replica < glass_replicas; ++replica) {
      const std::size_t row = (std::size_t{sample / 32} * glass_replicas + replica) * sites_;
      for (std::uint32_t site = 0; site < 2 * sites_; ++site) {
        const std::uint32_t parity = parity_of(site, L_);
        const std::uint32_t word = spins_[parity][row + index_of[parity][site / 2]];
        all.push_back((word >> (sample % 32)) & 1u ? -1 : 1);
      }
    }
  }
  return all;
}

template class Glass<Sliced>;
template class Glass<Standard>;
template class Glass<Bitwise>;
template class Glass<SlicedPart>;

}  // namespace psflip::laboratory
