#include "engine/laboratory/app/psflip_engine.hpp"

#include <fmt/format.h>

#include "engine/cpu/cpu.hpp"
#include "engine/driver/memory/available_memory.hpp"
#include "engine/io/error.hpp"
#include "engine/laboratory/reference/timing.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/cuda/cuda.hpp"
#endif

namespace psflip::laboratory {

namespace {

void require_bytes(const System& system, const char* whose, double bytes, double available) {
  constexpr double gib = 1 << 30;
  if (bytes > available)
    throw UserError(
        fmt::format("--L {}: {} samples at once need {:.1f} GiB and {:.1f} GiB of {} are available, give a smaller "
                    "--L or fewer of them.",
                    system.L, system.samples, bytes / gib, available / gib, whose));
}

}  // namespace

std::unique_ptr<Engine> make_psflip_engine(const System& system, const std::string& device, int word_bits) {
#ifdef PSFLIP_WITH_CUDA
  if (device == "cuda") return cuda::make_engine(system);
#endif
  if (device != "cpu") throw UserError(fmt::format("--device {}: this build has no such engine, give cpu.", device));
  return cpu::make_engine(system, 1, word_bits);
}

double seconds_of_psflip_sweep(System system, const std::string& device, double least, int word_bits) {
  const std::uint32_t sweeps = device == "cuda" ? 32 : 1;
  system.round.half_sweeps = 2 * sweeps;
  const auto engine = make_psflip_engine(system, device, word_bits);
  return seconds_of([&] { engine->advance(1); }, least) / sweeps;
}

void require_psflip_memory(const System& system, const std::string& device, int word_bits) {
  if (system.L > system.largest_L())
    throw UserError(
        fmt::format("--L {}: psflip has samples up to L = {}, give such an --L.", system.L, system.largest_L()));
#ifdef PSFLIP_WITH_CUDA
  if (device == "cuda") {
    const EngineBytes bytes = cuda::bytes_of_engine(system, full_share(system));
    require_bytes(system, "the GPU", bytes.device, cuda::available_memory());
    require_bytes(system, "memory", bytes.host, available_memory());
    return;
  }
#endif
  if (device == "cpu")
    require_bytes(system, "memory", cpu::bytes_of_engine(system, full_share(system), 1, word_bits), available_memory());
}

}  // namespace psflip::laboratory
