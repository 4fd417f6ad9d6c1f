#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <type_traits>

/// Included by the mutated copy of a source file. PSFLIP_MUTANT=N switches mutant N on. PSFLIP_MUTANT_RECORD=FILE
/// switches none on; each process appends the number of a mutant to FILE when it evaluates the place for the first
/// time.
namespace psflip_mutation {

struct Mode {
  int active = -1;
  const char* record = nullptr;
};

inline const Mode& mode() {
  static const Mode read = [] {
    const char* active = std::getenv("PSFLIP_MUTANT");
    return Mode{active ? std::atoi(active) : -1, std::getenv("PSFLIP_MUTANT_RECORD")};
  }();
  return read;
}

[[gnu::noinline]] inline void record(int mutant) {
  static std::array<std::atomic<bool>, 4096> seen{};
  if (seen[static_cast<std::size_t>(mutant)].exchange(true)) return;
  const int file = ::open(mode().record, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0) return;
  const std::string line = std::to_string(mutant) + "\n";
  if (::write(file, line.data(), line.size()) < 0) std::abort();
  ::close(file);
}

}  // namespace psflip_mutation

/// Whether the mutated form of place `mutant` is evaluated. The compiler itself always evaluates the original.
constexpr bool psflip_mutant(int mutant) {
  if (std::is_constant_evaluated()) return false;
  const psflip_mutation::Mode& mode = psflip_mutation::mode();
  if (mode.record != nullptr) psflip_mutation::record(mutant);
  return mode.active == mutant;
}
