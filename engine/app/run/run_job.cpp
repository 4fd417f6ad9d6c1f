#include "engine/app/run/run_job.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/app/machine.hpp"
#include "engine/app/run/backend.hpp"
#include "engine/app/run/checkpoints.hpp"
#include "engine/app/run/gpu_lock.hpp"
#include "engine/app/run/memory.hpp"
#include "engine/app/run/stop_signals.hpp"
#include "engine/app/run/time_limit.hpp"
#include "engine/app/say.hpp"
#include "engine/core/version.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/error.hpp"
#include "engine/io/sealed_bytes.hpp"
#include "engine/methods/methods.hpp"

namespace psflip::app {

namespace {

/// One line on a terminal that is written over, a line now and then in a log.
class ProgressLine {
 public:
  explicit ProgressLine(const Simulation& simulation) : simulation_(simulation), started_(now()) {}
  void show() {
    const double elapsed = now() - started_;
    if (elapsed < next_) return;
    next_ = elapsed + (terminal_ ? 0.5 : std::max(10.0, 0.1 * elapsed));
    const double done = simulation_.flips_done(), total = simulation_.flips_total();
    const double left = done > 0 ? simulation_.seconds() * (total - done) / done : 0;
    say("{}{:5.1f} %  {:.2f} ps/flip  {:.0f} s left{}", terminal_ ? "\r\033[K" : "", 100 * done / total,
        done > 0 ? 1e12 * simulation_.seconds() / done : 0, left, terminal_ ? "" : "\n");
  }
  void finish() const {
    if (terminal_) say("\r\033[K");
    say("done: {:.3g} flips in {:.2f} s, {:.2f} ps/flip\n", simulation_.flips_total(), simulation_.seconds(),
        1e12 * simulation_.seconds() / simulation_.flips_total());
  }

 private:
  const Simulation& simulation_;
  double started_, next_ = 1;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

io::LabelledFile with_provenance(io::LabelledFile file, const Simulation& simulation, const Execution& execution,
                                 const Backend& backend) {
  file.attributes["code_version"] = std::string(code_version);
  file.attributes["git_commit"] = git_commit();
  file.attributes["backend"] = backend.name;
  file.attributes["device"] = backend.device;
  file.attributes["instruction_set"] = backend.instruction_set;
  file.attributes["threads"] = std::int64_t{execution.threads};
  file.attributes["turns"] = std::int64_t{execution.gpu_lock ? 1 : 0};
  file.attributes["ranks"] = std::int64_t{execution.ranks->count()};
  file.attributes.merge(simulation.timings());
  file.attributes["ps_per_flip"] = 1e12 * simulation.seconds() / simulation.flips_total();
  file.attributes["created"] = utc_now();
  return file;
}

/// Runs until finished, the time limit or a signal, with checkpoints on the way. True when finished.
bool run_with_checkpoints(Simulation& simulation, Checkpoints& checkpoints, const Execution& execution) {
  answer_stop_signals();
  ProgressLine progress(simulation);
  const Ranks& ranks = *execution.ranks;
  const double started = now();
  const std::optional<double> allowed = seconds_allowed(execution);
  const auto asked_to_stop = [&] { return stop_requested() || (allowed && now() - started > *allowed); };
  const auto should_stop = [&] { return ranks.any(asked_to_stop()); };
  const auto after_chunk = [&] {
    if (ranks.is_first()) progress.show();
    checkpoints.write_if_due();
  };
  std::optional<GpuLock> lock;  // the first rank has it for all
  if (execution.gpu_lock && ranks.is_first()) lock.emplace(*execution.gpu_lock, asked_to_stop);
  const bool finished = simulation.run(should_stop, after_chunk);
  if (finished && ranks.is_first()) progress.finish();
  return finished;
}

/// The lines printed when a job begins.
void announce(const Job& job, const Backend& backend, int ranks) {
  say("{} {} on {}: {} ({}){}\n", name_of(job.system.model), name_of(job.method), backend.name, backend.device,
      backend.instruction_set, ranks > 1 ? fmt::format(", {} ranks", ranks) : "");
}

/// Bits in a file of a spin of a random configuration, after compression: 1.44 measured. Ordered spins take less.
constexpr double most_bits_of_a_spin = 1.5;

void announce_saved_spins(const Job& job) {
  constexpr double MB = 1e6;
  const auto spins = static_cast<double>(saved_spins(job));
  say("--save-spins: {:.6g} spins, up to {:.3g} MB of the output and {:.3g} MB of memory while it is written\n", spins,
      spins / 8 * most_bits_of_a_spin / MB, spins / MB);
}

/// From a simulation that has not begun to its measurement file. Rank 0 reads and writes for all ranks, which make the
/// files together.
int run_to_file(Simulation& simulation, const Backend& backend, const Execution& execution) {
  Checkpoints checkpoints(simulation, execution);
  const bool first = execution.ranks->is_first();
  if (first && checkpoints.kept()) io::remove_remains(execution.output);
  if (first) announce(simulation.job(), backend, execution.ranks->count());
  if (first && simulation.job().save_spins) announce_saved_spins(simulation.job());
  checkpoints.resume();
  if (!run_with_checkpoints(simulation, checkpoints, execution)) {
    if (!checkpoints.kept())
      throw UserError("stopped before the end and nothing is kept, since no --checkpoint FILE was given; run again.");
    checkpoints.write();
    if (first)
      say("stopped at {:.1f} %, run the same command again to continue\n",
          100 * simulation.flips_done() / simulation.flips_total());
    return exit_again;
  }
  io::LabelledFile measurement = with_provenance(simulation.measurement(), simulation, execution, backend);
  measurement.attributes["seconds_checkpointing"] = checkpoints.seconds();
  if (first) io::write(execution.output, measurement, {.threads = backend.writing_threads});
  checkpoints.remove();
  return exit_done;
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

void require_files(const Execution& execution) {
  require_output(execution.output);
  std::vector<io::NamedFile> files = execution.inputs;
  files.push_back({"--output", execution.output});
  if (execution.gpu_lock) files.push_back({"--gpu-lock", *execution.gpu_lock});
  if (execution.checkpoint) {
    try {
      io::require_replaceable(*execution.checkpoint);
    } catch (const UserError& error) {
      throw UserError(fmt::format("--checkpoint: {}", error.what()));
    }
    const std::string name = io::follow_links(*execution.checkpoint).string();
    files.push_back({"--checkpoint", *execution.checkpoint});
    files.push_back({"the previous checkpoint", name + ".previous"});
    files.push_back({"the lock of the checkpoint", name + ".lock"});
  }
  io::require_distinct(files);
  if (execution.gpu_lock) require_lock_file(*execution.gpu_lock);
}

int run_job(const Job& job, const Execution& execution) {
  validate(job);
  const System system = first_system(job);
  require_shares(system, *execution.ranks);
  const Backend backend = choose_backend(execution);
  if (execution.print_memory) {
    print_memory(job, backend, execution);
    return exit_done;
  }
  require_memory(job, backend, execution);
  if (execution.ranks->is_first()) require_files(execution);
  Simulation simulation(job, backend.engine_on(*execution.ranks), *execution.ranks);
  return run_to_file(simulation, backend, execution);
}

}  // namespace psflip::app
