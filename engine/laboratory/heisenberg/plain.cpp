#include "engine/laboratory/heisenberg/plain.hpp"

namespace psflip::laboratory {

using PlainMath = Polynomial<double>;

PlainHeisenberg::PlainHeisenberg(const HeisenbergPlan& plan)
    : plan_(plan), key_(heisenberg_key(plan.seed, Stream::metropolis, plan.L, plan.beta)) {
  const Key key = heisenberg_key(plan.seed, Stream::initial_spins, plan.L, plan.beta);
  const auto sites = static_cast<std::uint32_t>(plan.L) * static_cast<std::uint32_t>(plan.L);
  for (std::uint32_t site = 0; site < sites; ++site) spins_.push_back(start_of_site<PlainMath>(key, site));
}

Vector3<double>& PlainHeisenberg::at(int x, int y) {
  const int L = plan_.L;
  return spins_[static_cast<std::size_t>((x + L) % L) +
                static_cast<std::size_t>(L) * static_cast<std::size_t>((y + L) % L)];
}

void PlainHeisenberg::visit(int x, int y, std::uint32_t number) {
  const Vector3<double>&west = at(x - 1, y), &east = at(x + 1, y), &north = at(x, y - 1), &south = at(x, y + 1);
  const Vector3<double> field = {(west.x + east.x) + (north.x + south.x), (west.y + east.y) + (north.y + south.y),
                                 (west.z + east.z) + (north.z + south.z)};
  const auto site = static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(plan_.L) * static_cast<std::uint32_t>(y);
  const Four<std::uint32_t> numbers = numbers_of_visit(key_, site, number);
  const SiteRule<double> rule{plan_.beta, plan_.cap};
  if (plan_.has_cone())
    try_spin<PlainMath, true>(at(x, y), field, numbers, rule);
  else
    try_spin<PlainMath, false>(at(x, y), field, numbers, rule);
}

void PlainHeisenberg::sweep() {
  for (int y = 0; y < plan_.L; ++y)
    for (int x = 0; x < plan_.L; ++x) visit(x, y, visits_);
  ++visits_;
}

void PlainHeisenberg::visit_tile(int x, int y, std::uint32_t number) {
  for (const int parity : {0, 1})
    for (int row = y; row < y + plan_.tile; ++row)
      for (int column = x; column < x + plan_.tile; ++column)
        if ((row + column) % 2 == parity) visit(column, row, number);
}

void PlainHeisenberg::advance(std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round, visits_ += static_cast<std::uint32_t>(plan_.hits))
    for (const int parity : {0, 1})
      for (int y = 0; y < plan_.L; y += plan_.tile)
        for (int x = 0; x < plan_.L; x += plan_.tile)
          for (int hit = 0; (x / plan_.tile + y / plan_.tile) % 2 == parity && hit < plan_.hits; ++hit)
            visit_tile(x, y, visits_ + static_cast<std::uint32_t>(hit));
}

std::vector<double> PlainHeisenberg::spins() const {
  std::vector<double> all;
  for (const Vector3<double>& spin : spins_) all.insert(all.end(), {spin.x, spin.y, spin.z});
  return all;
}

double PlainHeisenberg::energy() const {
  double sum = 0;
  const auto L = static_cast<std::size_t>(plan_.L);
  for (std::size_t site = 0; site < spins_.size(); ++site) {
    const std::size_t row = site / L * L;
    sum -= dot(spins_[site], spins_[row + (site + 1) % L]) + dot(spins_[site], spins_[(site + L) % spins_.size()]);
  }
  return sum;
}

}  // namespace psflip::laboratory
