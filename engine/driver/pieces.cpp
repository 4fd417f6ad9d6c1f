#include "engine/driver/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/driver/job.hpp"
#include "engine/io/error.hpp"

namespace psflip {

std::uint64_t chunk_limit(double seconds_per_step) {
  constexpr double seconds_between_looks = 0.2;
  if (seconds_per_step <= 0) return 1;
  return static_cast<std::uint64_t>(std::max(1.0, seconds_between_looks / seconds_per_step));
}

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

io::Attributes attributes_of(const System& s, std::uint64_t sweeps, const std::string& job) {
  return {{"kind", std::string("measurement")},
          {"stream_version", std::int64_t{stream_version}},
          {"model", name_of(s.model)},
          {"L", std::int64_t{s.L}},
          {"seed", std::int64_t{s.seed}},
          {"random", name_of(s.random)},
          {"packing", name_of(s.packing)},
          {"start", name_of(s.start)},
          {"couplings", name_of(s.couplings)},
          {"replicas", std::int64_t{s.replicas}},
          {"sweeps", static_cast<std::int64_t>(sweeps)},
          {"first_sample", static_cast<std::int64_t>(s.first_sample)},
          {"samples", static_cast<std::int64_t>(s.samples)},
          {"job", job}};
}

void require_same_job(const io::LabelledFile& f, const std::string& job) {
  if (f.integer("stream_version") != stream_version)
    throw UserError(fmt::format(
        "{}: was written with another stream_version, so its trajectory cannot go on; remove it and start again.",
        f.path.string()));
  if (f.text("job") != job)
    throw UserError(fmt::format("{}: is the checkpoint of another job; remove it or name another --checkpoint file.",
                                f.path.string()));
}

}  // namespace psflip
