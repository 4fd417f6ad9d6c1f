#pragma once
#include <cstddef>

#include "engine/laboratory/glass2d/square_glass.hpp"

/// The 2D spin glass on a GPU, from the state of SquareGlass.
namespace psflip::laboratory::device {

inline constexpr std::size_t most_shared_bytes = 48 * 1024;  ///< of a thread block, without a special request

/// Shared memory of a thread block: spins and two bonds of a group; none for bytes.
template <class E>
std::size_t shared_bytes(int L) {
  return sizeof(E) == 1 ? 0 : 3 * sizeof(E) * static_cast<std::size_t>(L) * static_cast<std::size_t>(L);
}

/// Spins after `half_sweeps` half sweeps of square_glass_system() with addressed numbers, as Engine::spins().
template <class E>
std::vector<std::int8_t> glass_spins_after(const System& system, std::uint32_t half_sweeps, unsigned threads_per_block);

/// Seconds of a sweep of all realizations at the best of several launch shapes; 100 sweeps are one launch.
struct GlassTime {
  unsigned threads_per_block;
  double seconds;
};
template <class E>
GlassTime time_glass_sweep(const System& system, const std::string& generator, double seconds);

}  // namespace psflip::laboratory::device
