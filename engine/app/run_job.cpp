#include "engine/app/run_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "engine/app/backend.hpp"
#include "engine/app/machine.hpp"
#include "engine/core/version.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/driver/decomposed_tempering.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/driver/tempering_simulation.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

volatile std::sig_atomic_t stop_signal = 0;
void remember_signal(int signal) { stop_signal = signal; }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// One line on a terminal that is written over, a line now and then in a log.
class ProgressLine {
 public:
  explicit ProgressLine(const SimulatedJob& simulation) : simulation_(simulation), started_(now()) {}
  void show() {
    const double elapsed = now() - started_;
    if (elapsed < next_) return;
    next_ = elapsed + (terminal_ ? 0.5 : std::max(10.0, 0.1 * elapsed));
    const double done = simulation_.flips_done(), total = simulation_.flips_total();
    const double left = done > 0 ? simulation_.seconds() * (total - done) / done : 0;
    fmt::print(stderr, "{}{:5.1f} %  {:.2f} ps/flip  {:.0f} s left{}", terminal_ ? "\r\033[K" : "", 100 * done / total,
               done > 0 ? 1e12 * simulation_.seconds() / done : 0, left, terminal_ ? "" : "\n");
  }
  void finish() const {
    if (terminal_) fmt::print(stderr, "\r\033[K");
    fmt::print(stderr, "done: {:.3g} flips in {:.2f} s, {:.2f} ps/flip\n", simulation_.flips_total(),
               simulation_.seconds(), 1e12 * simulation_.seconds() / simulation_.flips_total());
  }

 private:
  const SimulatedJob& simulation_;
  double started_, next_ = 1;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

/// Keeps a second process from running the same checkpointed job: an orphan of a killed workflow may still be alive.
class CheckpointLock {
 public:
  explicit CheckpointLock(const std::filesystem::path& checkpoint) : path_(checkpoint.string() + ".lock") {
    file_ = open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file_ < 0)
      throw UserError(fmt::format("--checkpoint {}: cannot be written, check the folder.", checkpoint.string()));
    if (flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw UserError(
          fmt::format("--checkpoint {}: another process runs this job, wait for it or end it.", checkpoint.string()));
  }
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;
  ~CheckpointLock() {
    unlink(path_.c_str());
    close(file_);
  }

 private:
  std::string path_;
  int file_;
};

io::LabelledFile with_provenance(io::LabelledFile file, const SimulatedJob& simulation, const Execution& execution,
                                 const Backend& backend) {
  file.attributes["code_version"] = std::string(code_version);
  file.attributes["git_commit"] = git_commit();
  file.attributes["backend"] = backend.name;
  file.attributes["device"] = backend.device;
  file.attributes["instruction_set"] = backend.instruction_set;
  file.attributes["threads"] = std::int64_t{execution.threads};
  file.attributes["ranks"] = std::int64_t{execution.ranks->count()};
  file.attributes.merge(simulation.timings());
  file.attributes["ps_per_flip"] = 1e12 * simulation.seconds() / simulation.flips_total();
  file.attributes["created"] = utc_now();
  return file;
}

/// The file is made by all ranks together.
void write_at_first(const Ranks& ranks, const std::filesystem::path& path, const io::LabelledFile& file) {
  if (ranks.is_first()) io::write(path, file);
}

/// Runs until finished, the time limit or a signal, with checkpoints on the way. True when finished.
bool run_with_checkpoints(SimulatedJob& simulation, const Execution& execution) {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) std::signal(signal, remember_signal);
  ProgressLine progress(simulation);
  const Ranks& ranks = *execution.ranks;
  const double started = now();
  double last_checkpoint = started;
  const auto should_stop = [&] {
    return ranks.any(stop_signal != 0 || (execution.max_seconds && now() - started > *execution.max_seconds));
  };
  const auto after_chunk = [&] {
    if (ranks.is_first()) progress.show();
    if (!execution.checkpoint) return;
    if (!ranks.any(ranks.is_first() && now() - last_checkpoint >= execution.checkpoint_interval)) return;
    write_at_first(ranks, *execution.checkpoint, simulation.checkpoint());
    last_checkpoint = now();
  };
  const bool finished = simulation.run(should_stop, after_chunk);
  if (finished && ranks.is_first()) progress.finish();
  return finished;
}

