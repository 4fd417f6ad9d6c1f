#pragma once
#include <memory>

#include "engine/cuda/lattice/lattices.hpp"
#include "engine/driver/part_engine.hpp"

namespace psflip::cuda {

/// Square lattices without disorder at one temperature, 32 sites of a row in a word: all rows or some.
std::unique_ptr<RowLattices> make_sites(const System& system, const Share& share);

/// Bytes of these lattices in the memory of the GPU.
double bytes_of_sites(const System& system, const Share& share);

}  // namespace psflip::cuda
