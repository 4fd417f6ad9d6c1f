#include "engine/driver/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "engine/driver/recorders.hpp"
#include "engine/io/error.hpp"

namespace psflip {

std::vector<std::uint64_t> Recorder::slowest_packs(std::uint64_t) const {
  throw std::logic_error("only tempering continues single packs");
}

void Recorder::continue_packs(const std::vector<std::uint64_t>&) {
  throw std::logic_error("only tempering continues single packs");
}

void Recorder::restore(const io::LabelledFile& checkpoint) {
  for (io::Dataset& d : datasets_) {
    const io::Dataset& kept = checkpoint.dataset(d.name);
    if (kept.axes != d.axes || kept.values.index() != d.values.index() || io::size(kept.values) != io::size(d.values))
      throw UserError(fmt::format(
          "Cannot use {}: its dataset {} has another shape or type than the job gives it; remove it and start again.",
          checkpoint.path.string(), d.name));
    if (const auto* reals = std::get_if<std::vector<double>>(&kept.values);
        reals != nullptr && !std::all_of(reals->begin(), reals->end(), [](double x) { return std::isfinite(x); }))
      throw UserError(
          fmt::format("Cannot use {}: its dataset {} has values that are no finite numbers; remove it and start again.",
                      checkpoint.path.string(), d.name));
    d.values = kept.values;
  }
}

std::unique_ptr<Recorder> make_recorder(const Job& job, Arrays arrays) {
  switch (job.method) {
    case Method::relaxation:
      return make_time_recorder(job, arrays);
    case Method::equilibrium:
      return make_bin_recorder(job, arrays);
    default:
      return make_sum_recorder(job, arrays);
  }
}

std::vector<std::int64_t> numbers_from(std::uint64_t first, std::uint64_t count) {
  std::vector<std::int64_t> ids(count);
  std::iota(ids.begin(), ids.end(), static_cast<std::int64_t>(first));
  return ids;
}

io::Axis temperature_axis(const Job& job, const std::string& description) {
  return {"temperature", job.T, "J/k_B", description};
}

io::Axis Recorder::sample_axis(const System& system) {
  std::vector<std::int64_t> ids = zeros<std::int64_t>({system.samples});
  std::iota(ids.begin(), ids.end(), static_cast<std::int64_t>(system.first_sample));
  return {"sample", std::move(ids), "1", "global sample id"};
}

io::Axis replica_axis(const System& system) {
  return {"replica", numbers_from(0, static_cast<std::uint64_t>(system.replicas)), "1",
          "independent copies of a sample"};
}

io::Dataset beta_dataset(const Job& job, const std::string& description) {
  return {"beta", {"temperature"}, job.beta, "k_B/J", description};
}

void add_pairs(const System& system, std::vector<io::Axis>& axes, std::vector<io::Dataset>& datasets) {
  axes.push_back({"pair", numbers_from(0, static_cast<std::uint64_t>(system.pairs())), "1", "pairs of replicas"});
  axes.push_back({"member", numbers_from(0, 2), "1", "first and second replica of a pair"});
  std::vector<std::int32_t> members;
  for (int a = 0; a < system.replicas; ++a)
    for (int b = a + 1; b < system.replicas; ++b) members.insert(members.end(), {a, b});
  datasets.push_back({"pair_replicas", {"pair", "member"}, members, "1", "replicas of each pair"});
}

}  // namespace psflip
