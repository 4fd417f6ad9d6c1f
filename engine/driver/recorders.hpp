#pragma once
#include <string>

#include "engine/driver/recorder.hpp"

/// The recorders of the methods, and the axes that they share.
namespace psflip {

std::unique_ptr<Recorder> make_time_recorder(const Job& job, Arrays arrays);
std::unique_ptr<Recorder> make_bin_recorder(const Job& job, Arrays arrays);
std::unique_ptr<Recorder> make_sum_recorder(const Job& job, Arrays arrays);

/// first, first + 1, ..., first + count - 1.
std::vector<std::int64_t> numbers_from(std::uint64_t first, std::uint64_t count);

io::Axis temperature_axis(const Job& job, const std::string& description);
io::Axis replica_axis(const System& system);
io::Dataset beta_dataset(const Job& job, const std::string& description);
/// The axis of the pairs of replicas, and which replicas they are.
void add_pairs(const System& system, std::vector<io::Axis>& axes, std::vector<io::Dataset>& datasets);

}  // namespace psflip
