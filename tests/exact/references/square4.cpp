#include "square4.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace psflip::exact {
namespace {

// Bit x + 4 y is set where the spin is -1.
std::uint32_t right_neighbours(std::uint32_t state) { return (state >> 1 & 0x7777) | (state & 0x1111) << 3; }
std::uint32_t upper_neighbours(std::uint32_t state) { return state >> 4 | (state & 0xf) << 12; }

constexpr std::uint32_t even_sites = 0xa5a5;

/// The four bonds of a site: its neighbours, and those of them to which the coupling is -1.
struct Neighbourhood {
  std::uint32_t sites, negative;
};

Neighbourhood neighbourhood_of(unsigned site, const std::uint32_t (&negative_bonds)[2]) {
  const unsigned x = site % 4, y = site / 4;
  const unsigned right = (x + 1) % 4 + 4 * y, left = (x + 3) % 4 + 4 * y;
  const unsigned up = x + 4 * ((y + 1) % 4), down = x + 4 * ((y + 3) % 4);
  Neighbourhood n{1u << right | 1u << left | 1u << up | 1u << down, 0};
  n.negative |= (negative_bonds[0] >> site & 1u) << right | (negative_bonds[0] >> left & 1u) << left;
  n.negative |= (negative_bonds[1] >> site & 1u) << up | (negative_bonds[1] >> down & 1u) << down;
  return n;
}

/// Walsh-Hadamard transform: f(t) -> sum over s of f(s) (-1)^(number of bits of s & t).
void transform(std::vector<double>& f) {
  for (std::size_t step = 1; step < f.size(); step *= 2)
    for (std::size_t first = 0; first < f.size(); first += 2 * step)
      for (std::size_t s = first; s < first + step; ++s) {
        const double a = f[s], b = f[s + step];
        f[s] = a + b;
        f[s + step] = a - b;
      }
}

/// sum over s of f(s) g(s ^ t) for every t, where bit x of t is set where two configurations differ.
std::vector<double> correlated(std::vector<double> f, std::vector<double> g) {
  transform(f);
  transform(g);
  for (std::size_t s = 0; s < f.size(); ++s) f[s] *= g[s] / double(f.size());
  transform(f);
  return f;
}

}  // namespace

Square4::Square4(const Disorder& disorder, double J, double h, double beta)
    : J_(J), h_(h), beta_(beta), has_field_(disorder.fields[0] != 0), probability_(states) {
  for (unsigned site = 0; site < sites; ++site) {
    for (unsigned direction = 0; direction < 2; ++direction)
      if (disorder.couplings[direction * sites + site] < 0) negative_bonds_[direction] |= 1u << site;
    if (disorder.fields[site] < 0) negative_fields_ |= 1u << site;
  }
  for (int f = 0; f < 2; ++f)
    for (int n = 0; n <= 4; ++n)
      acceptance_[f][n] = std::min(1.0, std::exp(-beta * (4 * J * (2 - n) + (has_field_ ? 2 * h * (1 - 2 * f) : 0))));
}

void Square4::set_start(Start start) {
  std::fill(probability_.begin(), probability_.end(), start == Start::random ? 1.0 / states : 0.0);
  if (start == Start::ordered) probability_[0] = 1;
}

void Square4::half_sweep(std::uint64_t half_sweep) {
  const std::uint32_t updated = half_sweep % 2 == 0 ? even_sites : ~even_sites;
  for (unsigned site = 0; site < sites; ++site) {
    if ((updated >> site & 1u) == 0) continue;
    const std::uint32_t bit = 1u << site;
    const Neighbourhood bonds = neighbourhood_of(site, negative_bonds_);
    const int f_up = has_field_ ? static_cast<int>(negative_fields_ >> site & 1u) : 0;
    const int f_down = has_field_ ? 1 - f_up : 0;
    for (std::uint32_t first = 0; first < states; first += 2 * bit)
      for (std::uint32_t up = first; up < first + bit; ++up) {
        const int n = std::popcount((up & bonds.sites) ^ bonds.negative);
        double &p_up = probability_[up], &p_down = probability_[up + bit];
        const double down = p_up * acceptance_[f_up][n], back = p_down * acceptance_[f_down][4 - n];
        p_up += back - down;
        p_down += down - back;
      }
  }
}

void Square4::set_boltzmann() {
  double sum = 0;
  for (std::uint32_t state = 0; state < states; ++state)
    sum += probability_[state] = std::exp(beta_ * (J_ * bond_sum(state) + h_ * field_sum(state)));
  for (double& p : probability_) p /= sum;
}

int Square4::bond_sum(std::uint32_t state) const {
  return 32 - 2 * (std::popcount(state ^ right_neighbours(state) ^ negative_bonds_[0]) +
                   std::popcount(state ^ upper_neighbours(state) ^ negative_bonds_[1]));
}

int Square4::field_sum(std::uint32_t state) const {
  return has_field_ ? 16 - 2 * std::popcount(state ^ negative_fields_) : 0;
}

StateMeans Square4::means() const {
  StateMeans means{};
  for (std::uint32_t state = 0; state < states; ++state) {
    const double p = probability_[state];
    const int B = bond_sum(state), F = field_sum(state), M = 16 - 2 * std::popcount(state);
    means.B += p * B;
    means.B_2 += p * B * B;
    means.F += p * F;
    means.BF += p * B * F;
    means.F_2 += p * F * F;
    means.abs_M += p * std::abs(M);
    means.M_2 += p * M * M;
  }
  return means;
}

namespace {

/// Link overlap of two configurations that differ in the sites of `state`.
int link_overlap(std::uint32_t state) {
  return 32 - 2 * (std::popcount(state ^ right_neighbours(state)) + std::popcount(state ^ upper_neighbours(state)));
}

}  // namespace

PairMeans Square4::overlap_means() const {
  const std::vector<double> differ = correlated(probability_, probability_);
  PairMeans means{};
  for (std::uint32_t state = 0; state < states; ++state) {
    const double Q = 16 - 2 * std::popcount(state);
    means.Q_2 += differ[state] * Q * Q;
    means.Q_l += differ[state] * link_overlap(state);
  }
  return means;
}

PairMeans Square4::pair_means() const {
  std::vector<double> with_B = probability_;
  for (std::uint32_t state = 0; state < states; ++state) with_B[state] *= 2 * bond_sum(state);  // of either of the two
  const std::vector<double> differ = correlated(probability_, probability_);
  const std::vector<double> differ_with_B = correlated(probability_, with_B);
  PairMeans means{};
  means.Q_shares.assign(sites + 1, 0.0);
  means.Q_l_of_Q.assign(sites + 1, 0.0);
  for (std::uint32_t state = 0; state < states; ++state) {
    const double p = differ[state], p_B = differ_with_B[state], Q = 16 - 2 * std::popcount(state), Q_2 = Q * Q;
    const double link = link_overlap(state);
    means.Q_2 += p * Q_2;
    means.abs_Q += p * std::abs(Q);
    means.Q_4 += p * Q_2 * Q_2;
    means.Q_l += p * link;
    means.B_Q_2 += p_B * Q_2;
    means.B_Q_4 += p_B * Q_2 * Q_2;
    means.B_Q_l += p_B * link;
    const std::size_t bin = sites - static_cast<unsigned>(std::popcount(state));
    means.Q_shares[bin] += p;
    means.Q_l_of_Q[bin] += p * link;
  }
  return means;
}

}  // namespace psflip::exact
