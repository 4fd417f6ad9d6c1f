#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// How the sites of one parity of a periodic cubic lattice lie in memory, and where their neighbours are among those of
/// the other parity: Lulli, Bernaschi, Parisi (arXiv:1411.0127), section II and appendix A, and their poster.
///
/// A layout has L^3 / 2 indices for each parity. neighbours<PARITY>(i) gives the indices of the neighbours of a site,
/// compact<PARITY>(i) its compact index: the address of its random numbers in psflip.
namespace psflip::laboratory {

/// Neighbours in the directions +x, -x, +y, -y, +z, -z.
struct Six {
  std::uint32_t of[6];
};

/// Checkerboard order for any even L: index = x / 2 + (L / 2) (y + L z), the compact index. Divisions and remainders.
struct Standard {
  static constexpr const char* name = "standard";
  std::uint32_t L;

  static bool allows(std::uint32_t size) { return size % 2 == 0; }
  explicit Standard(std::uint32_t size) : L(size) {}
  std::size_t sites() const { return std::size_t{L} * L * L / 2; }  ///< of one parity

  template <int PARITY>
  PSFLIP_HD std::uint32_t compact(std::uint32_t i) const {
    return i;
  }
  template <int PARITY>
  PSFLIP_HD Six neighbours(std::uint32_t i) const {
    const std::uint32_t half = L / 2, plane = half * L;
    const std::uint32_t x = i % half, y = (i / half) % L, z = i / plane, shift = (y ^ z ^ PARITY) & 1u;
    return {{i - x + (x + shift) % half, i - x + (x + shift + half - 1) % half, i - y * half + ((y + 1) % L) * half,
             i - y * half + ((y + L - 1) % L) * half, i - z * plane + ((z + 1) % L) * plane,
             i - z * plane + ((z + L - 1) % L) * plane}};
  }
};

/// The same order for L = 2^l by shifts and masks: Bernaschi, Parisi, Parisi (Comput. Phys. Commun. 182, 1265, 2011).
struct Bitwise {
  static constexpr const char* name = "bitwise";
  std::uint32_t l;  ///< log2 of L

  static bool allows(std::uint32_t size) { return size != 0 && (size & (size - 1)) == 0; }
  explicit Bitwise(std::uint32_t size) : l(0) {
    while ((1u << l) < size) ++l;
  }
  std::size_t sites() const { return (std::size_t{1} << (3 * l)) / 2; }

  template <int PARITY>
  PSFLIP_HD std::uint32_t compact(std::uint32_t i) const {
    return i;
  }
  template <int PARITY>
  PSFLIP_HD Six neighbours(std::uint32_t i) const {
    const std::uint32_t along_x = (1u << (l - 1)) - 1, along_y = ((1u << l) - 1) << (l - 1);
    const std::uint32_t along_z = along_y << l, row = 1u << (l - 1), plane = row << l;
    const std::uint32_t shift = ((i >> (l - 1)) ^ (i >> (2 * l - 1)) ^ PARITY) & 1u;
    return {{moved(i, shift, along_x), moved(i, shift - 1, along_x), moved(i, row, along_y),
             moved(i, 0u - row, along_y), moved(i, plane, along_z), moved(i, 0u - plane, along_z)}};
  }

 private:
  /// `step` added to the bits of `mask`, modulo their range.
  PSFLIP_HD static std::uint32_t moved(std::uint32_t i, std::uint32_t step, std::uint32_t mask) {
    return (i & ~mask) | ((i + step) & mask);
  }
};

/// Slices perpendicular to (1, -1, 1): x' = x, y' = y - x, z' = x - y + z (equation 4). The sites of a slice have one
/// parity, that of z', and all their neighbours are in the slices z' + 1 and z' - 1. Slices 2 k and 2 k + 1 share the
/// label k, so that one neighbour of a site has its own index. index = x' + L (y' + L k), any even L.
struct Sliced {
  static constexpr const char* name = "sliced";
  std::uint32_t L;

  static bool allows(std::uint32_t size) { return size % 2 == 0; }
  explicit Sliced(std::uint32_t size) : L(size) {}
  std::size_t sites() const { return std::size_t{L} * L * L / 2; }

  template <int PARITY>
  PSFLIP_HD std::uint32_t compact(std::uint32_t i) const {
    const std::uint32_t x = i % L, y_of_slice = (i / L) % L, slice = 2 * (i / (L * L)) + PARITY;
    const std::uint32_t y = wrapped(y_of_slice + x), z = wrapped(slice + y_of_slice);
    return (x + L * (y + L * z)) / 2;
  }
  template <int PARITY>
  PSFLIP_HD Six neighbours(std::uint32_t i) const {
    const std::uint32_t plane = L * L, x = i % L, y = (i / L) % L, k = i / plane;
    const std::uint32_t above = PARITY == 0 ? i : (k + 1 == L / 2 ? i - k * plane : i + plane);
    const std::uint32_t below = PARITY == 1 ? i : (k == 0 ? i + (L / 2 - 1) * plane : i - plane);
    return in_slices(L, x, y, above, below);
  }
  /// From the indices with equal x' and y' in the slices above and below; as in appendix A the neighbours in a slice
  /// follow from each other.
  PSFLIP_HD static Six in_slices(std::uint32_t L, std::uint32_t x, std::uint32_t y, std::uint32_t above,
                                 std::uint32_t below) {
    const std::uint32_t spy = y + 1 == L ? below - y * L : below + L;
    const std::uint32_t smy = y == 0 ? above + (L - 1) * L : above - L;
    const std::uint32_t spx = x + 1 == L ? smy - x : smy + 1, smx = x == 0 ? spy + L - 1 : spy - 1;
    return {{spx, smx, spy, smy, above, below}};
  }

 private:
  PSFLIP_HD std::uint32_t wrapped(std::uint32_t c) const { return c >= L ? c - L : c; }
};

/// Calls f.template operator()<Layout>() for each layout.
template <class F>
void for_each_layout(F f) {
  f.template operator()<Sliced>();
  f.template operator()<Standard>();
  f.template operator()<Bitwise>();
}

}  // namespace psflip::laboratory
