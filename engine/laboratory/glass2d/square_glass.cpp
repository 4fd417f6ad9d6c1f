#include "engine/laboratory/glass2d/square_glass.hpp"

#include "engine/models/tables.hpp"

namespace psflip::laboratory {

namespace {

/// The element of a group from the words of its packs; word(pack) has a bit for each of 32 realizations.
template <class E, class Word>
E element_of(std::size_t group, Word word) {
  const std::uint64_t pack = GlassStorage<E>::pack_of(group);
  if constexpr (sizeof(E) == 1) return static_cast<E>((word(pack) >> (group % 32)) & 1u ? -1 : 1);
  if constexpr (sizeof(E) == 4) return word(pack);
  if constexpr (sizeof(E) == 8) return std::uint64_t{word(pack + 1)} << 32 | word(pack);
}

/// One realization of an element.
template <class E>
std::int8_t sign_of(E element, std::uint32_t lane) {
  if constexpr (sizeof(E) == 1) return element;
  return (element >> lane) & 1u ? -1 : 1;
}

}  // namespace

System square_glass_system(int L, double beta, std::uint64_t realizations, int replicas, std::uint32_t seed) {
  System system;
  system.model = Model::ea2d;
  system.L = L;
  system.betas = {beta};
  system.samples = realizations;
  system.replicas = replicas;
  system.seed = seed;
  system.random = Random::shared;
  system.couplings = Couplings::bimodal;
  system.round.half_sweeps = 2;
  return system;
}

Thresholds square_glass_thresholds(double beta, std::uint32_t most) {
  Thresholds thresholds = make_thresholds(beta, 2);
  for (std::uint32_t& threshold : thresholds.by_unsatisfied)
    threshold = static_cast<std::uint32_t>((threshold * (std::uint64_t{most} + 1)) >> 32);
  return thresholds;
}

AddressedGlassNumbers glass_numbers(const System& system, std::uint32_t half_sweep, std::uint64_t pack) {
  return {trajectory_key(system, Stream::metropolis), half_sweep, pack};
}

std::vector<std::string> glass_generators() {
  std::vector<std::string> names;
  for_each_glass_generator([&]<class G>() { names.emplace_back(G::name); });
  return names;
}

template <class E>
SquareGlass<E>::SquareGlass(const System& system)
    : L_(static_cast<std::uint32_t>(system.L)),
      groups_(system.samples / GlassStorage<E>::realizations),
      sites_(system.sites()) {
  const Key of_couplings = disorder_key(system, Stream::couplings);
  const Key of_spins = trajectory_key(system, Stream::initial_spins);
  const auto half = static_cast<std::uint32_t>(sites_ / 2);
  spins_.reserve(groups_ * sites_);
  couplings_.reserve(groups_ * 2 * sites_);
  // [parity][compact index] of one group
  const auto append = [&](std::vector<E>& elements, const Key& key, std::size_t group, std::uint32_t component) {
    for (const std::uint32_t parity : {0u, 1u})
      for (std::uint32_t compact = 0; compact < half; ++compact)
        elements.push_back(element_of<E>(
            group, [&](std::uint64_t pack) { return numbers_at(key, compact, parity, pack, 0, 0).x[component]; }));
  };
  for (std::size_t group = 0; group < groups_; ++group) {
    append(spins_, of_spins, group, 0);
    for (const std::uint32_t direction : {0u, 1u}) append(couplings_, of_couplings, group, direction);
  }
}

template <class E>
std::vector<std::int8_t> SquareGlass<E>::spins() const {
  std::vector<std::int8_t> all;
  all.reserve(groups_ * GlassStorage<E>::realizations * sites_);
  for (std::size_t group = 0; group < groups_; ++group)
    for (std::uint32_t lane = 0; lane < GlassStorage<E>::realizations; ++lane)
      for (std::uint32_t site = 0; site < sites_; ++site) {
        const std::uint32_t parity = (site + site / L_) % 2;
        all.push_back(sign_of(spins_[group * sites_ + parity * (sites_ / 2) + site / 2], lane));
      }
  return all;
}

template class SquareGlass<std::int8_t>;
template class SquareGlass<std::uint32_t>;
template class SquareGlass<std::uint64_t>;

}  // namespace psflip::laboratory
