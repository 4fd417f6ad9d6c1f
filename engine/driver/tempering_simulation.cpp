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
    const std::uint64_t count = std::min(ends_[bin_] - engine_->rounds(), chunk_limit(seconds_per_round_));
    const double before = now();
    engine_->advance(count);
    if (count > 0) seconds_per_round_ = ranks_.of_first((now() - before) / static_cast<double>(count));
    if (engine_->rounds() == ends_[bin_]) {
      recorder_.record(bin_++, engine_->sums());
      engine_->clear_sums();
    }
    seconds_ += now() - start;
    after_chunk();
    if (bin_ < ends_.size() && should_stop()) return false;
  }
  return true;
}

double TemperingSimulation::flips_total() const {
  return static_cast<double>(job_.sweeps) * static_cast<double>(job_.system.slots()) * tempering_sets *
         static_cast<double>(job_.system.sites() * job_.system.samples);
}

double TemperingSimulation::flips_done() const {
  return static_cast<double>(rounds_done()) / static_cast<double>(job_.rounds()) * flips_total();
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
  if (!s.measures_every_round()) f.attributes["measure_interval"] = static_cast<std::int64_t>(s.measure_interval);
  if (job_.save_disorder || job_.save_spins) add_space(f);
  return f;
}

void TemperingSimulation::add_space(io::LabelledFile& f) const {
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
  if (job_.save_disorder)
    f.datasets.push_back({"fields", {"sample", "z", "y", "x"}, engine_->fields(), "1", "h_i, the sign of the field"});
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
  std::vector<std::int8_t> journeys;
  for (const Journey journey : engine_->journeys()) journeys.push_back(static_cast<std::int8_t>(journey));
  TemperingSums sums = engine_->sums();
  add("checkpoint_journeys", std::move(journeys));
  add("checkpoint_set_sums", std::move(sums.set));
  add("checkpoint_pair_sums", std::move(sums.pair));
  add("checkpoint_accepted", std::move(sums.accepted));
  add("checkpoint_round_trips", std::move(sums.round_trips));
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
  engine_ = make_engine_(job_.system);
  const auto& words = f.values<std::uint32_t>("checkpoint_spins");
  const std::size_t rows = job_.system.samples * tempering_sets, N = job_.system.sites();
  for (std::size_t slot = 0; slot < job_.system.slots(); ++slot)
    engine_->restore_spins(slot, rows_of(words.data() + slot * ((rows * N + 31) / 32), rows, N));
  std::vector<Journey> journeys;
  for (const std::int8_t journey : f.values<std::int8_t>("checkpoint_journeys"))
    journeys.push_back(static_cast<Journey>(journey));
  engine_->restore(static_cast<std::uint64_t>(f.integer("rounds")), journeys,
                   {f.values<double>("checkpoint_set_sums"), f.values<double>("checkpoint_pair_sums"),
                    f.values<std::int32_t>("checkpoint_accepted"), f.values<std::int32_t>("checkpoint_round_trips")});
}

}  // namespace psflip
