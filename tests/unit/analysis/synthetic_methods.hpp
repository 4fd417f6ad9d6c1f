#pragma once
#include <cmath>
#include <vector>

#include "engine/models/model.hpp"
#include "engine/random/system_tag.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"

/// Measurement files of any method and model with random integers, which stay at hand for a direct evaluation.
namespace psflip::test {

/// The integers of one measurement of one sample: of its replicas, then of their pairs.
struct Integers {
  std::vector<double> B, F, M, K, Q, KQ;
};

struct MethodFile {
  Preset preset;
  Method method = Method::relaxation;
  std::int64_t L = 4, replicas = 4, first_sample = 0, samples = 20, bins = 4, measurements = 3;
  double J = 1, h = 0;
  std::vector<double> temperatures = {1.5, 2};

  double sites() const { return std::pow(static_cast<double>(L), preset.dimension); }
  std::int64_t pairs() const { return replicas * (replicas - 1) / 2; }

  /// A measurement at a temperature and moment; relaxation has one.
  Integers integers(std::size_t temperature, std::int64_t moment, std::int64_t sample, std::int64_t measurement) const {
    std::uint64_t state = 0;
    for (const std::int64_t number : {static_cast<std::int64_t>(temperature), moment, sample, measurement, L})
      state = splitmix64(state ^ static_cast<std::uint64_t>(number));
    const auto within = [&](double least, double most) {
      state = splitmix64(state);
      return std::floor(least + (most - least) * std::ldexp(static_cast<double>(state >> 11), -53));
    };
    const double N = sites(), D = preset.dimension;
    Integers one;
    for (std::int64_t r = 0; r < replicas; ++r) {
      one.B.push_back(within(0.2 * D * N, 0.8 * D * N));
      one.F.push_back(within(-0.2 * N, 0.6 * N));
      one.M.push_back(within(0.1 * N, 0.9 * N));
      one.K.push_back(within(0, 1024 * 0.1 * D * N));
    }
    for (std::int64_t p = 0; p < pairs(); ++p) {
      one.Q.push_back(within(-0.9 * N, 0.9 * N));
      one.KQ.push_back(within(0, 1024 * 0.1 * D * N));
    }
    return one;
  }

  io::LabelledFile make() const {
    io::LabelledFile file = header();
    if (method == Method::relaxation)
      add_moments(file);
    else
      add_bins(file);
    return file;
  }

 private:
  io::LabelledFile header() const {
    SyntheticJob job;
    job.model = preset.name;
    job.L = L;
    job.replicas = replicas;
    job.random = "independent";
    job.first_sample = first_sample;
    job.samples = samples;
    job.temperatures = temperatures;
    job.moments.clear();
    const bool relaxation = method == Method::relaxation;
    for (std::int64_t b = 1; b <= bins; ++b) job.moments.push_back(relaxation ? 1 << b : 5 * measurements * b);
    io::LabelledFile file = synthetic_header(job);
    file.axes[1].name = relaxation ? "time" : "bin";
    file.attributes["method"] = std::string(name_of(method));
    file.attributes["measure_interval"] = std::int64_t{5};
    if (relaxation) file.attributes.erase("measure_interval");
    if (preset.has_random_field() || h != 0) {
      file.attributes["J"] = J;
      file.attributes["h"] = h;
    }
    add_axis(file, "replica", replicas);
    add_axis(file, "pair", pairs());
    return file;
  }

  static void add_axis(io::LabelledFile& file, const std::string& name, std::int64_t count) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(i);
    file.axes.push_back({name, ids, "", ""});
  }

