#pragma once
#include <memory>

#include "engine/core/domain.hpp"
#include "engine/cuda/lattice/lattices.hpp"

namespace psflip::cuda {

/// Square lattices without disorder at one temperature, 32 sites of a row in a word: all rows or some.
std::unique_ptr<Lattices> make_sites(const System& system, const Planes& rows);

/// Bytes of these lattices in the memory of the GPU.
double bytes_of_sites(const System& system, const Planes& rows);

}  // namespace psflip::cuda
