#pragma once
#include <cstdint>

namespace psflip::cuda {

/// A word that a thread block sends to a neighbouring one, and the sequence number of the half sweep that wrote it, in
/// one store of 8 bytes. The reader compares the sequence number and therefore needs no memory fence or flag.
using HaloPacket = std::uint64_t;

/// Poll backoff: pause in nanoseconds between two polls for a halo packet that has not arrived. Polling without a pause
/// delays the warps that compute data for neighbouring thread blocks. Once thread blocks wait for each other in a
/// cycle, they do not recover from this delay.
inline constexpr unsigned poll_backoff_ns = 200;

}  // namespace psflip::cuda
