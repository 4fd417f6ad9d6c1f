#pragma once
#include <cstdint>

#include "engine/driver/tempering_engine.hpp"

/// docs/randomness.md, "Tempering (rfim3d)", in code, one number and one decision at a time.
namespace psflip::oracle {

/// +1 or -1, the field on a site.
int field(const TemperingSystem& system, std::uint64_t sample, std::uint64_t site, int parity);
/// +1 or -1, the random initial spin.
int initial_spin(const TemperingSystem& system, std::uint64_t sample, int set, int slot, std::uint64_t site,
                 int parity);
/// The number u that decides about one spin in one half sweep.
std::uint32_t metropolis_number(const TemperingSystem& system, std::uint64_t sample, int set, int slot,
                                std::uint64_t site, std::uint64_t half_sweep);
/// The number u that decides about the exchange of `slot` and `slot` + 1 in one round.
std::uint32_t exchange_number(const TemperingSystem& system, std::uint64_t sample, int set, int slot,
                              std::uint64_t round);

/// Exchange of `slot` and `slot` + 1 with B_{slot+1} - B_slot and F_{slot+1} - F_slot: accepted when u is below this.
std::uint64_t exchange_threshold(const TemperingSystem& system, int slot, std::int64_t difference_of_B,
                                 std::int64_t difference_of_F);

}  // namespace psflip::oracle
