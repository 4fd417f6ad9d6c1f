#pragma once

namespace psflip {

inline constexpr const char* code_version = "0.3.0";

/// Version of the randomness contract (docs/randomness.md). Bump it when any trajectory changes: analysis refuses to
/// mix versions and the workflow simulates again. The golden tests fail until this is done.
inline constexpr int stream_version = 1;

}  // namespace psflip
