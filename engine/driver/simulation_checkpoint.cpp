#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

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
  if (!sums.overlap_link_sums.empty())
    add_list(file, "checkpoint_overlap_link_sums", std::move(sums.overlap_link_sums));
}

Sums sums_of_checkpoint(const io::LabelledFile& f) {
  Sums sums{f.values<double>("checkpoint_set_sums"),
            f.values<double>("checkpoint_pair_sums"),
            f.values<std::int32_t>("checkpoint_accepted"),
            f.values<std::int32_t>("checkpoint_round_trips"),
            {},
            f.values<std::int32_t>("checkpoint_flow_cold"),
            f.values<std::int32_t>("checkpoint_flow_hot"),
            {}};
  if (f.has_dataset("checkpoint_overlap_counts"))
    sums.overlap_counts = f.values<std::int32_t>("checkpoint_overlap_counts");
  if (f.has_dataset("checkpoint_overlap_link_sums"))
    sums.overlap_link_sums = f.values<std::int64_t>("checkpoint_overlap_link_sums");
  return sums;
}

/// The checksum protects a checkpoint from accidents; what was edited must not reach memory that it does not fit.
void require(const io::LabelledFile& f, bool is_so, const char* otherwise) {
  if (!is_so)
    throw UserError(fmt::format("Cannot use {}: {}; remove it and start the job again.", f.path.string(), otherwise));
}

std::vector<FlowLabel> labels_of_checkpoint(const io::LabelledFile& f, const System& system) {
  std::vector<FlowLabel> labels;
  for (const std::int8_t label : f.values<std::int8_t>("checkpoint_flow_labels")) {
    require(f, 0 <= label && label <= static_cast<std::int8_t>(FlowLabel::hot_first), "it has unknown flow labels");
    labels.push_back(static_cast<FlowLabel>(label));
  }
  require(f, labels.size() == system.slots() * system.samples * static_cast<std::size_t>(system.replicas),
          "its flow labels are not as many as the configurations of the job");
  return labels;
}

/// The sums, each as long as the system makes it.
Sums sums_for(const io::LabelledFile& f, const System& system) {
  Sums sums = sums_of_checkpoint(f);
  const auto compare = [&f](const auto& array, const Shape& shape) {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    require(f, array.size() == count, "its sums are not as many as those of the job");
    for (const auto value : array)
      require(f, std::isfinite(static_cast<double>(value)), "its sums are no finite numbers");
  };
  for_each_array(sums, system, sum_sizes(system, {0, system.slots()}), compare);
  return sums;
}

/// Increasing indices of packs of the job.
std::vector<std::uint64_t> packs_of_checkpoint(const io::LabelledFile& f, const Job& job) {
  if (!f.has_dataset("checkpoint_packs")) return {};
  const auto& packs = f.values<std::int64_t>("checkpoint_packs");
  require(f, packs.size() == job.extended.packs && !packs.empty(), "it continues another number of packs than the job");
  require(f,
          std::adjacent_find(packs.begin(), packs.end(), std::greater_equal<>()) == packs.end() && packs.front() >= 0 &&
              packs.back() < static_cast<std::int64_t>(job.system.samples / 32),
          "it continues packs that the job does not have");
  return {packs.begin(), packs.end()};
}

/// Spins in `words`, of which there are at least `count`.
const std::uint32_t* words_of(const io::LabelledFile& f, const std::string& name, std::size_t count) {
  const auto& words = f.values<std::uint32_t>(name);
  require(f, words.size() >= count, "its spins are fewer than those of the job");
  return words.data();
}

}  // namespace

io::LabelledFile Simulation::checkpoint() {
  take_readings();
  if (engine_) {
    const double start = now();
    finish_rounds();
    seconds_ += now() - start;
  }
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
                  {"seconds_measuring", seconds_measuring()}};
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

/// Leg, stop and rounds are such that a running job can have been there.
void Simulation::require_position(const io::LabelledFile& f) const {
  const std::int64_t leg = f.integer("leg"), next = f.integer("next_stop"), rounds = f.integer("rounds"),
                     running = f.integer("running"), legs = std::ssize(legs_);
  require(f, (running == 0 || running == 1) && leg >= 0 && leg + running <= legs,
          "it is at a leg that the job has not");
  require(f, f.real("seconds") >= 0 && f.real("seconds_measuring") >= 0, "its times are negative");
  if (leg == legs) return;
  const Leg& at = legs_[static_cast<std::size_t>(leg)];
  require(f, (at.slowest_packs > 0) == f.has_dataset("checkpoint_packs") && (at.slowest_packs == 0 || running == 1),
          "it has packs of another leg");
  if (running == 0) return;
  require(f, next >= 0 && next < std::ssize(at.stops), "it is at a stop that the job has not");
  const std::uint64_t before = next > 0               ? at.stops[static_cast<std::size_t>(next) - 1]
                               : at.slowest_packs > 0 ? legs_[static_cast<std::size_t>(leg) - 1].stops.back()
                                                      : 0;
  require(f,
          rounds >= static_cast<std::int64_t>(before) &&
              rounds <= static_cast<std::int64_t>(at.stops[static_cast<std::size_t>(next)]),
          "its rounds are not those between two stops of the job");
}

void Simulation::restore_engine(const io::LabelledFile& f) {
  start_leg();
  const System system = system_of(leg_);
  const std::size_t N = system.sites(), rows = system.samples * static_cast<std::size_t>(system.replicas),
                    words_in_slot = (rows * N + 31) / 32;
  const std::uint32_t* words = words_of(f, "checkpoint_spins", system.slots() * words_in_slot);
  for (std::size_t slot = 0; slot < system.slots(); ++slot)
    engine_->restore_spins(slot, rows_of(words + slot * words_in_slot, rows, N));
  const auto rounds = static_cast<std::uint64_t>(f.integer("rounds"));
  if (system.slots() > 1)
    engine_->restore(rounds, labels_of_checkpoint(f, system), sums_for(f, system));
  else
    engine_->restore(rounds);
  next_ = static_cast<std::size_t>(f.integer("next_stop"));
}

void Simulation::resume(const io::LabelledFile& f) {
  require_same_job(f, to_toml(job_));
  require_position(f);
  recorder_->restore(f);
  read_ = 0;
  leg_ = static_cast<std::size_t>(f.integer("leg"));
  packs_ = packs_of_checkpoint(f, job_);
  if (!packs_.empty()) recorder_->continue_packs(packs_);
  if (f.integer("running") != 0) restore_engine(f);
  const std::int64_t saved = f.integer("final_spins");
  const std::size_t N = job_.system.sites();
  require(f, saved >= 0 && static_cast<std::size_t>(saved) % N == 0, "its saved spins are no whole configurations");
  const auto spins = static_cast<std::size_t>(saved);
  saved_spins_ = rows_of(words_of(f, "checkpoint_final_spins", spins / 32 + (spins % 32 > 0 ? 1 : 0)), spins / N, N);
  require_saved_spins(f);
  seconds_ = f.real("seconds");
  seconds_measuring_ = f.real("seconds_measuring");
}

}  // namespace psflip
