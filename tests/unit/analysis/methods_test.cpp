#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "analysis/critical/fixed_R_xi.hpp"
#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "tests/unit/analysis/synthetic_methods.hpp"
#include "tests/unit/temporary_folder.hpp"

// Every method on every model of the registry: observables of random integers against their direct evaluation.
namespace psflip::analysis {
namespace {

using test::Integers;
using test::MethodFile;
using Values = std::map<std::string, double>;

/// Moments of the replicas or pairs of a sample, thermal averages taken over measurements.
struct Averages {
  std::vector<double> e, e2, m, m_abs, m2, m4, k, q, q_abs, q2, q4, kq;

  std::vector<std::vector<double>*> all() { return {&e, &e2, &m, &m_abs, &m2, &m4, &k, &q, &q_abs, &q2, &q4, &kq}; }
};

Averages averages_of(const MethodFile& file, const Integers& one) {
  const double N = file.sites(), wave = 1024 * file.preset.dimension * N;
  Averages result;
  for (std::size_t r = 0; r < one.B.size(); ++r) {
    const double field = file.h * (file.preset.has_random_field() ? one.F[r] : one.M[r]);
    const double energy = -(file.J * one.B[r] + field) / N, m = one.M[r] / N;
    result.e.push_back(energy);
    result.e2.push_back(energy * energy);
    result.m.push_back(m);
    result.m_abs.push_back(std::abs(m));
    result.m2.push_back(m * m);
    result.m4.push_back(std::pow(m, 4));
    result.k.push_back(one.K[r] / wave);
  }
  for (std::size_t p = 0; p < one.Q.size(); ++p) {
    const double q = one.Q[p] / N;
    result.q.push_back(q);
    result.q_abs.push_back(std::abs(q));
    result.q2.push_back(q * q);
    result.q4.push_back(std::pow(q, 4));
    result.kq.push_back(one.KQ[p] / wave);
  }
  return result;
}

Averages averages_of(const MethodFile& file, std::size_t temperature, std::int64_t moment, std::int64_t sample) {
  const std::int64_t count = file.method == Method::relaxation ? 1 : file.measurements;
  Averages sum;
  for (std::int64_t i = 0; i < count; ++i) {
    Averages one = averages_of(file, file.integers(temperature, moment, sample, i));
    for (std::size_t a = 0; a < one.all().size(); ++a) {
      sum.all()[a]->resize(one.all()[a]->size(), 0.0);
      for (std::size_t r = 0; r < one.all()[a]->size(); ++r)
        (*sum.all()[a])[r] += (*one.all()[a])[r] / static_cast<double>(count);
    }
  }
  return sum;
}

double mean(const std::vector<double>& a) {
  double sum = 0;
  for (const double value : a) sum += value / static_cast<double>(a.size());
  return sum;
}

/// Of f(a_r, a_s) over pairs of replicas.
template <class F>
double over_replicas(const std::vector<double>& a, const F& f) {
  std::vector<double> values;
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t s = r + 1; s < a.size(); ++s) values.push_back(f(a[r], a[s]));
  return mean(values);
}

/// Of f over the pairs of four replicas that share none: (01)(23), (02)(13), (03)(12).
template <class F>
double over_disjoint(const std::vector<double>& a, const F& f) {
  return mean({f(a[0], a[5]), f(a[1], a[4]), f(a[2], a[3])});
}

double product(double a, double b) { return a * b; }
double gap(double a, double b) { return (a - b) * (a - b) / 2; }

/// Disorder averages of what formulas need, by names of their own, over the samples and moments.
Values disorder_averages(const MethodFile& file, std::size_t temperature, const std::vector<std::int64_t>& moments) {
  Values sum;
  const double weight = 1 / static_cast<double>(file.samples * std::ssize(moments));
  const auto add = [&](const std::string& name, double value) { sum[name] += weight * value; };
  for (const std::int64_t moment : moments)
    for (std::int64_t sample = 0; sample < file.samples; ++sample) {
      const Averages one = averages_of(file, temperature, moment, sample);
      for (const auto& [name, values] : {std::pair{"e", one.e},
                                         {"e2", one.e2},
                                         {"m", one.m},
                                         {"m_abs", one.m_abs},
                                         {"m2", one.m2},
                                         {"m4", one.m4},
                                         {"k", one.k},
                                         {"q", one.q},
                                         {"q_abs", one.q_abs},
                                         {"q2", one.q2},
                                         {"q4", one.q4},
                                         {"kq", one.kq}})
        add(name, mean(values));
      if (file.replicas >= 2) {
        for (const auto& [name, values] : {std::pair{"e", one.e}, {"m", one.m}, {"m2", one.m2}}) {
          add(std::string(name) + " product", over_replicas(values, product));
          add(std::string(name) + " gap", over_replicas(values, gap));
        }
      }
      if (file.replicas == 4) {
        add("q2 product", over_disjoint(one.q2, product));
        add("q2 gap", over_disjoint(one.q2, gap));
      }
      add("bin e", mean(one.e) * mean(one.e));
      add("bin m_abs", mean(one.m_abs) * mean(one.m_abs));
      add("bin m2", mean(one.m2) * mean(one.m2));
    }
  return sum;
}

double xi_of(const MethodFile& file, double chi, double wave) {
  return std::sqrt(chi / wave - 1) / (2 * std::sin(std::numbers::pi / static_cast<double>(file.L)));
}

/// chi, xi and the cumulants of an order parameter, with a suffix for all names.
void add_order(Values& values, const MethodFile& file, double square, double fourth, double wave) {
  const double chi = file.sites() * square;
  values["chi"] = chi;
  values["chi_k"] = wave;
  values["xi"] = xi_of(file, chi, wave);
  values["xi_over_L"] = values["xi"] / static_cast<double>(file.L);
  values["U4"] = fourth / (square * square);
  values["g"] = (3 - values["U4"]) / 2;
}

void add_overlaps_of_magnets(Values& values, const MethodFile& file, Values a) {
  for (const char* name : {"q", "q2", "q4"}) values[name] = a[name];
  values["chi_q"] = file.sites() * a["q2"];
  values["chi_q_k"] = a["kq"];
  values["xi_q"] = xi_of(file, values["chi_q"], a["kq"]);
  values["xi_q_over_L"] = values["xi_q"] / static_cast<double>(file.L);
}

void add_magnetization(Values& values, const MethodFile& file, Values a) {
  for (const char* name : {"m", "m_abs", "m2", "m4"}) values[name] = a[name];
  add_order(values, file, a["m2"], a["m4"], a["k"]);
  values["chi_con"] = file.sites() * (a["m2"] - a["m product"]);
  values["chi_dis"] = file.sites() * a["m product"];
}

void add_overlap(Values& values, const MethodFile& file, Values a) {
  values["m2"] = file.sites() * a["m2"];
  values["q2"] = a["q2"];
  add_order(values, file, a["q2"], a["q4"], a["kq"]);
  values["U22"] = a["q2 product"] / (a["q2"] * a["q2"]) - 1;
}

Values relaxation_of(const MethodFile& file, std::size_t temperature, std::int64_t time) {
  Values a = disorder_averages(file, temperature, {time});
  Values values = {{"e", a["e"]}};
  if (file.preset.has_random_bonds()) {
    add_overlap(values, file, a);
    return values;
  }
  add_magnetization(values, file, a);
  if (file.preset.has_disorder()) add_overlaps_of_magnets(values, file, a);
  return values;
}

Values equilibrium_of(const MethodFile& file, std::size_t temperature, const std::vector<std::int64_t>& bins) {
  Values a = disorder_averages(file, temperature, bins);
  const double beta = 1 / file.temperatures[temperature], N = file.sites();
  const double sweeps = static_cast<double>(5 * file.measurements);
  Values values = {{"e", a["e"]}};
  const bool disorder = file.preset.has_disorder();
  values["C"] = beta * beta * N * (a["e2"] - (disorder ? a["e product"] : a["e"] * a["e"]));
  if (!disorder) {
    add_magnetization(values, file, a);
    for (const char* name : {"m", "g", "chi_con", "chi_dis"}) values.erase(name);
    values["binder_U"] = 1 - values["U4"] / 3;
    const auto tau = [&](const char* name, double square) {
      const double mean_2 = a[name] * a[name];
      return sweeps / 2 * (a[std::string("bin ") + name] - mean_2) / (square - mean_2);
    };
    values["tau_int_e"] = tau("e", a["e2"]);
    values["tau_int_m_abs"] = tau("m_abs", a["m2"]);
    values["tau_int_m2"] = tau("m2", a["m4"]);
    return values;
  }
  const auto tau = [&](const std::string& name, double square) {
    return sweeps / 2 * a[name + " gap"] / (square - a[name + " product"]);
  };
  values["tau_int_e"] = tau("e", a["e2"]);
  values["q_abs"] = a["q_abs"];
  if (file.preset.has_random_bonds()) {
    add_overlap(values, file, a);
    values["tau_int_q2"] = tau("q2", a["q4"]);
    return values;
  }
  add_magnetization(values, file, a);
  add_overlaps_of_magnets(values, file, a);
  values["tau_int_m"] = tau("m", a["m2"]);
  values["tau_int_m2"] = tau("m2", a["m4"]);
  return values;
}

/// Observables of the full data, without bias correction.
Values plain(const Ensemble& ensemble, const statistics::Blocks& blocks) {
  const Observables all = observables(ensemble);
  const Eigen::VectorXd found = all.evaluate(blocks.means());
  Values values;
  for (std::size_t i = 0; i < all.names.size(); ++i) values[all.names[i]] = found[static_cast<Eigen::Index>(i)];
  return values;
}

void expect_equal(const Values& found, const Values& wanted, const std::string& where) {
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(found.contains(name)) << where << " lacks " << name;
    EXPECT_NEAR(found.at(name), value, 1e-9 * std::max(1.0, std::abs(value))) << where << " " << name;
  }
  for (const auto& [name, value] : found) EXPECT_TRUE(wanted.contains(name)) << where << " has " << name;
}

