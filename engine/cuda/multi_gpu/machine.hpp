#pragma once

/// What ranks must know of each other before one uses memory of another.
namespace psflip::cuda {

/// Identifier of the running machine; it differs between any two machines. Empty if there is none.
struct MachineName {
  char text[64];
};
MachineName machine_name();

/// Whether this process can use memory that a rank of that machine offers: it is the same machine, and the environment
/// variable PSFLIP_HALO=host does not select messages that the ranks send.
bool shares_memory_with(const MachineName& theirs);

}  // namespace psflip::cuda
