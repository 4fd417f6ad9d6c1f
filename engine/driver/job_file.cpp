#include "engine/driver/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/io/error.hpp"

namespace psflip {

std::vector<std::int64_t> coordinates(std::size_t n) {
  std::vector<std::int64_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int64_t>(i);
  return values;
}

void add_signs(io::LabelledFile& file, const std::string& name, std::vector<std::uint32_t> words) {
  constexpr std::size_t longest_row = 1024;
  const std::size_t row = std::min(words.size(), longest_row), rows = row == 0 ? 0 : (words.size() + row - 1) / row;
  words.resize(rows * row, 0);
  file.axes.push_back({name + "_row", coordinates(rows), "1", fmt::format("{} spins in canonical order", 32 * row)});
  file.axes.push_back({name + "_word", coordinates(row), "1", "32 spins in canonical order"});
  file.datasets.push_back({name, {name + "_row", name + "_word"}, std::move(words), "1", "a set bit is -1"});
}

io::Attributes attributes_of(const Job& job) {
  const System& s = job.system;
  io::Attributes all = {{"kind", std::string("measurement")},
                        {"stream_version", std::int64_t{stream_version}},
                        {"model", name_of(s.model)},
                        {"method", std::string(name_of(job.method))},
                        {"L", std::int64_t{s.L}},
                        {"seed", std::int64_t{s.seed}},
                        {"random", name_of(s.random)},
                        {"packing", name_of(s.packing)},
                        {"start", name_of(s.start)},
                        {"couplings", name_of(s.couplings)},
                        {"replicas", std::int64_t{s.replicas}},
                        {"sweeps", static_cast<std::int64_t>(job.sweeps)},
                        {"first_sample", static_cast<std::int64_t>(s.first_sample)},
                        {"samples", static_cast<std::int64_t>(s.samples)},
                        {"job", to_toml(job)}};
  if (s.has_field()) all.insert({{"J", s.J}, {"h", s.h}});
  if (s.p != 0.5) all["p"] = s.p;
  if (!job.disorder.hash.empty())
    all.insert({{"disorder", std::string("given")}, {"disorder_hash", job.disorder.hash}});
  const auto add = [&](const char* name, std::uint64_t value) {
    if (value > 0) all[name] = static_cast<std::int64_t>(value);
  };
  add("exchange_interval", job.exchange_interval);
  add("measure_interval", job.measure_interval == job.exchange_interval ? 0 : job.measure_interval);
  add("longer_packs", job.extended.packs);
  add("longer_times", job.extended.packs > 0 ? job.extended.times : 0);
  return all;
}

void add_system_axes(io::LabelledFile& file, const System& system) {
  file.axes.push_back({"L", std::vector<std::int64_t>{system.L}, "1", "linear size"});
  if (system.preset().has_field()) file.axes.push_back({"h", std::vector<double>{system.h}, "J", "field"});
  if (system.preset().has_random_bonds())
    file.axes.push_back({"p", std::vector<double>{system.p}, "1", "probability of J = -1"});
}

/// [stop][slot][row] as [slot][stop][row].
static PackedSigns slots_first(const PackedSigns& spins, std::size_t stops, std::size_t slots) {
  PackedSigns sorted(spins.rows, spins.length);
  const std::size_t words = spins.words.size() / (stops * slots);
  for (std::size_t stop = 0; stop < stops; ++stop)
    for (std::size_t slot = 0; slot < slots; ++slot)
      std::copy_n(spins.words.data() + (stop * slots + slot) * words, words,
                  sorted.words.data() + (slot * stops + stop) * words);
  return sorted;
}

void add_space(io::LabelledFile& file, const Job& job, const PackedSigns& spins, const PackedSigns& couplings,
               const PackedSigns& fields) {
  const System& s = job.system;
  if (spins.rows + couplings.rows + fields.rows == 0) return;
  std::vector<std::string> space;
  std::string directions;
  for (const char axis : s.preset().axes()) {
    space.insert(space.begin(), std::string(1, axis));
    directions += fmt::format("{}+{}", directions.empty() ? "" : ", ", axis);
  }
  for (const std::string& name : space)
    file.axes.push_back({name, coordinates(static_cast<std::size_t>(s.L)), "1", "lattice coordinate"});
  const auto add = [&](const char* name, std::vector<std::string> axes, const PackedSigns& signs, const char* units,
                       const char* description) {
    axes.insert(axes.end(), space.begin(), space.end());
    if (signs.rows > 0) file.datasets.push_back({name, axes, unpack_signs(signs), units, description});
  };
  const std::string replica = job.method == Method::tempering ? "set" : "replica";
  const auto has_axis = [&](const io::Axis& axis) { return axis.name == replica; };
  if (spins.rows > 0 && std::none_of(file.axes.begin(), file.axes.end(), has_axis))
    file.axes.push_back(
        {replica, coordinates(static_cast<std::size_t>(s.replicas)), "1", "independent copies of a sample"});
  if (const auto& after = job.spins_after; spins.rows > 0 && !after.empty()) {
    file.axes.push_back({"spin_time", std::vector<std::int64_t>(after.begin(), after.end()), "sweeps",
                         "sweeps done when the spins were saved"});
    const bool is_tempered = job.method == Method::tempering;
    add("spins", {"temperature", "spin_time", "sample", replica},
        is_tempered ? slots_first(spins, after.size(), job.beta.size()) : spins, "1", "configuration");
  } else {
    add("spins", {"temperature", "sample", replica}, spins, "1", "final configuration");
  }
  if (couplings.rows > 0) file.axes.push_back({"direction", coordinates(space.size()), "1", directions});
  add("couplings", {"sample", "direction"}, couplings, "J", "bond from the site to its neighbour");
  add("fields", {"sample"}, fields, "1", "h_i, the sign of the field");
}

void require_same_job(const io::LabelledFile& f, const std::string& job) {
  if (f.integer("stream_version") != stream_version)
    throw UserError(fmt::format(
        "{}: was written with another stream_version, so it cannot be continued; remove it and start again.",
        f.path.string()));
  if (f.text("job") != job)
    throw UserError(fmt::format("{}: is the checkpoint of another job; remove it or name another --checkpoint file.",
                                f.path.string()));
}

}  // namespace psflip
