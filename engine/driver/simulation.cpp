#include "engine/driver/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/driver/pieces.hpp"
#include "engine/io/error.hpp"

namespace psflip {

Simulation::Simulation(Job job, MakeEngine make_engine, const Ranks& ranks)
    : job_(std::move(job)),
      make_engine_(std::move(make_engine)),
      ranks_(ranks),
      recorder_(make_recorder(job_)),
      times_(measurement_times(job_)) {}

void Simulation::start_temperature() {
  System system = job_.system;
  system.beta = job_.beta[temperature_];
  engine_ = make_engine_(system);
  next_ = 0;
}

void Simulation::finish_temperature() {
  if (job_.save_spins) final_spins_.append(engine_->packed_spins());
  if (job_.save_disorder && !has_couplings_) couplings_ = engine_->couplings();
  has_couplings_ = job_.save_disorder;
  engine_.reset();
  ++temperature_;
}

io::Attributes Simulation::timings() const {
  io::Attributes all = {{"seconds", seconds_}, {"seconds_measuring", seconds_measuring_}};
  if (!halo_.empty()) all["halo"] = halo_;
  return all;
}

bool Simulation::run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) {
  while (temperature_ < job_.beta.size()) {
    const double start = now();
    if (!engine_) start_temperature();
    step();
    if (next_ == times_.size()) finish_temperature();
    seconds_ += now() - start;
    after_chunk();
    if (temperature_ < job_.beta.size() && should_stop()) return false;
  }
  if (job_.save_disorder && !has_couplings_) couplings_ = couplings_made_again();  // rank 0 has them, all ranks know
  return true;
}

/// Sweeps to the next measurement or for as long as a chunk may take; meanwhile the measurement before is recorded.
void Simulation::step() {
  const double start = now();
  const std::uint64_t done = engine_->half_sweeps() / 2, target = times_[next_ + (observing_ ? 1 : 0)];
  const std::uint64_t count = std::min(target - done, chunk_limit(seconds_per_sweep_));
  const double sweeping = engine_->advance_during(2 * count, [this] { record_observed(); });
  halo_ = engine_->halo();
  if (count > 0) seconds_per_sweep_ = ranks_.of_first(sweeping / static_cast<double>(count));
  if (done + count == target) {
    engine_->start_observing();
    observing_ = true;
    if (next_ + 1 == times_.size()) record_observed();
  }
  seconds_measuring_ += std::max(0.0, now() - start - sweeping);  // two clocks
}

void Simulation::record_observed() {
  if (!observing_) return;
  recorder_->record(temperature_, next_++, engine_->observed());
  observing_ = false;
}

/// For a job that went on from a checkpoint after its last temperature, where no engine is left to ask.
std::vector<std::int8_t> Simulation::couplings_made_again() const {
  System system = job_.system;
  system.beta = job_.beta.back();
  return make_engine_(system)->couplings();
}

double Simulation::flips_total() const {
  return static_cast<double>(job_.sweeps) * static_cast<double>(job_.beta.size()) *
         static_cast<double>(job_.system.sites() * job_.system.samples) * job_.system.replicas;
}

double Simulation::flips_done() const {
  const double sweeps = static_cast<double>(temperature_ * job_.sweeps + (engine_ ? engine_->half_sweeps() / 2 : 0));
  return sweeps / (static_cast<double>(job_.sweeps) * static_cast<double>(job_.beta.size())) * flips_total();
}

io::LabelledFile Simulation::measurement() {
  const System& s = job_.system;
  io::LabelledFile f;
  f.axes = recorder_->axes();
  f.datasets = recorder_->take_datasets();
  f.attributes = attributes_of(s, job_.sweeps, to_toml(job_));
  const bool in_bins = s.preset().method == Method::equilibrium;
  if (in_bins) f.attributes["measure_interval"] = static_cast<std::int64_t>(job_.measure_interval);
  std::vector<std::string> space;
  for (const char* name : {"z", "y", "x"}) {
    if (!(job_.save_spins || job_.save_disorder) || (name[0] == 'z' && s.dimension() == 2)) continue;
    space.emplace_back(name);
    f.axes.push_back({name, coordinates(static_cast<std::size_t>(s.L)), "1", "lattice coordinate"});
  }
  const auto over = [&](std::vector<std::string> axes) {
    axes.insert(axes.end(), space.begin(), space.end());
    return axes;
  };
  if (job_.save_spins) {
    if (in_bins) f.axes.push_back({"replica", coordinates(1), "1", "independent copies of a sample"});
    f.datasets.push_back(
        {"spins", over({"temperature", "sample", "replica"}), unpack_signs(final_spins_), "1", "final configuration"});
  }
  if (job_.save_disorder && !couplings_.empty()) {
    f.axes.push_back({"direction", coordinates(3), "1", "+x, +y, +z"});
    f.datasets.push_back(
        {"couplings", over({"sample", "direction"}), couplings_, "J", "bond from the site to its neighbour"});
  }
  return f;
}

io::LabelledFile Simulation::checkpoint() const {
  io::LabelledFile f;
  f.axes = recorder_->axes();
  f.datasets = recorder_->datasets();
  add_signs(f, "checkpoint_spins", without_gaps(engine_ ? engine_->packed_spins() : PackedSigns()));
  add_signs(f, "checkpoint_final_spins", without_gaps(final_spins_));
  f.attributes = {{"kind", std::string("checkpoint")},
                  {"stream_version", std::int64_t{stream_version}},
                  {"job", to_toml(job_)},
                  {"temperature_index", static_cast<std::int64_t>(temperature_)},
                  {"next_measurement", static_cast<std::int64_t>(next_)},
                  {"half_sweeps", static_cast<std::int64_t>(engine_ ? engine_->half_sweeps() : 0)},
                  {"running", std::int64_t{engine_ ? 1 : 0}},
                  {"final_spins", static_cast<std::int64_t>(final_spins_.rows * final_spins_.length)},
                  {"seconds", seconds_},
                  {"seconds_measuring", seconds_measuring_}};
  return f;
}

void Simulation::resume(const io::LabelledFile& f) {
  require_same_job(f, to_toml(job_));
  recorder_->restore(f);
  observing_ = false;
  temperature_ = static_cast<std::size_t>(f.integer("temperature_index"));
  const std::size_t rows = job_.system.samples * static_cast<std::size_t>(job_.system.replicas),
                    N = job_.system.sites();
  const auto spins = [&](const char* name, std::size_t count) {
    return rows_of(f.values<std::uint32_t>(name).data(), count, N);
  };
  if (f.integer("running") != 0) {
    start_temperature();
    engine_->restore(static_cast<std::uint64_t>(f.integer("half_sweeps")), spins("checkpoint_spins", rows));
    next_ = static_cast<std::size_t>(f.integer("next_measurement"));
  }
  final_spins_ = spins("checkpoint_final_spins", static_cast<std::size_t>(f.integer("final_spins")) / N);
  seconds_ = f.real("seconds");
  seconds_measuring_ = f.real("seconds_measuring");
}

}  // namespace psflip
