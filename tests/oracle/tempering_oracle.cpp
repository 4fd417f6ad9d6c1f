#include "tempering_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tempering_numbers.hpp"

namespace psflip::oracle {

namespace {

std::vector<std::uint64_t> sample_ids(const TemperingSystem& system) {
  std::vector<std::uint64_t> ids;
  for (const std::uint64_t pack : system.packs)
    for (std::uint64_t lane = 0; lane < 32; ++lane) ids.push_back(32 * pack + lane);
  for (std::uint64_t k = 0; system.packs.empty() && k < system.samples; ++k) ids.push_back(system.first_sample + k);
  return ids;
}

}  // namespace

TemperingOracle::TemperingOracle(const TemperingSystem& system)
    : system_(system), lattice_(system.L, 3), ferromagnet_(3 * lattice_.sites(), 1), sums_(empty_sums(system)) {
  if (system.model != Model::rfim3d || system.L < 4 || system.L % 2 != 0 || system.slots() < 2)
    throw std::invalid_argument("a system that the contract does not define");
  for (const std::uint64_t id : sample_ids(system)) {
    Sample sample{id, {}, {}};
    for (std::size_t site = 0; site < lattice_.sites(); ++site)
      sample.fields.push_back(static_cast<std::int8_t>(field(system, id, site, lattice_.parity(site))));
    for (int set = 0; set < tempering_sets; ++set) {
      for (int slot = 0; slot < static_cast<int>(system.slots()); ++slot) {
        Configuration c{{}, slot == 0 ? FlowLabel::from_cold : FlowLabel::none};
        for (std::size_t site = 0; site < lattice_.sites(); ++site)
          c.spins.push_back(static_cast<std::int8_t>(initial_spin(system, id, set, slot, site, lattice_.parity(site))));
        sample.at[set].push_back(c);
      }
    }
    samples_.push_back(sample);
  }
}

void TemperingOracle::advance(std::uint64_t rounds) {
  const int slots = static_cast<int>(system_.slots());
  for (std::uint64_t i = 0; i < rounds; ++i, ++rounds_) {
    for (std::size_t index = 0; index < samples_.size(); ++index) {
      const std::uint64_t first = 2 * rounds_ * system_.exchange_interval;
      for (int set = 0; set < tempering_sets; ++set) {
        for (int slot = 0; slot < slots; ++slot)
          for (std::uint64_t h = first; h < first + 2 * system_.exchange_interval; ++h)
            half_sweep(samples_[index], set, slot, h);
        exchange(index, set);
        count_round_trips(index, set);
      }
      const std::uint64_t sweeps = (rounds_ + 1) * system_.exchange_interval;
      if (system_.measure_interval != 0 && sweeps % system_.measure_interval != 0) continue;
      for (int slot = 0; slot < slots; ++slot) measure(index, slot);
    }
  }
}

void TemperingOracle::half_sweep(Sample& sample, int set, int slot, std::uint64_t half_sweep) const {
  Field& spins = sample.at[set][slot].spins;
  for (std::size_t site = 0; site < lattice_.sites(); ++site) {
    if (lattice_.parity(site) != static_cast<int>(half_sweep % 2)) continue;
    if (flips(sample, set, slot, site, half_sweep)) spins[site] = static_cast<std::int8_t>(-spins[site]);
  }
}

bool TemperingOracle::flips(const Sample& sample, int set, int slot, std::size_t site, std::uint64_t half_sweep) const {
  const Field& spins = sample.at[set][slot].spins;
  int n = 0;
  for (int direction = 0; direction < 3; ++direction) {
    n += spins[site] != spins[lattice_.forward(site, direction)];
    n += spins[site] != spins[lattice_.backward(site, direction)];
  }
  const int f = spins[site] * sample.fields[site] < 0 ? 1 : 0;
  const double energy_change = 4 * system_.J * (3 - n) + 2 * system_.h * (1 - 2 * f);
  if (energy_change <= 0) return true;
  const double threshold =
      std::min(std::floor(std::ldexp(std::exp(-system_.betas[slot] * energy_change), 32)), 4294967295.0);
  return metropolis_number(system_, sample.id, set, slot, site, half_sweep) < threshold;
}

std::int64_t TemperingOracle::bond_sum_of(const Field& spins) const { return bond_sum(lattice_, spins, ferromagnet_); }

void TemperingOracle::exchange(std::size_t index, int set) {
  Sample& sample = samples_[index];
  std::vector<Configuration>& at = sample.at[set];
  for (std::size_t k = rounds_ % 2; k + 1 < at.size(); k += 2) {
    const std::int64_t B = bond_sum_of(at[k + 1].spins) - bond_sum_of(at[k].spins);
    const std::int64_t F =
        sum_of(product_of(at[k + 1].spins, sample.fields)) - sum_of(product_of(at[k].spins, sample.fields));
    const int slot = static_cast<int>(k);
    if (exchange_number(system_, sample.id, set, slot, rounds_) >= exchange_threshold(system_, slot, B, F)) continue;
    std::swap(at[k], at[k + 1]);
    ++sums_.accepted[place(k, index, set)];
  }
}

void TemperingOracle::count_round_trips(std::size_t index, int set) {
  std::vector<Configuration>& at = samples_[index].at[set];
  if (at.back().flow_label == FlowLabel::from_cold) at.back().flow_label = FlowLabel::from_hot;
  if (at.front().flow_label == FlowLabel::from_hot) ++sums_.round_trips[index * tempering_sets + set];
  at.front().flow_label = FlowLabel::from_cold;
}

std::size_t TemperingOracle::place(std::size_t slot, std::size_t sample, std::size_t set) const {
  return (slot * samples_.size() + sample) * tempering_sets + set;
}

void TemperingOracle::measure(std::size_t index, int slot) {
  const Sample& sample = samples_[index];
  const std::size_t slots = system_.slots(), samples = samples_.size();
  const auto add_set = [&](int set, SetSum which, double value) {
    sums_.set[place(which * slots + slot, index, set)] += value;
  };
  const auto add_pair = [&](PairSum which, double value) {
    sums_.pair[(which * slots + slot) * samples + index] += value;
  };
  for (int set = 0; set < tempering_sets; ++set) {
    const Field& spins = sample.at[set][slot].spins;
    const double B = double(bond_sum_of(spins)), F = double(sum_of(product_of(spins, sample.fields)));
    const double M = double(sum_of(spins)), K = double(k2(lattice_, spins)), M2 = M * M, M4 = M2 * M2;
    const double values[set_sums] = {B,  F, B * B,  B * F,  F * F, M,      std::abs(M), M2,
                                     M4, K, B * M2, B * M4, B * K, F * M2, F * M4,      F * K};
    for (int which = 0; which < set_sums; ++which) add_set(set, static_cast<SetSum>(which), values[which]);
  }
  const Field &a = sample.at[0][slot].spins, &b = sample.at[1][slot].spins;
  const double Q = double(sum_of(product_of(a, b))), Q2 = Q * Q;
  add_pair(sum_Q, Q);
  add_pair(sum_Q2, Q2);
  add_pair(sum_Q4, Q2 * Q2);
  add_pair(sum_M_M, double(sum_of(a)) * double(sum_of(b)));
  add_pair(sum_MK_MK, double(k2_product(lattice_, a, b)));
}

PackedSigns TemperingOracle::packed_spins(std::size_t slot) const {
  std::vector<std::int8_t> all;
  for (const Sample& sample : samples_)
    for (const auto& set : sample.at) all.insert(all.end(), set[slot].spins.begin(), set[slot].spins.end());
  return pack_signs(all, lattice_.sites());
}

std::vector<FlowLabel> TemperingOracle::flow_labels() const {
  std::vector<FlowLabel> all;
  for (std::size_t slot = 0; slot < system_.slots(); ++slot)
    for (const Sample& sample : samples_)
      for (const auto& set : sample.at) all.push_back(set[slot].flow_label);
  return all;
}

std::vector<std::int8_t> TemperingOracle::fields() const {
  std::vector<std::int8_t> all;
  for (const Sample& sample : samples_) all.insert(all.end(), sample.fields.begin(), sample.fields.end());
  return all;
}

void TemperingOracle::restore_spins(std::size_t slot, const PackedSigns& packed) {
  const std::vector<std::int8_t> spins = unpack_signs(packed);
  auto next = spins.begin();
  for (Sample& sample : samples_) {
    for (auto& set : sample.at) {
      std::copy_n(next, lattice_.sites(), set[slot].spins.begin());
      next += static_cast<std::ptrdiff_t>(lattice_.sites());
    }
  }
}

void TemperingOracle::restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) {
  rounds_ = rounds;
  sums_ = sums;
  auto next = flow_labels.begin();
  for (std::size_t slot = 0; slot < system_.slots(); ++slot)
    for (Sample& sample : samples_)
      for (auto& set : sample.at) set[slot].flow_label = *next++;
}

}  // namespace psflip::oracle
