#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/fourier.hpp"
#include "engine/core/vertical_counter.hpp"
#include "engine/models/tables.hpp"

/// Bit-sliced measurements: planes of spins are counted with carry-save adders, lanes become integers at the end.
namespace psflip::cpu {

/// lanes[i] = sum of 2^k over the digits k in which bit i is set.
template <class W>
void spread_digits(const W* digits, int count, std::int32_t* lanes) {
  std::fill(lanes, lanes + W::bits, 0);
  for (int k = 0; k < count; ++k) spread(digits[k], std::int32_t{1} << k, lanes);
}

/// The counts of one counter as integers, one per lane.
template <class W>
void counts(CounterBank<W>& bank, std::size_t counter, std::int32_t* lanes) {
  W digits[32];
  bank.digits(counter, digits);
  spread_digits(digits, bank.levels(), lanes);
}

/// Below this number of sites a Fourier component with the factor 2^20 is below 2^31 and the squares of those of three
/// axes sum to less than 2^64: |re + i im| <= 2^20 (1 + 2^-20) sites.
inline constexpr std::uint32_t fewest_wide_sites = 1u << 11;

/// The Fourier components of the fields of many lanes along D axes, plane pair by plane pair. Sum is std::int32_t for
/// fewer than fewest_wide_sites sites, else std::int64_t.
template <class Sum, int D, int lanes>
class FourierSums {
 public:
  FourierSums() : re_(D * lanes), im_(D * lanes) {}
  std::size_t bytes() const { return sizeof(Sum) * (re_.size() + im_.size()); }
  void clear() {
    std::fill(re_.begin(), re_.end(), 0);
    std::fill(im_.begin(), im_.end(), 0);
  }

  /// Adds a plane sum with the factors `cosine` and `sine` and, half a period on, one with their negatives; of either
  /// only the numbers of -1 spins matter.
  void add_planes(int axis, const std::int32_t* minus, const std::int32_t* minus_half_on, std::int32_t cosine,
                  std::int32_t sine) {
    Sum *re = &re_[axis * lanes], *im = &im_[axis * lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int32_t difference = 2 * (minus_half_on[lane] - minus[lane]);
      re[lane] += Sum{difference} * cosine;
      im[lane] += Sum{difference} * sine;
    }
  }

  void k2(std::int64_t* out) const {
    for (int lane = 0; lane < lanes; ++lane) out[lane] = k2_of_lane(lane);
  }

  /// The components themselves: [axis][re, im][lane].
  void components(std::int64_t* out) const {
    for (int axis = 0; axis < D; ++axis) {
      std::copy_n(&re_[axis * lanes], lanes, out + 2 * axis * lanes);
      std::copy_n(&im_[axis * lanes], lanes, out + (2 * axis + 1) * lanes);
    }
  }

  /// k2 of the product of two fields of at most 2^24 sites.
  void k2_product(const FourierSums& other, std::int64_t* out) const {
    const Sum *re = re_.data(), *im = im_.data(), *other_re = other.re_.data(), *other_im = other.im_.data();
#pragma omp simd
    for (int lane = 0; lane < lanes; ++lane) {
      std::int64_t component[4][D];
      for (int axis = 0; axis < D; ++axis) {
        component[0][axis] = re[axis * lanes + lane];
        component[1][axis] = im[axis * lanes + lane];
        component[2][axis] = other_re[axis * lanes + lane];
        component[3][axis] = other_im[axis * lanes + lane];
      }
      out[lane] = k2_of_cube(component[0], component[1], component[2], component[3], D);
    }
  }

 private:
  std::int64_t k2_of_lane(int lane) const {
    if constexpr (sizeof(Sum) == 4) {
      std::uint64_t sum = 0;
      for (int axis = 0; axis < D; ++axis) {
        const std::int64_t re = re_[axis * lanes + lane], im = im_[axis * lanes + lane];
        sum += static_cast<std::uint64_t>(re * re) + static_cast<std::uint64_t>(im * im);
      }
      return static_cast<std::int64_t>(sum >> k2_shift);
    } else {
      std::int64_t re[D], im[D];
      for (int axis = 0; axis < D; ++axis) {
        re[axis] = re_[axis * lanes + lane];
        im[axis] = im_[axis * lanes + lane];
      }
      return k2_from_components(re, im, D);
    }
  }

  std::vector<Sum> re_, im_;  ///< [axis][lane]
};

}  // namespace psflip::cpu