TEST(Methods, RelaxationOfEveryModelHasTheObservablesOfADirectEvaluation) {
  for (const MethodFile& file : test::files_of_all_models(Method::relaxation)) {
    const std::vector<Ensemble> ensembles = reduce(file.make(), {});
    for (std::size_t t = 0; t < ensembles.size(); ++t)
      for (std::size_t time = 0; time < ensembles[t].moments.size(); ++time)
        expect_equal(plain(ensembles[t], blocks_at(ensembles[t], time)),
                     relaxation_of(file, t, static_cast<std::int64_t>(time)), std::string(file.preset.name));
  }
}

TEST(Methods, EquilibriumOfEveryModelHasTheObservablesOfADirectEvaluation) {
  for (const MethodFile& file : test::files_of_all_models(Method::equilibrium)) {
    const std::vector<Ensemble> ensembles = reduce(file.make(), {});
    for (std::size_t t = 0; t < ensembles.size(); ++t)
      expect_equal(plain(ensembles[t], equilibrium_blocks(ensembles[t])), equilibrium_of(file, t, {2, 3}),
                   std::string(file.preset.name));
  }
}

/// The value and error of an observable from replicates without one sample each.
statistics::Estimate jackknife(const std::vector<double>& without, double full) {
  const auto n = static_cast<double>(without.size());
  double centre = 0, variance = 0;
  for (const double one : without) centre += one / n;
  for (const double one : without) variance += (one - centre) * (one - centre) * (n - 1) / n;
  return {n * full - (n - 1) * centre, std::sqrt(variance)};
}

