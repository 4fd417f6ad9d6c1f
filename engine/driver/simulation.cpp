#include "engine/driver/simulation.hpp"

#include <algorithm>

#include "engine/driver/continued_packs.hpp"
#include "engine/driver/disorder/disorder.hpp"
#include "engine/driver/job_file.hpp"
#include "engine/methods/methods.hpp"

namespace psflip {

namespace {

/// Rounds that take about the time between two checks of the time, the stop signal and the progress line; 1 while the
/// time of a round is not known (0).
std::uint64_t chunk_limit(double seconds_per_round) {
  constexpr double seconds_between_looks = 0.2;
  if (seconds_per_round <= 0) return 1;
  return static_cast<std::uint64_t>(std::max(1.0, seconds_between_looks / seconds_per_round));
}

}  // namespace

Simulation::Simulation(Job job, MakeEngine make_engine, const Ranks& ranks)
    : job_(std::move(job)),
      make_engine_(std::move(make_engine)),
      ranks_(ranks),
      legs_(legs_of(job_)),
      recorder_(make_recorder(job_)) {}

System Simulation::system_of(std::size_t leg) const {
  return packs_.empty() ? legs_[leg].system : system_of_packs(legs_[leg].system, packs_);
}

std::unique_ptr<Engine> Simulation::make_engine(const System& system) const {
  std::unique_ptr<Engine> engine = make_engine_(system);
  if (!job_.disorder.signs) return engine;
  const Disorder& all = *job_.disorder.signs;
  if (system.packs.empty()) {
    engine->restore_disorder(all.couplings, all.fields);
  } else {
    const Disorder some = disorder_of_packs(all, job_.system.samples, packs_);
    engine->restore_disorder(some.couplings, some.fields);
  }
  return engine;
}

void Simulation::start_leg() {
  if (!engine_) engine_ = make_engine(system_of(leg_));
  next_ = 0;
}

bool Simulation::run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) {
  while (leg_ < legs_.size()) {
    const double start = now();
    if (!engine_) start_leg();
    step();
    if (next_ == legs_[leg_].stops.size()) finish_leg();
    seconds_ += now() - start;
    after_chunk();
    if (leg_ < legs_.size() && should_stop()) return false;
  }
  if (job_.save_disorder && !has_disorder_) {  // resumed when no engine held all samples any more
    engine_.reset();
    take_disorder(*make_engine(legs_.front().system));
  }
  return true;
}

/// Rounds to the next stops or for as long as a chunk may take; meanwhile the previous measurements are recorded.
void Simulation::step() {
  const double start = now();
  const std::size_t stop = next_ + read_;
  const Intervals intervals = intervals_to(stop);
  const bool reads = engine_->rounds() + intervals.rounds == legs_[leg_].stops[stop];
  const EndedRounds ended = engine_->advance_during(
      intervals, [this] { take_readings(); }, reads);
  halo_ = engine_->halo();
  if (ended.rounds > 0) seconds_per_round_ = ranks_.of_first(ended.seconds / static_cast<double>(ended.rounds));
  if (reads) {
    read_ = intervals.count;
    if (saves_spins_at(leg_, next_ + read_ - 1)) save_spins();
    if (next_ + read_ == legs_[leg_].stops.size()) take_readings();
  }
  seconds_measuring_ += now() - start - ended.seconds;
}

/// Those that end at a stop, and at the stops after it as long as they are equal; or one that ends before it. The spins
/// can be saved at the last stop only.
Intervals Simulation::intervals_to(std::size_t stop) const {
  const std::vector<std::uint64_t>& stops = legs_[leg_].stops;
  const std::uint64_t limit = chunk_limit(seconds_per_round_), most = engine_->intervals_at_once();
  Intervals all{std::min(stops[stop] - engine_->rounds(), limit)};
  if (engine_->rounds() + all.rounds != stops[stop]) return all;
  for (; stop + 1 < stops.size() && all.count < most && !saves_spins_at(leg_, stop); ++stop, ++all.count)
    if (stops[stop + 1] - stops[stop] != all.rounds || all.all_rounds() + all.rounds > limit) break;
  return all;
}

