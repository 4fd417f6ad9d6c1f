#include "given_thresholds.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace psflip::exact {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t x = state += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

}  // namespace

GivenThresholds::GivenThresholds(const System& system, std::vector<FieldThresholds> thresholds,
                                 const std::vector<Disorder>& disorder)
    : Engine(system),
      system_(system),
      thresholds_(std::move(thresholds)),
      L_(static_cast<std::size_t>(system.L)),
      sites_(system.sites()),
      replicas_(static_cast<std::size_t>(system.replicas)),
      lanes_(system.samples * replicas_),
      numbers_(lanes_),
      class_(lanes_) {
  if (thresholds_.size() != system.slots() || disorder.size() != system.samples)
    throw std::invalid_argument("thresholds of every slot and the disorder of every sample are needed");
  set_disorder(disorder);
  std::uint64_t state = system.seed;
  for (const double beta : system.betas) state = std::bit_cast<std::uint64_t>(beta) ^ splitmix64(state);
  for (std::vector<std::uint32_t>& words : random_)
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      words.push_back(static_cast<std::uint32_t>(splitmix64(state) >> 32));
  spins_.assign(system.slots(), Bits(sites_ * lanes_, 0));
  for (Bits& spins : spins_)
    for (std::size_t i = 0; i < spins.size() && system.start == Start::random; ++i) {
      if (i % lanes_ == 0) draw();
      spins[i] = numbers_[i % lanes_] >> 31;
    }
  if (system.slots() > 1) clear_sums();
}

void GivenThresholds::set_disorder(const std::vector<Disorder>& disorder) {
  bonds_.assign(static_cast<std::size_t>(system_.dimension()), Bits(sites_ * lanes_));
  fields_.resize(sites_ * lanes_);
  for (std::size_t sample = 0; sample < disorder.size(); ++sample) {
    const auto &couplings = disorder[sample].couplings, &fields = disorder[sample].fields;
    if (system_.preset().has_random_bonds())
      couplings_in_rows_.insert(couplings_in_rows_.end(), couplings.begin(), couplings.end());
    if (system_.preset().has_random_field())
      fields_in_rows_.insert(fields_in_rows_.end(), fields.begin(), fields.end());
    for (std::size_t lane = sample * replicas_; lane < (sample + 1) * replicas_; ++lane)
      for (std::size_t site = 0; site < sites_; ++site) {
        for (std::size_t axis = 0; axis < bonds_.size(); ++axis)
          bonds_[axis][site * lanes_ + lane] = couplings[axis * sites_ + site] < 0;
        fields_[site * lanes_ + lane] = fields[site] < 0;
      }
  }
}

std::size_t GivenThresholds::neighbour(std::size_t site, std::size_t axis, int step) const {
  std::size_t stride = 1;
  for (std::size_t i = 0; i < axis; ++i) stride *= L_;
  const std::size_t x = site / stride % L_, to = step > 0 ? (x + 1) % L_ : (x + L_ - 1) % L_;
  return site - x * stride + to * stride;
}

int GivenThresholds::parity(std::size_t site) const {
  return static_cast<int>((site % L_ + site / L_ % L_ + site / (L_ * L_)) % 2);
}

const std::uint32_t* GivenThresholds::draw() {
  auto& s = random_;
  for (std::size_t i = 0; i < lanes_; ++i) {
    numbers_[i] = std::rotl(s[0][i] + s[3][i], 7) + s[0][i];
    const std::uint32_t t = s[1][i] << 9;
    s[2][i] ^= s[0][i];
    s[3][i] ^= s[1][i];
    s[1][i] ^= s[2][i];
    s[0][i] ^= s[3][i];
    s[2][i] ^= t;
    s[3][i] = std::rotl(s[3][i], 11);
  }
  return numbers_.data();
}

void GivenThresholds::update(std::size_t slot, std::size_t site) {
  std::uint8_t* const spins = &spins_[slot][site * lanes_];
  const std::uint8_t* const field = &fields_[site * lanes_];
  for (std::size_t i = 0; i < lanes_; ++i) class_[i] = static_cast<std::uint8_t>(8 * (spins[i] ^ field[i]));
  for (std::size_t axis = 0; axis < bonds_.size(); ++axis)
    for (const int step : {1, -1}) {
      const std::size_t other = neighbour(site, axis, step);
      const std::uint8_t* const bond = &bonds_[axis][(step > 0 ? site : other) * lanes_];
      const std::uint8_t* const seen = &spins_[slot][other * lanes_];
      for (std::size_t i = 0; i < lanes_; ++i) class_[i] += spins[i] ^ seen[i] ^ bond[i];
    }
  std::uint32_t below[16] = {};
  std::uint8_t always[16] = {};
  for (int f = 0; f < 2; ++f)
    for (int n = 0; n <= 2 * system_.dimension(); ++n) {
      below[8 * f + n] = thresholds_[slot].below[f][n];
      always[8 * f + n] = thresholds_[slot].always[f][n];
    }
  const std::uint32_t* const u = draw();
  for (std::size_t i = 0; i < lanes_; ++i)
    spins[i] ^= static_cast<std::uint8_t>(always[class_[i]] | (u[i] < below[class_[i]]));
}

