#include "engine/app/run/time_limit.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace psflip::app {

namespace {

/// The rest is for the checkpoint, and for the clocks of the nodes.
constexpr double share_of_slurm_time = 0.95;

/// None outside SLURM, and where the variable is no number.
std::optional<double> seconds_until_slurm_ends() {
  const char* text = std::getenv("SLURM_JOB_END_TIME");
  if (text == nullptr) return std::nullopt;
  std::int64_t end = 0;
  const char* last = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, last, end);
  if (error != std::errc() || stopped != last) return std::nullopt;
  const std::chrono::duration<double> since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const double left = static_cast<double>(end) - since_1970.count();
  return left > 0 ? std::optional(left) : std::nullopt;
}

}  // namespace

std::optional<double> seconds_allowed(const Execution& execution) {
  std::optional<double> allowed = execution.max_seconds;
  if (!execution.checkpoint) return allowed;
  if (const std::optional<double> left = seconds_until_slurm_ends())
    allowed = std::min(allowed.value_or(*left), share_of_slurm_time * *left);
  return allowed;
}

}  // namespace psflip::app