void Simulation::take_readings() {
  for (std::uint64_t k = 0; k < read_; ++k) recorder_->record(leg_, next_++, engine_->reading(k));
  read_ = 0;
}

bool Simulation::saves_spins_at(std::size_t leg, std::size_t stop) const {
  if (!job_.save_spins) return false;
  if (job_.spins_after.empty()) return stop + 1 == legs_[leg].stops.size();
  return std::binary_search(job_.spins_after.begin(), job_.spins_after.end(), sweeps_at(legs_[leg], stop));
}

void Simulation::save_spins() {
  for (std::size_t slot = 0; slot < legs_[leg_].system.slots(); ++slot)
    saved_spins_.append(engine_->packed_spins(slot));
}

/// Rank 0 has the sums by which packs are chosen.
void Simulation::finish_leg() {
  finish_rounds();
  if (job_.save_disorder && !has_disorder_ && packs_.empty()) take_disorder(*engine_);
  ++leg_;
  const bool continues = leg_ < legs_.size() && legs_[leg_].slowest_packs > 0;
  if (!continues) {
    engine_.reset();
    return;
  }
  std::vector<std::uint64_t> packs(legs_[leg_].slowest_packs);
  if (ranks_.is_first()) packs = recorder_->slowest_packs(packs.size());
  ranks_.broadcast(packs.data(), packs.size() * sizeof(std::uint64_t));
  const EngineState state = state_of_packs(*engine_, legs_[leg_].system, packs, ranks_);
  engine_.reset();  // its memory may be needed
  packs_ = packs;
  recorder_->continue_packs(packs_);
  start_leg();
  restore_state(*engine_, system_of(leg_), state);
}

void Simulation::take_disorder(const Engine& engine) {
  couplings_ = engine.packed_couplings();
  fields_ = engine.packed_fields();
  has_disorder_ = true;  // rank 0 has the values, all ranks know
}

/// Rounds that a device still works on: their time was not spent on measurements.
void Simulation::finish_rounds() { seconds_measuring_ -= engine_->finish_rounds().seconds; }

io::Attributes Simulation::timings() const {
  io::Attributes all = {{"seconds", seconds_}, {"seconds_measuring", seconds_measuring()}};
  if (!halo_.empty()) all["halo"] = halo_;
  return all;
}

/// Flips of a leg up to round number `rounds`, counted from the start of the trajectories.
double Simulation::flips_of_leg(std::size_t leg, std::uint64_t rounds) const {
  const System& s = legs_[leg].system;
  const bool continues = legs_[leg].slowest_packs > 0;
  const std::uint64_t first = continues ? legs_[leg - 1].stops.back() : 0;
  const auto samples = static_cast<double>(continues ? 32 * legs_[leg].slowest_packs : s.samples);
  return static_cast<double>(rounds - first) * static_cast<double>(s.round.half_sweeps) / 2 *
         static_cast<double>(s.sites()) * samples * s.replicas * static_cast<double>(s.slots());
}

double Simulation::flips_total() const {
  double flips = 0;
  for (std::size_t leg = 0; leg < legs_.size(); ++leg) flips += flips_of_leg(leg, legs_[leg].stops.back());
  return flips;
}

double Simulation::flips_done() const {
  double flips = engine_ ? flips_of_leg(leg_, engine_->rounds()) : 0;
  for (std::size_t leg = 0; leg < leg_; ++leg) flips += flips_of_leg(leg, legs_[leg].stops.back());
  return flips;
}

io::LabelledFile Simulation::measurement() {
  io::LabelledFile f;
  f.axes = recorder_->axes();
  f.datasets = recorder_->take_datasets();
  f.attributes = attributes_of(job_);
  add_system_axes(f, job_.system);
  add_space(f, job_, saved_spins_, couplings_, fields_);
  return f;
}

}  // namespace psflip
