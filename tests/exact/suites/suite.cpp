#include "suite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/cpu/cpu.hpp"
#include "engine/models/tables.hpp"
#include "given_thresholds.hpp"
#include "tests/exact/simulation.hpp"
#include "tests/exact/tempering.hpp"

namespace psflip::exact {
namespace {

constexpr std::array<const char*, 5> quantity_names = {"e", "C", "m^2", "q^2", "q_l"};

/// Measured minus exact. C is beta^2 / N <(E - <E>)^2> with the exact <E>, so that it is linear in the measured means.
std::array<double, 5> differences(const System& system, double beta, const Means& measured, const Means& exact) {
  const double N = double(system.sites()), E = measured.E - exact.E;
  return {E / N, beta * beta / N * (measured.E_2 - exact.E_2 - 2 * exact.E * E), (measured.M_2 - exact.M_2) / (N * N),
          (measured.Q_2 - exact.Q_2) / (N * N), (measured.Q_l - exact.Q_l) / (N * system.dimension())};
}

/// Adds `weight` times the averages over replicas and pairs of one moment.
void add_moment(const System& system, const Observation& seen, double weight, std::vector<Means>& samples) {
  const auto replicas = static_cast<std::size_t>(system.replicas), pairs = static_cast<std::size_t>(system.pairs());
  for (std::size_t i = 0; i < seen[Integer::bond_sum].size(); ++i) {
    Means& means = samples[i / replicas];
    const double E = energy_of(system, seen, i), M = double(seen[Integer::magnetization][i]);
    means.E += weight * E / double(replicas);
    means.E_2 += weight * E * E / double(replicas);
    means.M_2 += weight * M * M / double(replicas);
  }
  for (std::size_t i = 0; i < seen[Integer::overlap].size(); ++i) {
    const double Q = double(seen[Integer::overlap][i]);
    samples[i / pairs].Q_2 += weight * Q * Q / double(pairs);
    samples[i / pairs].Q_l += weight * double(seen[Integer::link_overlap][i]) / double(pairs);
  }
}

Means means_of_sums(const System& system, const std::vector<double>& sums) {
  const double J = system.J, h = system.h, F = system.has_field() ? sums[sum_F] : 0;
  const double with_F = system.has_field() ? 2 * J * h * sums[sum_BF] + h * h * sums[sum_F2] : 0;
  return {-J * sums[sum_B] - h * F, J * J * sums[sum_B2] + with_F, sums[sum_M2], sums[pair_column(sum_Q2)],
          sums[pair_column(sum_link)]};
}

/// Run number `run` of the system: at temperatures that differ by 10^-11 and less, so that it has random numbers of its
/// own and the same samples.
System run_of(System system, std::size_t run) {
  for (double& beta : system.betas) beta *= 1 + double(run) * 0x1p-50;
  return system;
}

std::string description(const System& system) {
  std::string text = system.start == Start::random ? "random start" : "up";
  if (system.preset().has_random_bonds()) text += ", p = " + std::to_string(system.p);
  if (system.preset().has_field()) text += ", h = " + std::to_string(system.h);
  return text;
}

}  // namespace

bool has_free_flips(const System& system) {
  const int D = system.dimension();
  for (int n = 0; n <= 2 * D; ++n)
    if (4 * system.J * (D - n) + 2 * system.h == 0) return true;  // against the field: the same with n -> 2 D - n
  return false;
}

Suite::Suite(const Member& member, int L, std::vector<double> betas, std::vector<Parameters> parameters,
             ExactMeans exact)
    : member_(member), L_(L), betas_(std::move(betas)), parameters_(std::move(parameters)), exact_(std::move(exact)) {}

System Suite::system(const Parameters& parameters, Start start, const Effort& effort) const {
  System s = member_system(member_.preset, L_, betas_[0], effort.samples, effort.replicas);
  s.first_sample = effort.first_sample;
  s.p = parameters.p;
  s.h = parameters.h;
  s.start = start;
  s.round.half_sweeps = 2;
  if (member_.method != Method::tempering) {
    s.also.add(Integer::overlap);
    s.also.add(Integer::link_overlap);
    return s;
  }
  s.betas = betas_;
  s.round.rounds_per_sum = 1;
  return s;
}

std::vector<Start> Suite::starts(const Parameters& parameters, const Effort& effort) const {
  const bool may_be_trapped =
      member_.preset.dimension == 2 && has_free_flips(system(parameters, Start::random, effort));
  if (member_.method != Method::relaxation && may_be_trapped) return {Start::ordered};
  return {Start::ordered, Start::random};
}

PointMeans Suite::measure(const System& system, Engine& engine, const Effort& effort) const {
  const std::vector<Means> zero(system.samples);
  if (member_.method == Method::tempering) {
    const TemperingMeans means = tempering_means(system, effort.warm_up, effort.measurements, engine);
    PointMeans points;
    for (const SlotMeans& slot : means.slots) {
      points.emplace_back();
      for (const std::vector<double>& sums : slot.rows) points.back().push_back(means_of_sums(system, sums));
    }
    return points;
  }
  PointMeans points(member_.method == Method::relaxation ? effort.times.size() : 1, zero);
  if (member_.method == Method::relaxation) {
    for (std::size_t k = 0; k < effort.times.size(); ++k) {
      engine.advance(effort.times[k] - engine.rounds());
      add_moment(system, engine.observe(), 1, points[k]);
    }
    return points;
  }
  engine.advance(effort.warm_up);
  for (std::uint64_t k = 0; k < effort.measurements; ++k) {
    engine.advance(2);
    add_moment(system, engine.observe(), 1 / double(effort.measurements), points[0]);
  }
  return points;
}

Comparison Suite::compare(const System& system, const MakeEngine& make, const Effort& effort) const {
  const PointMeans exact = exact_(system, disorder_of(system, *make(system)));
  const std::size_t first_run = system.start == Start::random ? effort.runs : 0;
  Comparison comparison{description(system), {}, {}};
  for (std::size_t run = first_run; run < first_run + effort.runs; ++run) {
    const System one = run_of(system, run);
    const PointMeans measured = measure(one, *make(one), effort);
    comparison.names.clear();
    std::vector<double>& row = comparison.rows.emplace_back();
    for (std::size_t point = 0; point < measured.size(); ++point) {
      const double beta = system.betas[system.slots() > 1 ? point : 0];
      std::array<double, 5> sums{};
      for (std::size_t sample = 0; sample < system.samples; ++sample) {
        const auto of_sample = differences(system, beta, measured[point][sample], exact[point][sample]);
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += of_sample[k] / double(system.samples);
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        if (std::isnan(sums[k])) continue;
        row.push_back(sums[k]);
        comparison.names.push_back(std::string(quantity_names[k]) + " at point " + std::to_string(point) +
                                   ", beta = " + std::to_string(beta));
      }
    }
  }
  return comparison;
}

Judgement Suite::run(const MakeEngine& make, const Effort& effort) const {
  std::vector<Comparison> comparisons;
  for (const Parameters& parameters : parameters_)
    for (const Start start : starts(parameters, effort)) {
      System all = system(parameters, start, effort);
      if (member_.method == Method::tempering) {
        comparisons.push_back(compare(all, make, effort));
        continue;
      }
      for (const double beta : betas_) {
        all.betas = {beta};
        comparisons.push_back(compare(all, make, effort));
      }
    }
  return judge(comparisons);
}

MakeEngine right_engines() {
  return [](const System& system) { return cpu::make_engine(system, 1, system.samples <= 64 ? 64 : 0); };
}

MakeEngine with_one_disorder(MakeEngine make) {
  return [make](const System& system) {
    System first = system;
    first.samples = 1;
    const auto one = right_engines()(first);
    const PackedSigns couplings = one->packed_couplings(), fields = one->packed_fields();
    PackedSigns all_couplings, all_fields;
    for (std::uint64_t sample = 0; sample < system.samples; ++sample) {
      all_couplings.append(couplings);
      all_fields.append(fields);
    }
    auto engine = make(system);
    engine->restore_disorder(all_couplings, all_fields);
    return engine;
  };
}

MakeEngine engines_with_changed_threshold(double change, double above) {
  return [change, above](const System& system) -> std::unique_ptr<Engine> {
    std::vector<FieldThresholds> thresholds = make_field_thresholds(system);
    const int D = system.dimension();
    const auto cost = [&](int f, int n) { return 4 * system.J * (D - n) + 2 * system.h * (1 - 2 * f); };
    double smallest = std::numeric_limits<double>::infinity();
    for (int f = 0; f < 2; ++f)
      for (int n = 0; n <= 2 * D; ++n)
        if (cost(f, n) > above) smallest = std::min(smallest, cost(f, n));
    for (FieldThresholds& slot : thresholds)
      for (int f = 0; f < 2; ++f)
        for (int n = 0; n <= 2 * D; ++n)
          if (std::abs(cost(f, n) - smallest) < 1e-9)
            slot.below[f][n] = static_cast<std::uint32_t>(slot.below[f][n] + std::llround(std::ldexp(change, 32)));
    const std::vector<Disorder> disorder = disorder_of(system, *right_engines()(system));
    return std::make_unique<GivenThresholds>(system, thresholds, disorder);
  };
}

}  // namespace psflip::exact
