#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "defined.hpp"
#include "exchange.hpp"
#include "sums.hpp"

namespace psflip::oracle {
namespace {

std::vector<std::uint64_t> sample_ids(const System& system) {
  std::vector<std::uint64_t> ids;
  for (const std::uint64_t pack : system.packs)
    for (std::uint64_t lane = 0; lane < 32; ++lane) ids.push_back(32 * pack + lane);
  for (std::uint64_t k = 0; system.packs.empty() && k < system.samples; ++k) ids.push_back(system.first_sample + k);
  return ids;
}

}  // namespace

Oracle::Oracle(const System& system)
    : Engine(system), system_(defined(system)), lattice_(system.L, system.dimension()), numbers_(system) {
  clear_sums();
  for (const std::uint64_t id : sample_ids(system)) samples_.push_back(make_sample(id));
}

Oracle::Sample Oracle::make_sample(std::uint64_t id) const {
  Sample sample{id, {}, {}, {}};
  const auto sites = static_cast<std::uint64_t>(lattice_.sites());
  for (unsigned direction = 0; direction < static_cast<unsigned>(lattice_.dimension()); ++direction) {
    for (std::uint64_t site = 0; site < sites; ++site) {
      const bool is_random = system_.couplings == Couplings::bimodal;
      sample.couplings.push_back(static_cast<std::int8_t>(is_random ? numbers_.coupling(id, site, direction) : +1));
    }
  }
  const bool is_random = system_.preset().has_random_field();
  for (std::uint64_t site = 0; site < sites; ++site) {
    const int value = is_random ? numbers_.field(id, site) : system_.has_field() ? 1 : 0;
    sample.fields.push_back(static_cast<std::int8_t>(value));
  }
  sample.at.resize(static_cast<std::size_t>(system_.replicas));
  for (unsigned replica = 0; replica < sample.at.size(); ++replica) {
    for (unsigned slot = 0; slot < system_.slots(); ++slot) {
      const bool is_hottest = slot + 1 == system_.slots();
      Configuration c{{}, slot == 0 ? FlowLabel::from_cold : is_hottest ? FlowLabel::hot_first : FlowLabel::none};
      for (std::uint64_t site = 0; site < sites; ++site)
        c.spins.push_back(static_cast<std::int8_t>(numbers_.initial_spin({id, replica, slot}, site)));
      sample.at[replica].push_back(c);
    }
  }
  return sample;
}

void Oracle::advance(std::uint64_t rounds) {
  const std::uint64_t half_sweeps = system_.round.half_sweeps;
  const auto replicas = static_cast<unsigned>(system_.replicas), slots = static_cast<unsigned>(system_.slots());
  for (std::uint64_t i = 0; i < rounds; ++i, ++rounds_) {
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      for (unsigned replica = 0; replica < replicas; ++replica) {
        for (unsigned slot = 0; slot < slots; ++slot)
          for (std::uint64_t h = rounds_ * half_sweeps; h < (rounds_ + 1) * half_sweeps; ++h)
            half_sweep(samples_[s], replica, slot, h);
        if (slots == 1) continue;
        exchange(s, replica);
        count_round_trips(s, replica);
      }
      for (unsigned slot = 0; slot < slots && slots > 1; ++slot) count_flow(s, slot);
      const std::uint64_t interval = system_.round.rounds_per_sum;
      if (interval == 0 || (rounds_ + 1) % interval != 0) continue;
      for (unsigned slot = 0; slot < slots; ++slot) add_to_sums(s, slot);
    }
  }
}

void Oracle::half_sweep(Sample& sample, unsigned replica, unsigned slot, std::uint64_t half_sweep) const {
  Field& spins = sample.at[replica][slot].spins;
  for (std::size_t site = 0; site < lattice_.sites(); ++site) {
    if (lattice_.parity(site) != static_cast<int>(half_sweep % 2)) continue;
    const double cost = energy_change(sample, spins, site);
    const double threshold = std::min(std::floor(std::ldexp(std::exp(-system_.betas[slot] * cost), 32)), 4294967295.0);
    const bool flips = cost <= 0 || numbers_.metropolis({sample.id, replica, slot}, site, half_sweep) < threshold;
    if (flips) spins[site] = static_cast<std::int8_t>(-spins[site]);
  }
}

double Oracle::energy_change(const Sample& sample, const Field& spins, std::size_t site) const {
  const int n = unsatisfied_bonds(sample, spins, site), f = spins[site] * sample.fields[site] < 0 ? 1 : 0;
  return 4 * system_.J * (lattice_.dimension() - n) + 2 * system_.h * (1 - 2 * f);
}

int Oracle::unsatisfied_bonds(const Sample& sample, const Field& spins, std::size_t site) const {
  int n = 0;
  for (int direction = 0; direction < lattice_.dimension(); ++direction) {
    const std::int8_t* J = &sample.couplings[static_cast<std::size_t>(direction) * lattice_.sites()];
    const std::size_t forward = lattice_.forward(site, direction), backward = lattice_.backward(site, direction);
    n += J[site] * spins[site] * spins[forward] < 0;
    n += J[backward] * spins[site] * spins[backward] < 0;
  }
  return n;
}

