#pragma once
#include "engine/laboratory/heisenberg/lattice.hpp"

/// The 2D Heisenberg model in the memory of the GPU: a thread block for each tile, the tile in shared memory.
namespace psflip::laboratory::device {

/// As make_heisenberg() of the CPU, for all precisions. advance() waits for the GPU.
std::unique_ptr<HeisenbergLattice> make_heisenberg(const std::string& precision, const HeisenbergPlan& plan);

/// Bytes that a thread block can have.
std::size_t shared_memory_of_block();

}  // namespace psflip::laboratory::device
