#pragma once
#include <cstddef>
#include <string>

namespace psflip::laboratory {

/// Throws UserError if a tile with its boundary does not fit the `available` bytes of shared memory of a thread block.
void require_shared_memory(const std::string& precision, int tile, std::size_t available);

}  // namespace psflip::laboratory
