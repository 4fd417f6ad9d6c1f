#pragma once

namespace psflip::cuda {

/// Poll backoff: pause in nanoseconds between two polls for a halo packet that has not arrived. Polling without a pause
/// delays the warps that compute data for neighbouring thread blocks. Once thread blocks wait for each other in a
/// cycle, they do not recover from this delay.
inline constexpr unsigned poll_backoff_ns = 200;

}  // namespace psflip::cuda