TEST(Methods, ErrorsOfADisorderAverageAreOfTheJackknifeOverFewSamplesToo) {
  for (MethodFile file : test::files_of_all_models(Method::equilibrium)) {
    if (!file.preset.has_disorder()) continue;
    file.samples = 5;
    const double full = equilibrium_of(file, 0, {2, 3}).at("C");
    std::vector<double> without;
    for (std::int64_t left_out = 0; left_out < file.samples; ++left_out) {
      Values sum;  // over two bins of the four other samples
      for (std::int64_t sample = 0; sample < file.samples; ++sample) {
        if (sample == left_out) continue;
        for (const std::int64_t bin : {2, 3}) {
          const Averages a = averages_of(file, 0, bin, sample);
          sum["e2"] += mean(a.e2) / 8;
          sum["product"] += over_replicas(a.e, product) / 8;
        }
      }
      without.push_back(file.sites() / 2.25 * (sum["e2"] - sum["product"]));
    }
    const statistics::Estimate wanted = jackknife(without, full);
    for (const Row& row : table(reduce(file.make(), {})[0])) {
      EXPECT_EQ(row.blocks, 5);
      EXPECT_EQ(row.equilibrated, std::nullopt) << "too few samples for a test";
      if (row.observable != "C") continue;
      EXPECT_NEAR(row.estimate.value, wanted.value, 1e-9 * std::abs(wanted.value));
      EXPECT_NEAR(row.estimate.error, wanted.error, 1e-9 * wanted.error);
    }
  }
}

