#include "engine/laboratory/heisenberg/shared_memory.hpp"

#include <fmt/format.h>

#include "engine/io/error.hpp"
#include "engine/laboratory/heisenberg/lattice.hpp"

namespace psflip::laboratory {

void require_shared_memory(const std::string& precision, int tile, std::size_t available) {
  constexpr double kib = 1024;
  const std::size_t bytes = bytes_of_tile(precision, tile);
  if (bytes <= available) return;
  int fitting = 2;
  while (bytes_of_tile(precision, fitting + 2) <= available) fitting += 2;
  throw UserError(fmt::format(
      "--tile {}: in {} needs {:.1f} KiB of shared memory and a block has {:.1f} KiB, give a --tile of at most {}.",
      tile, precision, static_cast<double>(bytes) / kib, static_cast<double>(available) / kib, fitting));
}

}  // namespace psflip::laboratory
