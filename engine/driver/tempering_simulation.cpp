#include "engine/driver/tempering_simulation.hpp"

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/driver/job.hpp"
#include "engine/driver/pieces.hpp"

namespace psflip {

TemperingSimulation::TemperingSimulation(TemperingJob job, MakeTempering make_engine, const Ranks& ranks)
    : job_(std::move(job)),
      make_engine_(std::move(make_engine)),
      ranks_(ranks),
      recorder_(job_),
      ends_(bin_ends(job_)) {}

bool TemperingSimulation::run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) {
  while (bin_ < ends_.size()) {
    const double start = now();
    if (!engine_) engine_ = make_engine_(job_.system);
    if (bin_ == job_.bins && longer_.empty()) go_on_with_slowest();
    const std::uint64_t count = std::min(ends_[bin_] - engine_->rounds(), chunk_limit(seconds_per_round_));
    const double before = now();
    engine_->advance(count);
    if (count > 0) seconds_per_round_ = ranks_.of_first((now() - before) / static_cast<double>(count));
    if (engine_->rounds() == ends_[bin_]) {
      if (bin_ < job_.bins)
        recorder_.record(bin_, engine_->sums());
      else
        recorder_.double_bins(longer_, engine_->sums());
      engine_->clear_sums();
      ++bin_;
    }
    seconds_ += now() - start;
    after_chunk();
    if (bin_ < ends_.size() && should_stop()) return false;
  }
  return true;
}

/// Rank 0 has the sums by which packs are chosen.
void TemperingSimulation::go_on_with_slowest() {
  longer_ = ranks_.is_first() ? slowest_packs(job_, recorder_) : std::vector<std::uint64_t>(job_.longer.packs);
  ranks_.broadcast(longer_.data(), longer_.size() * sizeof(std::uint64_t));
  const TemperingState state = state_of_packs(*engine_, job_.system, longer_, ranks_);
  const TemperingSystem system = present_system();
  engine_.reset();  // its memory may be needed
  engine_ = make_engine_(system);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) engine_->restore_spins(slot, state.spins[slot]);
  engine_->restore(state.rounds, state.flow_labels, empty_sums(system));
}

double TemperingSimulation::flips_after(std::uint64_t rounds) const {
  const std::uint64_t common = std::min(rounds, job_.rounds());
  const auto flips = [&](std::uint64_t count, std::uint64_t samples) {
    return static_cast<double>(count * job_.system.exchange_interval) * static_cast<double>(job_.system.slots()) *
           tempering_sets * static_cast<double>(job_.system.sites() * samples);
  };
  return flips(common, job_.system.samples) + flips(rounds - common, 32 * job_.longer.packs);
}

io::LabelledFile TemperingSimulation::measurement() {
  const TemperingSystem& s = job_.system;
  io::LabelledFile f;
  f.axes = recorder_.axes();
  f.datasets = recorder_.take_datasets();
  f.attributes = attributes_of(s, job_.sweeps, to_toml(job_));
  f.attributes["J"] = s.J;
  f.attributes["h"] = s.h;
  f.attributes["exchange_interval"] = static_cast<std::int64_t>(s.exchange_interval);
  if (job_.longer.packs > 0) {
    f.attributes["longer_packs"] = static_cast<std::int64_t>(job_.longer.packs);
    f.attributes["longer_times"] = static_cast<std::int64_t>(job_.longer.times);
  }
  if (!s.measures_every_round()) f.attributes["measure_interval"] = static_cast<std::int64_t>(s.measure_interval);
  if (job_.save_disorder || job_.save_spins) add_space(f);
  return f;
}

