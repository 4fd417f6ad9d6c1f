#include "cube4_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

namespace psflip::exact {
namespace {

constexpr std::size_t layer_sites = 16, states = std::size_t{1} << layer_sites, layers = 4, cube_sites = 64;
using Vector = std::vector<float>;  ///< of the states of a layer; bit x + 4 y is set where the spin is -1

int spin(std::size_t state, std::size_t site) { return (state >> site & 1) != 0 ? -1 : 1; }

/// Weights of two neighbouring layers: for every site 1 if its bond is satisfied and r if not, or the other way round.
struct Bonds {
  std::array<float, layer_sites> equal, opposite;
};

/// f(t) -> sum over s of the product of equal or opposite f(s), for the two bits `low` and `low` + 1.
void transform_two(Vector& f, const Bonds& bonds, std::size_t low) {
  const float p = bonds.equal[low], q = bonds.opposite[low], P = bonds.equal[low + 1], Q = bonds.opposite[low + 1];
  const std::size_t step = std::size_t{1} << low;
  for (std::size_t first = 0; first < states; first += 4 * step) {
    float *a = &f[first], *b = a + step, *c = b + step, *d = c + step;
    for (std::size_t i = 0; i < step; ++i) {
      const float ab = p * a[i] + q * b[i], ba = q * a[i] + p * b[i];
      const float cd = p * c[i] + q * d[i], dc = q * c[i] + p * d[i];
      a[i] = P * ab + Q * cd;
      b[i] = P * ba + Q * dc;
      c[i] = Q * ab + P * cd;
      d[i] = Q * ba + P * dc;
    }
  }
}

/// The same for the four lowest bits: a product with a matrix of 16 x 16, column by column.
void transform_lowest(Vector& f, const Bonds& bonds) {
  using Column = float __attribute__((vector_size(64)));
  Column matrix[16];
  for (int s = 0; s < 16; ++s)
    for (int t = 0; t < 16; ++t) {
      matrix[s][t] = 1;
      for (std::size_t bit = 0; bit < 4; ++bit)
        matrix[s][t] *= ((s ^ t) >> bit & 1) != 0 ? bonds.opposite[bit] : bonds.equal[bit];
    }
  for (std::size_t first = 0; first < states; first += 16) {
    Column sum{};
    for (std::size_t s = 0; s < 16; ++s) sum += matrix[s] * f[first + s];
    std::memcpy(&f[first], &sum, sizeof sum);
  }
}

void transform(Vector& f, const Bonds& bonds) {
  transform_lowest(f, bonds);
  for (std::size_t low = 4; low < layer_sites; low += 2) transform_two(f, bonds, low);
}

/// The transform of a single state of weight 1.
void fill_row(Vector& f, const Bonds& bonds, std::size_t state) {
  f[0] = 1;
  for (std::size_t site = 0; site < layer_sites; ++site) {
    const bool is_down = spin(state, site) < 0;
    const float up = is_down ? bonds.opposite[site] : bonds.equal[site];
    const float down = is_down ? bonds.equal[site] : bonds.opposite[site];
    const std::size_t half = std::size_t{1} << site;
    for (std::size_t s = 0; s < half; ++s) {
      f[s + half] = f[s] * down;
      f[s] *= up;
    }
  }
}

void multiply(Vector& f, const Vector& g) {
  for (std::size_t s = 0; s < states; ++s) f[s] *= g[s];
}

/// Sum over states of f(state) s_i for every site; destroys f. The last entry is the sum of f.
std::array<double, layer_sites + 1> moments(Vector& f) {
  constexpr std::size_t width = 16;  // sums side by side
  std::array<double, layer_sites + 1> sums{};
  for (std::size_t site = layer_sites; site-- > 0;) {
    const std::size_t half = std::size_t{1} << site;
    float differences[width] = {};
    for (std::size_t first = 0; first < half; first += width)
      for (std::size_t s = first; s < std::min(first + width, half); ++s) {
        differences[s - first] += f[s] - f[s + half];
        f[s] += f[s + half];
      }
    sums[site] = std::accumulate(differences, differences + width, 0.0);
  }
  sums[layer_sites] = f[0];
  return sums;
}

class Cube {
 public:
  Cube(const Disorder& disorder, double J, double h, double beta) : is_even_(h == 0 || disorder.fields[0] == 0) {
    for (std::size_t z = 0; z < layers; ++z) {
      const auto r = static_cast<float>(std::exp(-2 * beta * J));
      for (std::size_t site = 0; site < layer_sites; ++site) {
        const bool is_negative = disorder.couplings[2 * cube_sites + layer_sites * z + site] < 0;
        bonds_[z].equal[site] = is_negative ? r : 1;
        bonds_[z].opposite[site] = is_negative ? 1 : r;
      }
      set_weights(disorder, J, h, beta, z);
    }
    correlations_.assign(cube_sites * cube_sites, 0.0);
    means_.assign(cube_sites, 0.0);
    const LayerSums sums = add_layer(0, {1, 2, 3});
    for (std::size_t z = 0; z < layers; ++z) add_within(z, sums[z]);
    add_layer(1, {3});
    add_layer(2, {1, 3});
  }

  double mean(std::size_t i) const { return means_[i]; }
  double correlation(std::size_t i, std::size_t j) const {
    return i == j ? 1 : correlations_[std::min(i, j) * cube_sites + std::max(i, j)];
  }

