#include "engine/driver/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/core/version.hpp"
#include "engine/driver/job.hpp"
#include "engine/io/error.hpp"

namespace psflip {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::uint64_t chunk_limit(double seconds_per_step) {
  constexpr double seconds_between_looks = 0.2;
  if (seconds_per_step <= 0) return 1;
  return static_cast<std::uint64_t>(std::max(1.0, seconds_between_looks / seconds_per_step));
}

std::vector<std::uint32_t> pack_signs(const std::vector<std::int8_t>& spins) {
  std::vector<std::uint32_t> words((spins.size() + 31) / 32, 0);
  for (std::size_t i = 0; i < spins.size(); ++i) words[i / 32] |= static_cast<std::uint32_t>(spins[i] < 0) << (i % 32);
  return words;
}

std::vector<std::int8_t> unpack_signs(const std::vector<std::uint32_t>& words, std::size_t count) {
  std::vector<std::int8_t> spins(count);
  for (std::size_t i = 0; i < count; ++i)
    spins[i] = (words[i / 32] >> (i % 32)) & 1u ? std::int8_t{-1} : std::int8_t{1};
  return spins;
}

std::vector<std::int64_t> coordinates(std::size_t n) {
  std::vector<std::int64_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int64_t>(i);
  return values;
}

void add_signs(io::LabelledFile& file, const std::string& name, std::vector<std::uint32_t> words) {
  file.axes.push_back({name + "_word", coordinates(words.size()), "1", "32 spins in canonical order"});
  file.datasets.push_back({name, {name + "_word"}, std::move(words), "1", "a set bit is -1"});
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
