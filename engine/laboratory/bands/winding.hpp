#pragma once
#include <array>
#include <cstdint>
#include <vector>

/// Topology of the domains of a square lattice with periodic boundaries: which way clusters of equal spins wind around
/// the torus. It decides into which state a quenched ferromagnet falls (Barros, Krapivsky and Redner, Phys. Rev. E 80,
/// 040101 (2009)).
namespace psflip::laboratory {

/// ground: a cluster winds around both directions, so no domain wall does. straight: all clusters that wind do so along
/// x or along y. diagonal: along (1, 1) or (1, -1). other: along another vector. undecided: no cluster winds.
enum class BandState : std::uint8_t { ground, straight, diagonal, other, undecided };
inline constexpr std::array<const char*, 5> band_names = {"ground", "straight", "diagonal", "other", "undecided"};

/// The state of spins [y][x], +1 or -1. Neighbours are the four nearest ones.
BandState band_state(const std::vector<std::int8_t>& spins, int L);

}  // namespace psflip::laboratory
