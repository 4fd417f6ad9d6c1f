#pragma once

namespace psflip::cuda {

/// Nanoseconds between two looks at a letter that is late. Without a pause the warps that wait keep those from working
/// that the neighbours wait for, and once blocks wait for each other in turn they go on doing so.
inline constexpr unsigned poll_backoff_ns = 200;

}  // namespace psflip::cuda
