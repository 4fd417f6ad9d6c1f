#pragma once
#include <cstdint>

#include "engine/models/system.hpp"

/// The exchange of neighbouring temperature slots: docs/randomness.md, section Tempering.
namespace psflip::oracle {

/// Exchange of `slot` and `slot` + 1, where B_{slot+1} - B_slot and F_{slot+1} - F_slot are the differences of the bond
/// sums and of the field sums: accepted when u is below this.
std::uint64_t exchange_threshold(const System& system, std::size_t slot, std::int64_t difference_of_B,
                                 std::int64_t difference_of_F);

}  // namespace psflip::oracle
