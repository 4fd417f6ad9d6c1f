#include <fmt/format.h>

#include "engine/core/version.hpp"
#include "engine/driver/continued_packs.hpp"
#include "engine/driver/job_file.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/error.hpp"

// Checkpoints of Simulation.
namespace psflip {

namespace {

/// Appends a list with an axis of its own.
template <class T>
void add_list(io::LabelledFile& file, const std::string& name, std::vector<T> values) {
  file.axes.push_back({name + "_index", coordinates(values.size()), "1", "see engine/driver/engine.hpp"});
  file.datasets.push_back({name, {name + "_index"}, std::move(values), "1", "of the engine that is running"});
}

/// Spins of all slots, each slot from a word of its own on.
std::vector<std::uint32_t> words_of_slots(const Engine& engine, std::size_t slots) {
  std::vector<std::uint32_t> spins;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::vector<std::uint32_t> words = without_gaps(engine.packed_spins(slot));
    spins.reserve(slots * words.size());
    spins.insert(spins.end(), words.begin(), words.end());
  }
  return spins;
}

void add_tempering_state(io::LabelledFile& file, const Engine& engine) {
  std::vector<std::int8_t> labels;
  for (const FlowLabel label : engine.flow_labels()) labels.push_back(static_cast<std::int8_t>(label));
  Sums sums = engine.sums();
  add_list(file, "checkpoint_flow_labels", std::move(labels));
  add_list(file, "checkpoint_set_sums", std::move(sums.set));
  add_list(file, "checkpoint_pair_sums", std::move(sums.pair));
  add_list(file, "checkpoint_accepted", std::move(sums.accepted));
  add_list(file, "checkpoint_round_trips", std::move(sums.round_trips));
  add_list(file, "checkpoint_flow_cold", std::move(sums.flow_cold));
  add_list(file, "checkpoint_flow_hot", std::move(sums.flow_hot));
  if (!sums.overlap_counts.empty()) add_list(file, "checkpoint_overlap_counts", std::move(sums.overlap_counts));
}

Sums sums_of_checkpoint(const io::LabelledFile& f) {
  Sums sums{f.values<double>("checkpoint_set_sums"),
            f.values<double>("checkpoint_pair_sums"),
            f.values<std::int32_t>("checkpoint_accepted"),
            f.values<std::int32_t>("checkpoint_round_trips"),
            {},
            f.values<std::int32_t>("checkpoint_flow_cold"),
            f.values<std::int32_t>("checkpoint_flow_hot")};
  if (f.has_dataset("checkpoint_overlap_counts"))
    sums.overlap_counts = f.values<std::int32_t>("checkpoint_overlap_counts");
  return sums;
}

}  // namespace

io::LabelledFile Simulation::checkpoint() {
  take_reading();
  io::LabelledFile f;
  f.axes = recorder_->axes();
  f.datasets = recorder_->datasets();
  const std::size_t slots = legs_[0].system.slots();
  add_signs(f, "checkpoint_spins", engine_ ? words_of_slots(*engine_, slots) : std::vector<std::uint32_t>());
  add_signs(f, "checkpoint_final_spins", without_gaps(saved_spins_));
  if (engine_ && slots > 1) add_tempering_state(f, *engine_);
  if (!packs_.empty()) add_list(f, "checkpoint_packs", std::vector<std::int64_t>(packs_.begin(), packs_.end()));
  f.attributes = {{"kind", std::string("checkpoint")},
                  {"stream_version", std::int64_t{stream_version}},
                  {"job", to_toml(job_)},
                  {"leg", static_cast<std::int64_t>(leg_)},
                  {"next_stop", static_cast<std::int64_t>(next_)},
                  {"rounds", static_cast<std::int64_t>(engine_ ? engine_->rounds() : 0)},
                  {"running", std::int64_t{engine_ ? 1 : 0}},
                  {"final_spins", static_cast<std::int64_t>(saved_spins_.rows * saved_spins_.length)},
                  {"seconds", seconds_},
                  {"seconds_measuring", seconds_measuring_}};
  return f;
}

/// The job text does not tell jobs with --save-spins from those without.
void Simulation::require_saved_spins(const io::LabelledFile& f) const {
  std::size_t stops = 0;
  for (std::size_t leg = 0; leg < legs_.size() && leg <= leg_; ++leg)
    for (std::size_t stop = 0; stop < (leg < leg_ ? legs_[leg].stops.size() : next_); ++stop)
      stops += saves_spins_at(leg, stop) ? 1 : 0;
  const System& s = legs_.front().system;
  if (static_cast<std::size_t>(f.integer("final_spins")) !=
      stops * s.slots() * s.samples * static_cast<std::size_t>(s.replicas) * s.sites())
    throw UserError(fmt::format(
        "{}: was written with or without --save-spins, unlike this job; give the same options, or remove it.",
        f.path.string()));
}

void Simulation::resume(const io::LabelledFile& f) {
  require_same_job(f, to_toml(job_));
  recorder_->restore(f);
  is_reading_ = false;
  leg_ = static_cast<std::size_t>(f.integer("leg"));
  if (f.has_dataset("checkpoint_packs")) {
    const auto& packs = f.values<std::int64_t>("checkpoint_packs");
    packs_.assign(packs.begin(), packs.end());
    recorder_->continue_packs(packs_);
  }
  const std::size_t N = job_.system.sites();
  if (f.integer("running") != 0) {
    start_leg();
    const System system = system_of(leg_);
    const std::size_t rows = system.samples * static_cast<std::size_t>(system.replicas);
    const std::uint32_t* words = f.values<std::uint32_t>("checkpoint_spins").data();
    for (std::size_t slot = 0; slot < system.slots(); ++slot)
      engine_->restore_spins(slot, rows_of(words + slot * ((rows * N + 31) / 32), rows, N));
    const auto rounds = static_cast<std::uint64_t>(f.integer("rounds"));
    if (system.slots() > 1) {
      std::vector<FlowLabel> labels;
      for (const std::int8_t label : f.values<std::int8_t>("checkpoint_flow_labels"))
        labels.push_back(static_cast<FlowLabel>(label));
      engine_->restore(rounds, labels, sums_of_checkpoint(f));
    } else {
      engine_->restore(rounds);
    }
    next_ = static_cast<std::size_t>(f.integer("next_stop"));
  }
  saved_spins_ = rows_of(f.values<std::uint32_t>("checkpoint_final_spins").data(),
                         static_cast<std::size_t>(f.integer("final_spins")) / N, N);
  require_saved_spins(f);
  seconds_ = f.real("seconds");
  seconds_measuring_ = f.real("seconds_measuring");
}

}  // namespace psflip
