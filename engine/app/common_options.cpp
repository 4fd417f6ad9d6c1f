#include "engine/app/common_options.hpp"

#include "engine/app/parse.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

CLI::Option* add_common_options(CLI::App& sub, CommonOptions& o, const std::string& meaning_of_T,
                                const std::string& meaning_of_disorder) {
  const std::string physics = "Physics", files = "Files", machine = "Machine";
  sub.configurable();
  sub.fallthrough();
  sub.add_option("--L", o.L, "linear size, even, at least 4")->required()->group(physics);
  auto* T = sub.add_option("--T", o.T, meaning_of_T)->group(physics);
  sub.add_option("--samples", o.samples, "FIRST:COUNT, global sample ids")->required()->group(physics);
  sub.add_option("--sweeps", o.sweeps, "sweeps of every sample")->required()->group(physics);
  sub.add_option("--seed", o.seed, "seed, 0 to 2^32 - 1")->required()->group(physics);
  sub.add_option("--random", o.random, "shared (one number per site and 32 samples) or independent")->group(physics);
  sub.add_option("--start", o.start, "initial spins: random or ordered")->capture_default_str()->group(physics);
  sub.add_flag("--save-disorder", o.save_disorder, meaning_of_disorder)->group(files);
  sub.add_flag("--save-spins", o.save_spins, "write the final configurations")->group(files);
  sub.add_option("--output", o.output, "file to write")->required()->group(files);
  sub.add_option("--checkpoint", o.checkpoint, "go on from this file if it is there, and keep it up to date")
      ->group(files);
  sub.add_option("--checkpoint-interval", o.execution.checkpoint_interval,
                 "seconds between checkpoints [600, or 100 times what one takes]")
      ->group(files);
  sub.add_option("--max-seconds", o.execution.max_seconds, "stop at a checkpoint after this time, exit code 75")
      ->group(files);
  sub.add_option("--gpu-lock", o.gpu_lock, "lock file of a shared GPU: one job simulates at a time")
      ->envname("PSFLIP_GPU_LOCK")
      ->group(machine);
  sub.add_option("--backend", o.execution.backend, "auto, cpu or cuda")->capture_default_str()->group(machine);
  sub.add_option("--threads", o.execution.threads, "threads")->capture_default_str()->group(machine);
  sub.add_option("--word-bits", o.execution.word_bits, "word width 64, 256 or 512; 0 takes the widest")
      ->capture_default_str()
      ->group(machine);
  return T;
}

Execution execution_of(const CommonOptions& o) {
  Execution execution = o.execution;
  choice("--backend", execution.backend, {"auto", "cpu", "cuda"});
  execution.output = o.output;
  if (!o.checkpoint.empty()) execution.checkpoint = o.checkpoint;
  if (!o.gpu_lock.empty()) execution.gpu_lock = o.gpu_lock;
  if (execution.max_seconds) require_seconds("--max-seconds", *execution.max_seconds);
  if (execution.checkpoint_interval) require_seconds("--checkpoint-interval", *execution.checkpoint_interval);
  if (execution.max_seconds && !execution.checkpoint)
    throw UserError("--max-seconds: the work done would be lost, give a --checkpoint FILE too.");
  return execution;
}

}  // namespace psflip::app
