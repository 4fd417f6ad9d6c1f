#pragma once
#include <chrono>

namespace psflip {

/// Seconds of a clock that never goes back.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace psflip