/// Goes on from the checkpoint if there is one. Rank 0 reads it for all ranks.
bool resume(SimulatedJob& simulation, const Execution& execution) {
  const Ranks& ranks = *execution.ranks;
  if (!ranks.any(ranks.is_first() && execution.checkpoint && std::filesystem::exists(*execution.checkpoint)))
    return false;
  io::LabelledFile checkpoint;
  if (ranks.is_first()) checkpoint = io::read(*execution.checkpoint, "checkpoint");
  ranks.broadcast(checkpoint);
  simulation.resume(checkpoint);
  return true;
}

/// What rank 0 says when a job begins.
void announce(const SimulatedJob& simulation, Model model, const Backend& backend, const Execution& execution,
              bool going_on) {
  const int ranks = execution.ranks->count();
  fmt::print(stderr, "{} on {}: {} ({}){}\n", name_of(model), backend.name, backend.device, backend.instruction_set,
             ranks > 1 ? fmt::format(", {} ranks", ranks) : "");
  if (going_on) {
    fmt::print(stderr, "going on from {} at {:.1f} %\n", execution.checkpoint->string(),
               100 * simulation.flips_done() / simulation.flips_total());
  }
}

/// From a simulation that has not begun to its measurement file.
int run_to_file(SimulatedJob& simulation, Model model, const Backend& backend, const Execution& execution) {
  const Ranks& ranks = *execution.ranks;
  const bool going_on = resume(simulation, execution);
  if (ranks.is_first()) announce(simulation, model, backend, execution, going_on);
  if (!run_with_checkpoints(simulation, execution)) {
    if (!execution.checkpoint)
      throw UserError("stopped before the end and nothing is kept, since no --checkpoint FILE was given; run again.");
    write_at_first(ranks, *execution.checkpoint, simulation.checkpoint());
    if (ranks.is_first())
      fmt::print(stderr, "stopped at {:.1f} %, run the same command again to go on\n",
                 100 * simulation.flips_done() / simulation.flips_total());
    return exit_again;
  }
  write_at_first(ranks, execution.output, with_provenance(simulation.measurement(), simulation, execution, backend));
  if (ranks.is_first() && execution.checkpoint) std::filesystem::remove(*execution.checkpoint);
  return exit_done;
}

/// What rank 0 does before the work begins: finds out whether its files can be written, and keeps others away.
void claim_files(const Execution& execution, std::optional<CheckpointLock>& lock) {
  if (!execution.ranks->is_first()) return;
  require_output(execution.output);
  if (execution.checkpoint) lock.emplace(*execution.checkpoint);
}

}  // namespace

void require_output(const std::filesystem::path& output) {
  if (output.empty()) throw UserError("--output: the name is empty, give the file to write.");
  try {
    io::require_writable(output);
  } catch (const UserError& error) {
    throw UserError(fmt::format("--output: {}", error.what()));
  }
}

int run_job(const Job& job, const Execution& execution) {
  validate(job);
  require_planes(job.system, *execution.ranks);
  const Backend backend = choose_backend(execution);
  std::optional<CheckpointLock> lock;
  claim_files(execution, lock);
  Simulation simulation(job, backend.engine_on(*execution.ranks), *execution.ranks);
  return run_to_file(simulation, job.system.model, backend, execution);
}

int run_job(const TemperingJob& job, const Execution& execution) {
  validate(job);
  require_slots(job.system, *execution.ranks);
  const Backend backend = choose_backend(execution);
  std::optional<CheckpointLock> lock;
  claim_files(execution, lock);
  TemperingSimulation simulation(job, backend.tempering_on(*execution.ranks), *execution.ranks);
  return run_to_file(simulation, job.system.model, backend, execution);
}

}  // namespace psflip::app
