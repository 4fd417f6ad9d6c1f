#include <algorithm>
#include <cmath>
#include <numbers>

#include "members.hpp"
#include "simulation.hpp"
#include "tempering.hpp"

// Exchange Monte Carlo of every member with a field at J = 0, where every sum has a closed form.
namespace psflip::exact {
namespace {

/// Sums over one sample of 4^D sites: of h_i, of sigma_ij h_i h_j over bonds, 1024 |h(k)|^2 over the axes.
struct FieldSums {
  double sum = 0, bonds = 0, k2 = 0;
};

FieldSums sums_of(const Disorder& disorder, int D) {
  const std::vector<std::int8_t>& h = disorder.fields;
  FieldSums sums;
  double re[3] = {}, im[3] = {};
  for (std::size_t site = 0; site < h.size(); ++site) {
    sums.sum += h[site];
    std::size_t step = 1;
    for (int axis = 0; axis < D; ++axis, step *= 4) {
      const std::size_t x = site / step % 4, neighbour = x == 3 ? site - 3 * step : site + step;
      sums.bonds += disorder.couplings[static_cast<std::size_t>(axis) * h.size() + site] * h[site] * h[neighbour];
      re[axis] += h[site] * std::cos(std::numbers::pi / 2 * double(x));
      im[axis] += h[site] * std::sin(std::numbers::pi / 2 * double(x));
    }
  }
  for (int axis = 0; axis < D; ++axis) sums.k2 += 1024 * (re[axis] * re[axis] + im[axis] * im[axis]);
  return sums;
}

class Paramagnet : public testing::TestWithParam<Member> {
 protected:
  /// Mean over samples of (measured - exact), in standard errors.
  template <class Exact>
  double pull_of_samples(const TemperingMeans& means, std::size_t slot, std::size_t column, Exact exact) const {
    Blocks differences;
    for (std::size_t i = 0; i < means.disorder.size(); ++i)
      differences.push_back(
          {means.slots[slot].rows[i][column] - exact(sums_of(means.disorder[i], GetParam().preset.dimension))});
    return pull(mean_of(differences, 0), 0);
  }
};

TEST_P(Paramagnet, in_a_field_has_the_averages_of_the_closed_form) {
  System system = member_system(GetParam().preset, 4, 1, 2048, 2);
  system.betas = {1 / 0.7, 1 / 0.9, 1 / 1.2, 1 / 1.7, 1 / 2.6};
  system.J = 0;
  system.h = 0.8;
  system.round = {10, 1};
  const double N = double(system.sites()), waves = 1024.0 * system.dimension() * N;
  const TemperingMeans means = tempering_means(system, 40, 200);
  EXPECT_GT(*std::min_element(means.rates.begin(), means.rates.end()), 0.05);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) {
    const double t = std::tanh(system.betas[slot] * system.h), t2 = t * t;
    const auto expect = [&](std::size_t column, auto exact) {
      EXPECT_LT(std::abs(pull_of_samples(means, slot, column, exact)), sigma_bound)
          << "column " << column << ", beta = " << system.betas[slot];
    };
    expect(sum_F, [=](const FieldSums&) { return N * t; });
    expect(sum_F2, [=](const FieldSums&) { return N * N * t2 + N * (1 - t2); });
    expect(sum_B, [=](const FieldSums& f) { return t2 * f.bonds; });
    expect(sum_M, [=](const FieldSums& f) { return t * f.sum; });
    expect(sum_M2, [=](const FieldSums& f) { return t2 * f.sum * f.sum + N * (1 - t2); });
    expect(sum_K, [=](const FieldSums& f) { return t2 * f.k2 + waves * (1 - t2); });
    // <F O> - <F><O> is the derivative in beta h
    expect(sum_F_M2, [=](const FieldSums& f) {
      return N * t * (t2 * f.sum * f.sum + N * (1 - t2)) + 2 * t * (1 - t2) * (f.sum * f.sum - N);
    });
    expect(sum_F_K, [=](const FieldSums& f) {
      return N * t * (t2 * f.k2 + waves * (1 - t2)) + 2 * t * (1 - t2) * (f.k2 - waves);
    });
    expect(sum_BF, [=](const FieldSums& f) { return N * t * t2 * f.bonds + 2 * t * (1 - t2) * f.bonds; });
    const SumLists lists = sum_lists_of(system);
    if (lists.has(sum_Q)) expect(pair_column(sum_Q), [=](const FieldSums&) { return N * t2; });
    if (!lists.has(sum_M_M)) continue;
    expect(pair_column(sum_M_M), [=](const FieldSums& f) { return t2 * f.sum * f.sum; });
    expect(pair_column(sum_MK_MK), [=](const FieldSums& f) { return t2 * f.k2; });
  }
}

bool has_field_to_temper_in(const Member& member) {
  return member.method == Method::tempering && member.preset.has_field();
}

INSTANTIATE_TEST_SUITE_P(Exact, Paramagnet, testing::ValuesIn(members_if(has_field_to_temper_in)), name_of_parameter);

}  // namespace
}  // namespace psflip::exact
