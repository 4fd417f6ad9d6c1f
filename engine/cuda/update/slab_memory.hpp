#pragma once
#include "engine/core/domain.hpp"
#include "engine/cuda/update/plane_memory.hpp"
#include "engine/cuda/update/site_layout.hpp"

/// Memory of the packed sites of a domain.
namespace psflip::cuda {

/// With an unused row after the ghosts if the number of rows is odd: kernels update rows in pairs.
inline SiteLayout site_layout(const Domain<2>& domain, std::uint32_t rows_of_column, std::uint64_t first_sample) {
  SiteLayout layout{domain.L, rows_of_column, first_sample};
  layout.stored = domain.stored_planes() + domain.planes % 2;
  layout.first = domain.plane(0);
  layout.ghosts = domain.ghosts;
  layout.own = domain.planes;
  return layout;
}

/// Messages are about all ghosts of both parities.
inline PlaneMemory site_memory(std::uint32_t* spins, const SiteLayout& layout, std::size_t samples) {
  PlaneMemory memory{spins, static_cast<std::uint32_t>(samples), 1, layout.own, layout.words_in_row()};
  memory.ghosts = layout.ghosts;
  memory.sends_both_parities = true;
  memory.stored = layout.stored;
  return memory;
}

}  // namespace psflip::cuda