std::int64_t Oracle::field_sum(const Sample& sample, const Field& spins) const {
  return sum_of(product_of(spins, sample.fields));
}

void Oracle::exchange(std::size_t s, unsigned replica) {
  const Sample& sample = samples_[s];
  std::vector<Configuration>& at = samples_[s].at[replica];
  for (std::size_t k = rounds_ % 2; k + 1 < at.size(); k += 2) {
    const Field &cold = at[k].spins, &hot = at[k + 1].spins;
    const std::int64_t B = bond_sum(lattice_, hot, sample.couplings) - bond_sum(lattice_, cold, sample.couplings);
    const std::int64_t F = field_sum(sample, hot) - field_sum(sample, cold);
    const std::uint32_t u = numbers_.exchange({sample.id, replica, static_cast<unsigned>(k)}, rounds_);
    if (u >= exchange_threshold(system_, k, B, F)) continue;
    std::swap(at[k], at[k + 1]);
    ++sums_.accepted[index(k, s, replica)];
  }
}

void Oracle::count_round_trips(std::size_t s, unsigned replica) {
  std::vector<Configuration>& at = samples_[s].at[replica];
  if (at.back().flow_label == FlowLabel::from_cold) at.back().flow_label = FlowLabel::from_hot;
  if (at.back().flow_label == FlowLabel::none) at.back().flow_label = FlowLabel::hot_first;
  if (at.front().flow_label == FlowLabel::from_hot) ++sums_.round_trips[index(0, s, replica)];
  at.front().flow_label = FlowLabel::from_cold;
}

void Oracle::count_flow(std::size_t s, std::size_t slot) {
  for (std::size_t replica = 0; replica < samples_[s].at.size(); ++replica) {
    const FlowLabel label = samples_[s].at[replica][slot].flow_label;
    const bool is_cold = label == FlowLabel::from_cold;
    const bool is_hot = label == FlowLabel::from_hot || label == FlowLabel::hot_first;
    if (is_cold) ++sums_.flow_cold[index(slot, s, replica)];
    if (is_hot) ++sums_.flow_hot[index(slot, s, replica)];
  }
}

std::size_t Oracle::index(std::size_t slot, std::size_t sample, std::size_t replica) const {
  return (slot * samples_.size() + sample) * static_cast<std::size_t>(system_.replicas) + replica;
}

void Oracle::add_to_sums(std::size_t s, std::size_t slot) {
  const Sample& sample = samples_[s];
  const std::size_t slots = system_.slots();
  const SumLists lists = sum_lists_of(system_);
  for (std::size_t replica = 0; replica < sample.at.size(); ++replica) {
    const auto values =
        set_values(lists.set, lattice_, sample.at[replica][slot].spins, sample.couplings, sample.fields);
    for (std::size_t which = 0; which < values.size(); ++which)
      sums_.set[index(which * slots + slot, s, replica)] += values[which];
  }
  for (std::size_t a = 0, pair = 0; a < sample.at.size(); ++a)
    for (std::size_t b = a + 1; b < sample.at.size() && lists.pairs > 0; ++b, ++pair)
      add_pair(s, slot, {a, b, pair}, lists);
}

void Oracle::add_pair(std::size_t s, std::size_t slot, const Pair& pair, const SumLists& lists) {
  const Sample& sample = samples_[s];
  const Field &a = sample.at[pair.a][slot].spins, &b = sample.at[pair.b][slot].spins;
  const auto values = pair_values(lists.pair, lattice_, a, b, sample.couplings);
  for (std::size_t which = 0; which < values.size(); ++which)
    sums_.pair[((which * system_.slots() + slot) * samples_.size() + s) * lists.pairs + pair.number] += values[which];
  if (lists.overlap_bins == 0) return;
  // Q = 2 j - N is the middle of the j-th of N + 1 equal intervals of [-1, 1]; the bin is the one that holds it
  const auto N = static_cast<std::int64_t>(lattice_.sites()), bins = static_cast<std::int64_t>(lists.overlap_bins);
  const Field overlap = product_of(a, b);
  const std::int64_t j = (sum_of(overlap) + N) / 2;
  std::int64_t bin = 0;
  while ((2 * j + 1) * bins >= 2 * (N + 1) * (bin + 1)) ++bin;
  ++sums_.overlap_counts[(slot * samples_.size() + s) * lists.overlap_bins + static_cast<std::size_t>(bin)];
  for (std::size_t i = 0; i < lists.link_slots.size(); ++i)
    if (lists.link_slots[i] == slot)
      sums_.overlap_link_sums[(i * samples_.size() + s) * lists.overlap_bins + static_cast<std::size_t>(bin)] +=
          bond_sum(lattice_, overlap, Field(sample.couplings.size(), 1));
}