void GivenThresholds::half_sweep(std::size_t slot, int updated) {
  for (std::size_t site = 0; site < sites_; ++site)
    if (parity(site) == updated) update(slot, site);
}

void GivenThresholds::advance(std::uint64_t rounds) {
  const std::uint64_t half_sweeps = system_.round.half_sweeps;
  for (std::uint64_t i = 0; i < rounds; ++i, ++rounds_) {
    for (std::size_t slot = 0; slot < spins_.size(); ++slot)
      for (std::uint64_t h = rounds_ * half_sweeps; h < (rounds_ + 1) * half_sweeps; ++h)
        half_sweep(slot, static_cast<int>(h % 2));
    if (spins_.size() > 1) exchange();
    if (!system_.is_summed(rounds_)) continue;
    for (std::size_t slot = 0; slot < spins_.size(); ++slot) add_to_sums(slot);
  }
}

void GivenThresholds::exchange() {
  for (std::size_t k = rounds_ % 2; k + 1 < spins_.size(); k += 2) {
    const std::vector<double> B[] = {bond_sums(k), bond_sums(k + 1)}, F[] = {field_sums(k), field_sums(k + 1)};
    const std::uint32_t* const u = draw();
    for (std::size_t i = 0; i < lanes_; ++i) {
      const double colder = system_.J * (B[0][i] - B[1][i]) + system_.h * (F[0][i] - F[1][i]);
      if (std::ldexp(u[i], -32) >= std::exp((system_.betas[k + 1] - system_.betas[k]) * colder)) continue;
      for (std::size_t site = 0; site < sites_; ++site)
        std::swap(spins_[k][site * lanes_ + i], spins_[k + 1][site * lanes_ + i]);
      ++sums_.accepted[k * lanes_ + i];
    }
  }
}

std::vector<double> GivenThresholds::bond_sums(std::size_t slot) const {
  std::vector<double> sums(lanes_, double(sites_ * bonds_.size()));
  for (std::size_t axis = 0; axis < bonds_.size(); ++axis)
    for (std::size_t site = 0; site < sites_; ++site) {
      const std::uint8_t *a = &spins_[slot][site * lanes_], *b = &spins_[slot][neighbour(site, axis, 1) * lanes_];
      for (std::size_t i = 0; i < lanes_; ++i) sums[i] -= 2 * (a[i] ^ b[i] ^ bonds_[axis][site * lanes_ + i]);
    }
  return sums;
}

std::vector<double> GivenThresholds::magnetizations(std::size_t slot) const {
  std::vector<double> sums(lanes_, double(sites_));
  for (std::size_t k = 0; k < sites_ * lanes_; ++k) sums[k % lanes_] -= 2 * spins_[slot][k];
  return sums;
}

std::vector<double> GivenThresholds::field_sums(std::size_t slot) const {
  if (!system_.has_field()) return std::vector<double>(lanes_, 0.0);
  std::vector<double> sums(lanes_, double(sites_));
  for (std::size_t k = 0; k < sites_ * lanes_; ++k) sums[k % lanes_] -= 2 * (spins_[slot][k] ^ fields_[k]);
  return sums;
}

double GivenThresholds::overlap(std::size_t slot, std::size_t a, std::size_t b) const {
  double sum = double(sites_);
  for (std::size_t k = 0; k < sites_ * lanes_; k += lanes_) sum -= 2 * (spins_[slot][k + a] ^ spins_[slot][k + b]);
  return sum;
}

double GivenThresholds::link_overlap(std::size_t slot, std::size_t a, std::size_t b) const {
  double sum = double(sites_ * bonds_.size());
  for (std::size_t axis = 0; axis < bonds_.size(); ++axis)
    for (std::size_t site = 0; site < sites_; ++site) {
      const std::uint8_t *here = &spins_[slot][site * lanes_],
                         *there = &spins_[slot][neighbour(site, axis, 1) * lanes_];
      sum -= 2 * (here[a] ^ here[b] ^ there[a] ^ there[b]);
    }
  return sum;
}