/// Names of the observables of the first temperature.
std::vector<std::string> names_of(const MethodFile& file) { return observables(reduce(file.make(), {})[0]).names; }

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Methods, ObservablesThatNeedMoreReplicasAreLeftOut) {
  for (const Method method : {Method::relaxation, Method::equilibrium})
    for (MethodFile file : test::files_of_all_models(method)) {
      if (!file.preset.has_disorder()) continue;
      file.replicas = 1;
      const auto one = names_of(file);
      file.replicas = 2;
      const auto two = names_of(file);
      EXPECT_TRUE(has(one, "e"));
      EXPECT_FALSE(has(one, "C") || has(one, "q2") || has(one, "chi_con") || has(one, "tau_int_e"));
      EXPECT_EQ(has(one, "xi"), !file.preset.has_random_bonds());
      EXPECT_TRUE(has(two, "q2") && has(two, "xi"));
      EXPECT_EQ(has(two, "C"), method == Method::equilibrium);
      EXPECT_FALSE(has(two, "U22") || has(two, "tau_int_q2"));
    }
}

TEST(FixedRxi, RefusesARunOfOneReplicaOnlyWhereTheOrderParameterIsTheOverlap) {
  for (MethodFile file : test::files_of_all_models(Method::relaxation)) {
    file.replicas = 1;
    const Ensemble ensemble = reduce(file.make(), {})[0];
    const std::string message = test::refusal([&] { values_at_fixed_R_xi(ensemble, {0.3}); });
    EXPECT_EQ(message.find("has one replica, but overlaps need two") != std::string::npos,
              file.preset.has_random_bonds());
  }
}

TEST(Methods, AnObservableWhoseIntegerIsMissingIsLeftOutButTheEnergyAndTheOrderParameterAreRequired) {
  for (const Method method : {Method::relaxation, Method::equilibrium})
    for (const MethodFile& job : test::files_of_all_models(method)) {
      const bool bonds = job.preset.has_random_bonds();
      const auto without = [&](const std::string& name) {
        io::LabelledFile file = job.make();
        std::erase_if(file.datasets, [&](const io::Dataset& dataset) { return dataset.name == name; });
        return file;
      };
      const auto names = observables(reduce(without(bonds ? "overlap_k2" : "magnetization_k2"), {})[0]).names;
      EXPECT_FALSE(has(names, "chi_k") || has(names, "xi") || has(names, "xi_over_L"));
      EXPECT_TRUE(has(names, "chi") && has(names, "U4"));
      const std::string order =
          std::string(bonds ? "overlap" : "magnetization") + (method == Method::equilibrium ? "_2" : "");
      for (const std::string& name : {std::string("bond_sum"), order})
        EXPECT_NE(test::refusal([&] { reduce(without(name), {}); }).find("its dataset " + name + " is missing"),
                  std::string::npos)
            << job.preset.name;
    }
}