void Oracle::clear_sums() {
  if (system_.slots() > 1) sums_ = empty_sums(system_);
}

Observation Oracle::observe() const {
  Observation observation;
  for (const Sample& sample : samples_) {
    observe_replicas(sample, observation);
    observe_pairs(sample, observation);
  }
  return observation;
}

void Oracle::observe_replicas(const Sample& sample, Observation& observation) const {
  for (const auto& slots : sample.at) {
    const Field& spins = slots[0].spins;
    const auto add = [&](Integer integer, auto value) {
      if (system_.measures(integer)) observation[integer].push_back(value());
    };
    add(Integer::bond_sum, [&] { return bond_sum(lattice_, spins, sample.couplings); });
    add(Integer::field_sum, [&] { return field_sum(sample, spins); });
    add(Integer::magnetization, [&] { return sum_of(spins); });
    add(Integer::magnetization_k2, [&] { return k2(lattice_, spins); });
  }
}

void Oracle::observe_pairs(const Sample& sample, Observation& observation) const {
  for (std::size_t a = 0; a < sample.at.size(); ++a) {
    for (std::size_t b = a + 1; b < sample.at.size(); ++b) {
      const Field overlap = product_of(sample.at[a][0].spins, sample.at[b][0].spins);
      if (system_.measures(Integer::overlap)) observation[Integer::overlap].push_back(sum_of(overlap));
      if (system_.measures(Integer::overlap_k2)) observation[Integer::overlap_k2].push_back(k2(lattice_, overlap));
      if (system_.measures(Integer::link_overlap))
        observation[Integer::link_overlap].push_back(bond_sum(lattice_, overlap, Field(sample.couplings.size(), 1)));
    }
  }
}

template <class F>
void Oracle::for_each_configuration(std::size_t slot, F f) {
  for (Sample& sample : samples_)
    for (auto& slots : sample.at) f(slots[slot]);
}

PackedSigns Oracle::packed_spins(std::size_t slot) const {
  Field all;
  for (const Sample& sample : samples_)
    for (const auto& slots : sample.at) all.insert(all.end(), slots[slot].spins.begin(), slots[slot].spins.end());
  return pack_signs(all, lattice_.sites());
}

std::vector<FlowLabel> Oracle::flow_labels() const {
  std::vector<FlowLabel> all;
  if (system_.slots() == 1) return all;
  for (std::size_t slot = 0; slot < system_.slots(); ++slot)
    for (const Sample& sample : samples_)
      for (const auto& slots : sample.at) all.push_back(slots[slot].flow_label);
  return all;
}

void Oracle::restore_spins(std::size_t slot, const PackedSigns& packed) {
  const std::vector<std::int8_t> spins = unpack_signs(packed);
  if (spins.size() != samples_.size() * static_cast<std::size_t>(system_.replicas) * lattice_.sites())
    throw std::invalid_argument("a configuration of another system");
  auto next = spins.begin();
  for_each_configuration(slot, [&](Configuration& c) {
    std::copy_n(next, lattice_.sites(), c.spins.begin());
    next += static_cast<std::ptrdiff_t>(lattice_.sites());
  });
}

void Oracle::restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) {
  rounds_ = rounds;
  if (system_.slots() == 1) return;
  sums_ = sums;
  auto next = labels.begin();
  for (std::size_t slot = 0; slot < system_.slots(); ++slot)
    for_each_configuration(slot, [&](Configuration& c) { c.flow_label = *next++; });
}

void Oracle::restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) {
  const auto copy = [&](const PackedSigns& packed, Field Sample::*part) {
    const std::vector<std::int8_t> signs = unpack_signs(packed);
    if (signs.empty()) return;
    if (signs.size() != samples_.size() * (samples_[0].*part).size())
      throw std::invalid_argument("the disorder of another system");
    auto next = signs.begin();
    for (Sample& sample : samples_)
      for (std::int8_t& sign : sample.*part) sign = *next++;
  };
  copy(couplings, &Sample::couplings);
  copy(fields, &Sample::fields);
}

template <class F>
PackedSigns Oracle::rows_of_samples(std::size_t length, F signs_of) const {
  Field all;
  for (const Sample& sample : samples_) {
    const Field& signs = signs_of(sample);
    all.insert(all.end(), signs.begin(), signs.end());
  }
  return pack_signs(all, length);
}

PackedSigns Oracle::packed_couplings() const {
  if (!system_.preset().has_random_bonds()) return {};
  return rows_of_samples(lattice_.sites(), [](const Sample& s) -> const Field& { return s.couplings; });
}

PackedSigns Oracle::packed_fields() const {
  if (!system_.preset().has_random_field()) return {};
  return rows_of_samples(lattice_.sites(), [](const Sample& s) -> const Field& { return s.fields; });
}

}  // namespace psflip::oracle