template <class F>
void GivenThresholds::for_each_pair(F f) const {
  for (std::size_t sample = 0; sample < system_.samples; ++sample)
    for (std::size_t a = 0, pair = 0; a < replicas_; ++a)
      for (std::size_t b = a + 1; b < replicas_; ++b, ++pair)
        f(sample, pair, sample * replicas_ + a, sample * replicas_ + b);
}

Observation GivenThresholds::observe() const {
  Observation seen;
  const auto store = [&](Integer integer, double value) {
    if (system_.measures(integer)) seen[integer].push_back(std::llround(value));
  };
  for (const double value : bond_sums(0)) store(Integer::bond_sum, value);
  for (const double value : field_sums(0)) store(Integer::field_sum, value);
  for (const double value : magnetizations(0)) store(Integer::magnetization, value);
  for_each_pair([&](std::size_t, std::size_t, std::size_t a, std::size_t b) {
    store(Integer::overlap, overlap(0, a, b));
    store(Integer::link_overlap, link_overlap(0, a, b));
  });
  return seen;
}

void GivenThresholds::add_to_sums(std::size_t slot) {
  const SumLists lists = sum_lists_of(system_);
  const std::size_t slots = spins_.size(), samples = system_.samples;
  const std::vector<double> B = bond_sums(slot), F = field_sums(slot), M = magnetizations(slot);
  for (std::size_t which = 0; which < lists.set.size(); ++which)
    for (std::size_t i = 0; i < lanes_; ++i) {
      double values[set_sums] = {};
      values[sum_B] = B[i], values[sum_B2] = B[i] * B[i], values[sum_BF] = B[i] * F[i];
      values[sum_F] = F[i], values[sum_F2] = F[i] * F[i];
      values[sum_M] = M[i], values[sum_M2] = M[i] * M[i], values[sum_abs_M] = std::abs(M[i]);
      sums_.set[(which * slots + slot) * lanes_ + i] += values[lists.set[which]];
    }
  if (lists.pairs == 0) return;
  for_each_pair([&](std::size_t sample, std::size_t pair, std::size_t a, std::size_t b) {
    const double Q = overlap(slot, a, b);
    double values[pair_sums] = {};
    values[sum_Q] = Q, values[sum_Q2] = Q * Q, values[sum_abs_Q] = std::abs(Q);
    if (lists.has(sum_link)) values[sum_link] = link_overlap(slot, a, b);
    for (std::size_t which = 0; which < lists.pair.size(); ++which)
      sums_.pair[((which * slots + slot) * samples + sample) * lists.pairs + pair] += values[lists.pair[which]];
  });
}

PackedSigns GivenThresholds::packed_spins(std::size_t slot) const {
  std::vector<std::int8_t> signs;
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    for (std::size_t site = 0; site < sites_; ++site)
      signs.push_back(static_cast<std::int8_t>(1 - 2 * spins_[slot][site * lanes_ + lane]));
  return pack_signs(signs, sites_);
}

void GivenThresholds::restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) {
  const std::vector<std::int8_t> bonds = unpack_signs(couplings), signs = unpack_signs(fields);
  const auto row = [](const std::vector<std::int8_t>& all, std::size_t length, std::size_t sample) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(sample * length);
    return all.empty() ? std::vector<std::int8_t>(length, 1)
                       : std::vector<std::int8_t>(first, first + static_cast<std::ptrdiff_t>(length));
  };
  std::vector<Disorder> disorder;
  for (std::size_t sample = 0; sample < system_.samples; ++sample)
    disorder.push_back({row(bonds, bonds_.size() * sites_, sample), row(signs, sites_, sample)});
  couplings_in_rows_.clear();
  fields_in_rows_.clear();
  set_disorder(disorder);
}

void GivenThresholds::restore_spins(std::size_t slot, const PackedSigns& packed) {
  const std::vector<std::int8_t> signs = unpack_signs(packed);
  if (signs.size() != sites_ * lanes_) throw std::invalid_argument("spins of another system");
  for (std::size_t k = 0; k < signs.size(); ++k) spins_[slot][k % sites_ * lanes_ + k / sites_] = signs[k] < 0;
}

void GivenThresholds::restore(std::uint64_t rounds, const std::vector<FlowLabel>&, const Sums& sums) {
  rounds_ = rounds;
  if (spins_.size() > 1) sums_ = sums;
}

}  // namespace psflip::exact