 private:
  /// Of the states of a layer by itself, the largest 1.
  void set_weights(const Disorder& disorder, double J, double h, double beta, std::size_t z) {
    std::vector<double> exponent(states, 0.0);
    for (std::size_t state = 0; state < states; ++state)
      for (std::size_t site = 0; site < layer_sites; ++site) {
        const std::size_t here = layer_sites * z + site, x = site % 4;
        const int right = spin(state, site - x + (x + 1) % 4), up = spin(state, (site + 4) % layer_sites);
        const int bonds = disorder.couplings[here] * right + disorder.couplings[cube_sites + here] * up;
        exponent[state] += beta * spin(state, site) * (J * bonds + h * disorder.fields[here]);
      }
    const double largest = *std::max_element(exponent.begin(), exponent.end());
    for (const double x : exponent) weights_[z].push_back(static_cast<float>(std::exp(x - largest)));
  }

  using LayerSums = std::array<std::vector<double>, layers>;  ///< of the weights of the states of a layer

  /// Sets the correlations of the layer with others. All states of the layer in turn: first[] runs over the next layer,
  /// second[] over the last but one, each carried to the layer opposite and back.
  LayerSums add_layer(std::size_t base, const std::vector<std::size_t>& with) {
    const std::size_t next = (base + 1) % layers, opposite = (base + 2) % layers, last = (base + 3) % layers;
    const auto wanted = [&](std::size_t z) { return std::find(with.begin(), with.end(), z) != with.end(); };
    Vector row(states), from_next(states), from_last(states), p(states);
    LayerSums sums;
    for (auto& sum : sums) sum.assign(states, 0.0);
    std::vector<double> pairs(cube_sites * cube_sites, 0.0);
    const auto add = [&](std::size_t state, std::size_t z) {  // p has the probabilities of the states of layer z
      for (std::size_t s = 0; s < states; ++s) sums[z][s] += p[s];
      const auto m = moments(p);
      sums[base][state] = m[layer_sites];
      for (std::size_t i = 0; i < layer_sites; ++i)
        for (std::size_t j = 0; j < layer_sites; ++j)
          pairs[(base * layer_sites + i) * cube_sites + z * layer_sites + j] += spin(state, i) * m[j];
    };
    for (std::size_t state = 0; state < (is_even_ ? states / 2 : states); ++state) {
      const float weight = weights_[base][state];
      fill_row(from_next, bonds_[base], state);
      multiply(from_next, weights_[next]);
      transform(from_next, bonds_[next]);
      fill_row(from_last, bonds_[last], state);
      multiply(from_last, weights_[last]);
      transform(from_last, bonds_[opposite]);
      for (float& x : from_last) x *= weight;
      multiply(from_last, weights_[opposite]);
      if (wanted(opposite)) {
        p = from_next;
        multiply(p, from_last);
        add(state, opposite);
      }
      if (wanted(next)) {
        transform(from_last, bonds_[next]);  // to the next layer
        fill_row(p, bonds_[base], state);
        multiply(p, weights_[next]);
        multiply(p, from_last);
        add(state, next);
      }
      if (wanted(last)) {
        multiply(from_next, weights_[opposite]);
        transform(from_next, bonds_[opposite]);
        fill_row(p, bonds_[last], state);
        multiply(p, weights_[last]);
        multiply(p, from_next);
        for (float& x : p) x *= weight;
        add(state, last);
      }
    }
    const double all = std::accumulate(sums[base].begin(), sums[base].end(), 0.0);
    for (const std::size_t z : with)
      for (std::size_t i = base * layer_sites; i < (base + 1) * layer_sites; ++i)
        for (std::size_t j = z * layer_sites; j < (z + 1) * layer_sites; ++j)
          correlations_[std::min(i, j) * cube_sites + std::max(i, j)] = pairs[i * cube_sites + j] / all;
    return sums;
  }

  /// Means of the layer and correlations within it.
  void add_within(std::size_t z, const std::vector<double>& weights) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t state = 0; state < states; ++state)
      for (std::size_t i = 0; i < layer_sites; ++i) {
        const double with_i = weights[state] / all * spin(state, i);
        if (!is_even_) means_[z * layer_sites + i] += with_i;
        for (std::size_t j = i + 1; j < layer_sites; ++j)
          correlations_[(z * layer_sites + i) * cube_sites + z * layer_sites + j] += with_i * spin(state, j);
      }
  }

  bool is_even_;
  std::array<Bonds, layers> bonds_;           ///< between a layer and the next
  std::array<Vector, layers> weights_;        ///< of the states of a layer
  std::vector<double> correlations_, means_;  ///< [i][j] of i < j, [i]
};

}  // namespace

PairSums cube4_pairs(const Disorder& disorder, double J, double h, double beta) {
  const Cube cube(disorder, J, h, beta);
  PairSums sums{};
  for (std::size_t i = 0; i < cube_sites; ++i) {
    sums.E -= h * disorder.fields[i] * cube.mean(i);
    for (std::size_t j = 0; j < cube_sites; ++j) {
      const double correlation = cube.correlation(i, j);
      sums.M_2 += correlation;
      sums.Q_2 += correlation * correlation;
    }
    for (std::size_t axis = 0, step = 1; axis < 3; ++axis, step *= 4) {
      const std::size_t x = i / step % 4, neighbour = i - x * step + (x + 1) % 4 * step;
      const double correlation = cube.correlation(i, neighbour);
      sums.E -= J * disorder.couplings[axis * cube_sites + i] * correlation;
      sums.Q_l += correlation * correlation;
    }
  }
  return sums;
}

}  // namespace psflip::exact