void TemperingSimulation::add_space(io::LabelledFile& f) {
  for (const char* name : {"z", "y", "x"})
    f.axes.push_back({name, coordinates(static_cast<std::size_t>(job_.system.L)), "1", "lattice coordinate"});
  if (job_.save_spins) {
    std::vector<std::int8_t> all;
    for (std::size_t slot = 0; slot < job_.system.slots(); ++slot) {
      const std::vector<std::int8_t> spins = engine_->spins(slot);
      all.insert(all.end(), spins.begin(), spins.end());
    }
    f.datasets.push_back(
        {"spins", {"temperature", "sample", "set", "z", "y", "x"}, std::move(all), "1", "final configuration"});
  }
  if (job_.save_disorder) {
    if (!longer_.empty()) {  // the engine of the longer runs has not the fields of all, and its memory may be needed
      engine_.reset();
      engine_ = make_engine_(job_.system);
    }
    f.datasets.push_back({"fields", {"sample", "z", "y", "x"}, engine_->fields(), "1", "h_i, the sign of the field"});
  }
}

/// Only written once a round has been done, so there is an engine.
io::LabelledFile TemperingSimulation::checkpoint() const {
  io::LabelledFile f;
  f.axes = recorder_.axes();
  f.datasets = recorder_.datasets();
  std::vector<std::uint32_t> spins;
  for (std::size_t slot = 0; slot < job_.system.slots(); ++slot) {
    const std::vector<std::uint32_t> words = without_gaps(engine_->packed_spins(slot));
    spins.reserve(job_.system.slots() * words.size());
    spins.insert(spins.end(), words.begin(), words.end());
  }
  add_signs(f, "checkpoint_spins", std::move(spins));
  const auto add = [&](const std::string& name, auto values) {
    f.axes.push_back({name + "_index", coordinates(values.size()), "1", "see engine/driver/tempering_engine.hpp"});
    f.datasets.push_back({name, {name + "_index"}, std::move(values), "1", "of the bin that is being filled"});
  };
  std::vector<std::int8_t> flow_labels;
  for (const FlowLabel flow_label : engine_->flow_labels()) flow_labels.push_back(static_cast<std::int8_t>(flow_label));
  TemperingSums sums = engine_->sums();
  add("checkpoint_flow_labels", std::move(flow_labels));
  add("checkpoint_set_sums", std::move(sums.set));
  add("checkpoint_pair_sums", std::move(sums.pair));
  add("checkpoint_accepted", std::move(sums.accepted));
  add("checkpoint_round_trips", std::move(sums.round_trips));
  if (!longer_.empty()) add("checkpoint_longer", std::vector<std::int64_t>(longer_.begin(), longer_.end()));
  f.attributes = {{"kind", std::string("checkpoint")},
                  {"stream_version", std::int64_t{stream_version}},
                  {"job", to_toml(job_)},
                  {"next_bin", static_cast<std::int64_t>(bin_)},
                  {"rounds", static_cast<std::int64_t>(engine_->rounds())},
                  {"seconds", seconds_}};
  return f;
}

void TemperingSimulation::resume(const io::LabelledFile& f) {
  require_same_job(f, to_toml(job_));
  recorder_.restore(f);
  bin_ = static_cast<std::size_t>(f.integer("next_bin"));
  seconds_ = f.real("seconds");
  const auto is_list = [](const io::Dataset& dataset) { return dataset.name == "checkpoint_longer"; };
  if (std::any_of(f.datasets.begin(), f.datasets.end(), is_list)) {
    const auto& places = f.values<std::int64_t>("checkpoint_longer");
    longer_.assign(places.begin(), places.end());
  }
  const TemperingSystem system = present_system();
  engine_ = make_engine_(system);
  const auto& words = f.values<std::uint32_t>("checkpoint_spins");
  const std::size_t rows = system.samples * tempering_sets, N = system.sites();
  for (std::size_t slot = 0; slot < system.slots(); ++slot)
    engine_->restore_spins(slot, rows_of(words.data() + slot * ((rows * N + 31) / 32), rows, N));
  std::vector<FlowLabel> flow_labels;
  for (const std::int8_t flow_label : f.values<std::int8_t>("checkpoint_flow_labels"))
    flow_labels.push_back(static_cast<FlowLabel>(flow_label));
  engine_->restore(static_cast<std::uint64_t>(f.integer("rounds")), flow_labels,
                   {f.values<double>("checkpoint_set_sums"), f.values<double>("checkpoint_pair_sums"),
                    f.values<std::int32_t>("checkpoint_accepted"), f.values<std::int32_t>("checkpoint_round_trips")});
}

}  // namespace psflip
