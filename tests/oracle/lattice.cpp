#include "lattice.hpp"

namespace psflip::oracle {

Lattice::Lattice(int L, int dimension) : L_(L), dimension_(dimension) {
  const int depth = dimension == 3 ? L : 1;
  const auto site_at = [L](int x, int y, int z) { return static_cast<std::uint32_t>(x + L * (y + L * z)); };
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < L; ++y) {
      for (int x = 0; x < L; ++x) {
        coordinates_.push_back({x, y, z});
        parity_.push_back((x + y + z) % 2);
        forward_.push_back({site_at((x + 1) % L, y, z), site_at(x, (y + 1) % L, z), site_at(x, y, (z + 1) % depth)});
        backward_.push_back(
            {site_at((x + L - 1) % L, y, z), site_at(x, (y + L - 1) % L, z), site_at(x, y, (z + depth - 1) % depth)});
      }
    }
  }
}

}  // namespace psflip::oracle
