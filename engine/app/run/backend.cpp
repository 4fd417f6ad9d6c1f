#include "engine/app/run/backend.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/app/machine.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed.hpp"
#include "engine/io/error.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/cuda/cuda.hpp"
#include "engine/cuda/multi_gpu/device_of_rank.hpp"
#endif

namespace psflip::app {

namespace {

/// Of the machine, not only those that this process may use.
int processors() { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

/// More threads than this only wait for each other, and the system may refuse to start them.
int most_threads() { return std::max(64, 8 * processors()); }

Backend cpu_backend(const Execution& execution) {
  const std::vector<int> widths = cpu::supported_word_bits();
  if (execution.threads < 1)
    throw UserError(fmt::format("--threads {}: at least 1 thread is needed.", execution.threads));
  if (execution.threads > most_threads())
    throw UserError(fmt::format("--threads {}: this machine has {} processors, give at most {} threads.",
                                execution.threads, processors(), most_threads()));
  if (execution.word_bits != 0 && std::find(widths.begin(), widths.end(), execution.word_bits) == widths.end())
    throw UserError(
        fmt::format("--word-bits {}: this build does not have that width, see psflip info; ./study test builds all "
                    "widths of the processor.",
                    execution.word_bits));
  const int threads = execution.threads, bits = execution.word_bits ? execution.word_bits : widths.back();
  return {"cpu",
          processor(),
          cpu::instruction_set(bits),
          threads,
          [=](const System& system) { return cpu::make_engine(system, threads, bits); },
          [=](const System& system, const Share& share) { return cpu::make_part(system, share, threads, bits); },
          [=](const System& system, const Share& share) {
            return EngineBytes{cpu::bytes_of_engine(system, share, threads, bits), 0};
          },
          [] { return std::numeric_limits<double>::infinity(); }};
}

}  // namespace

MakeEngine Backend::engine_on(Ranks& ranks) const {
  if (ranks.count() == 1) return make_engine;
  return [make = make_part, &ranks](const System& s) { return std::make_unique<Decomposed>(s, ranks, make); };
}

#ifdef PSFLIP_WITH_CUDA

std::string cuda_state() { return cuda::available() ? "yes, " + cuda::device_name() : "built, but no GPU is found"; }

/// The first of the ranks that finds no GPU, if there is one.
static std::optional<std::size_t> rank_without_gpu(const Ranks& ranks) {
  std::vector<std::int64_t> without(static_cast<std::size_t>(ranks.count()), 0);
  without[static_cast<std::size_t>(ranks.rank())] = cuda::available() ? 0 : 1;
  ranks.add_up(without);
  const auto first = std::find(without.begin(), without.end(), 1);
  if (first == without.end()) return std::nullopt;
  return static_cast<std::size_t>(first - without.begin());
}

Backend choose_backend(const Execution& execution) {
  const Ranks& ranks = *execution.ranks;
  const bool alone = ranks.count() == 1, asked = execution.backend == "cuda";
  if (execution.backend == "cpu") return cpu_backend(execution);
  if (alone) cuda::limit_connections();
  const std::optional<std::size_t> without = rank_without_gpu(ranks);
  if (asked && without)
    throw UserError(fmt::format("--backend cuda: {}, use --backend cpu or look at nvidia-smi.",
                                alone ? "no GPU is found" : fmt::format("rank {} finds no GPU", *without)));
  if (without) return cpu_backend(execution);  // all ranks: the messages of CPUs and GPUs differ
  if (!alone) cuda::use_device_of(ranks.rank_on_machine());
  cuda::make_context();  // here and not at the first use, so that no job waits for it while another has the GPU lock
  return {"cuda",
          cuda::device_name(),
          "CUDA",
          std::min(8, omp_get_num_procs()),  // other jobs of the machine need the rest
          cuda::make_engine,
          cuda::make_part,
          cuda::bytes_of_engine,
          cuda::available_memory};
}

#else

std::string cuda_state() { return "not built"; }

Backend choose_backend(const Execution& execution) {
  if (execution.backend == "cuda")
    throw UserError(
        "--backend cuda: this build has no CUDA backend; use --backend cpu, or build with cmake -DPSFLIP_CUDA=ON.");
  return cpu_backend(execution);
}

#endif

}  // namespace psflip::app
