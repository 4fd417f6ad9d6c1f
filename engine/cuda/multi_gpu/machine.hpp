#pragma once
#include <string>

/// What ranks must know of each other before one uses memory of another.
namespace psflip::cuda {

/// Identifier of the running machine; it differs between any two machines. Empty if there is none.
std::string machine_identity();

/// True if the environment variable PSFLIP_HALO=host selects messages that the ranks send.
bool only_through_ranks();

}  // namespace psflip::cuda