TEST(Methods, ReducedFilesKeepTheMethodAndGiveTheSameTable) {
  const test::TemporaryFolder folder;
  for (const Method method : {Method::relaxation, Method::equilibrium})
    for (const MethodFile& file : test::files_of_all_models(method)) {
      const std::vector<Ensemble> before = reduce(file.make(), {});
      io::write(folder / "reduced.h5", to_file(before));
      const std::vector<Ensemble> after = read_ensembles({folder / "reduced.h5"});
      ASSERT_EQ(after.size(), before.size());
      for (std::size_t t = 0; t < before.size(); ++t) {
        EXPECT_EQ(after[t].method(), method);
        const std::vector<Row> one = table(before[t]), two = table(after[t]);
        ASSERT_EQ(one.size(), two.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
          EXPECT_EQ(one[i].observable, two[i].observable);
          const double a = one[i].estimate.value, b = two[i].estimate.value;
          EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << one[i].observable;
        }
      }
    }
}

TEST(Methods, AFileThatNamesNoMethodIsOfThatOfItsModelAndMergesWithOneThatNamesIt) {
  for (const Preset& preset : presets) {
    if (preset.method == Method::tempering) continue;
    MethodFile job{.preset = preset, .method = preset.method};
    if (!preset.has_disorder()) job.replicas = 1;
    io::LabelledFile old = job.make();
    old.attributes.erase("method");
    job.first_sample = job.samples;
    const std::vector<Ensemble> merged = merge({reduce(old, {})[0], reduce(job.make(), {})[0]});
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(merged[0].ranges[0].count, 2 * job.samples);
    EXPECT_EQ(merged[0].method(), preset.method);
  }
}

TEST(Methods, FilesOfOtherOrUnknownMethodsAreRefused) {
  MethodFile job{.preset = presets[0], .method = Method::relaxation};
  MethodFile other{.preset = presets[0], .method = Method::equilibrium};
  other.L = 6;
  const std::string message = test::refusal([&] { merge({reduce(job.make(), {})[0], reduce(other.make(), {})[0]}); });
  EXPECT_NE(message.find("their method differs (relaxation and equilibrium)"), std::string::npos) << message;
  io::LabelledFile unknown = job.make();
  unknown.attributes["method"] = std::string("annealing");
  EXPECT_NE(test::refusal([&] { reduce(unknown, {}); }).find("its method annealing is unknown"), std::string::npos);
}

TEST(Methods, SumsThatOnlySomeShardsOrTemperaturesHaveAreLeftOutOfWhatIsCombined) {
  for (MethodFile job : test::files_of_all_models(Method::relaxation)) {
    io::LabelledFile without = job.make();
    std::erase_if(without.datasets, [](const io::Dataset& dataset) { return dataset.name.ends_with("_k2"); });
    const std::vector<Ensemble> lacking = reduce(without, {});
    job.first_sample = job.samples;
    const std::vector<Ensemble> complete = reduce(job.make(), {});
    for (const Ensemble& merged : {merge({complete[0], lacking[0]})[0], merge({lacking[0], complete[0]})[0]}) {
      EXPECT_EQ(merged.blocks.names, lacking[0].blocks.names);
      EXPECT_EQ(merged.blocks.samples.sum(), 2 * static_cast<double>(job.samples));
      EXPECT_FALSE(observables(merged).has("xi"));
      EXPECT_FALSE(table(merged).empty());
    }
    job.first_sample = 0;
    const io::LabelledFile mixed = to_file({lacking[0], reduce(job.make(), {})[1]});
    const std::vector<Ensemble> back = from_file(mixed);
    for (const Ensemble& ensemble : back) EXPECT_EQ(ensemble.blocks.names, lacking[0].blocks.names);
  }
}

TEST(Methods, AUniformFieldActsOnTheMagnetization) {
  for (MethodFile job : test::files_of_all_models(Method::relaxation)) {
    if (job.preset.has_random_field()) continue;
    job.J = 1;
    job.h = 0;
    io::LabelledFile file = job.make();
    file.attributes["h"] = 0.5;
    const Ensemble with = reduce(file, {})[0], without = reduce(job.make(), {})[0];
    double m = 0;
    for (std::int64_t sample = 0; sample < job.samples; ++sample)
      m += mean(averages_of(job, 0, 0, sample).m) / static_cast<double>(job.samples);
    EXPECT_NEAR(plain(with, blocks_at(with, 0)).at("e"), plain(without, blocks_at(without, 0)).at("e") - 0.5 * m,
                1e-12);
  }
}

}  // namespace
}  // namespace psflip::analysis