  /// Adds a dataset whose members at each measurement are `get`, summed over the measurements.
  template <class T, class Get>
  void add(io::LabelledFile& file, const std::string& name, const std::string& members, const Get& get) const {
    const std::int64_t count = method == Method::relaxation ? 1 : measurements;
    std::vector<T> all;
    for (std::size_t t = 0; t < temperatures.size(); ++t)
      for (std::int64_t moment = 0; moment < bins; ++moment)
        for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample) {
          std::vector<double> sums;
          for (std::int64_t i = 0; i < count; ++i) {
            const std::vector<double> values = get(integers(t, moment, sample, i));
            sums.resize(values.size(), 0.0);
            for (std::size_t r = 0; r < values.size(); ++r) sums[r] += values[r];
          }
          for (const double sum : sums) all.push_back(static_cast<T>(sum));
        }
    std::vector<std::string> axes = {"temperature", file.axes[1].name, "sample"};
    if (!members.empty()) axes.push_back(members);
    file.datasets.push_back({name, axes, all, "", ""});
  }

  void add_moments(io::LabelledFile& file) const {
    add<std::int32_t>(file, "bond_sum", "replica", [](const Integers& one) { return one.B; });
    add<std::int32_t>(file, "magnetization", "replica", [](const Integers& one) { return one.M; });
    if (preset.has_random_field())
      add<std::int32_t>(file, "field_sum", "replica", [](const Integers& one) { return one.F; });
    if (!preset.has_random_bonds())
      add<std::int64_t>(file, "magnetization_k2", "replica", [](const Integers& one) { return one.K; });
    if (!preset.has_disorder() || replicas < 2) return;
    add<std::int32_t>(file, "overlap", "pair", [](const Integers& one) { return one.Q; });
    add<std::int64_t>(file, "overlap_k2", "pair", [](const Integers& one) { return one.KQ; });
  }

  static std::vector<double> products(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result;
    for (std::size_t r = 0; r < a.size(); ++r) result.push_back(a[r] * b[r]);
    return result;
  }
  static std::vector<double> absolute(std::vector<double> values) {
    for (double& value : values) value = std::abs(value);
    return values;
  }

  /// Powers of the sum of +-1 over sites, with their names.
  template <class Get>
  void add_powers(io::LabelledFile& file, const std::string& name, const std::string& members, const Get& get) const {
    const auto square = [=](const Integers& one) { return products(get(one), get(one)); };
    add<double>(file, name, members, get);
    add<double>(file, "abs_" + name, members, [=](const Integers& one) { return absolute(get(one)); });
    add<double>(file, name + "_2", members, square);
    add<double>(file, name + "_4", members, [=](const Integers& one) { return products(square(one), square(one)); });
  }

  void add_bins(io::LabelledFile& file) const {
    const std::string members = preset.has_disorder() ? "replica" : "";
    file.datasets.push_back({"measurements", {"bin"}, std::vector<std::int64_t>(bins, measurements), "", ""});
    add<double>(file, "bond_sum", members, [](const Integers& one) { return one.B; });
    add<double>(file, "bond_sum_2", members, [](const Integers& one) { return products(one.B, one.B); });
    if (preset.has_random_field()) {
      add<double>(file, "field_sum", members, [](const Integers& one) { return one.F; });
      add<double>(file, "field_sum_2", members, [](const Integers& one) { return products(one.F, one.F); });
      add<double>(file, "bond_field", members, [](const Integers& one) { return products(one.B, one.F); });
    } else if (h != 0) {
      add<double>(file, "bond_field", members, [](const Integers& one) { return products(one.B, one.M); });
    }
    add_powers(file, "magnetization", members, [](const Integers& one) { return one.M; });
    if (!preset.has_random_bonds())
      add<double>(file, "magnetization_k2", members, [](const Integers& one) { return one.K; });
    if (!preset.has_disorder() || replicas < 2) return;
    add_powers(file, "overlap", "pair", [](const Integers& one) { return one.Q; });
    add<double>(file, "overlap_k2", "pair", [](const Integers& one) { return one.KQ; });
  }
};

/// The presets of the registry, each with a file of its own.
inline std::vector<MethodFile> files_of_all_models(Method method) {
  std::vector<MethodFile> files;
  for (const Preset& preset : presets) {
    MethodFile file{.preset = preset, .method = method};
    if (preset.has_field()) {
      file.J = 0.8;
      file.h = 0.7;
    }
    if (method == Method::equilibrium && !preset.has_disorder()) file.replicas = 1;
    files.push_back(file);
  }
  return files;
}

}  // namespace psflip::test
