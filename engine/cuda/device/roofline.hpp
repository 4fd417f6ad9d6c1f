#pragma once
#include <cstddef>

namespace psflip::cuda {

/// What the driver says of the card.
struct Card {
  int multiprocessors;
  int clock_khz;                        ///< the highest of the multiprocessors; under load the card may run slower
  std::size_t cache_bytes;              ///< L2
  std::size_t resident_bytes;           ///< shared memory of all multiprocessors together
  int runtime_version, driver_version;  ///< as CUDA counts: 13000 is 13.0
};

/// What the card was measured to do: the ceilings beside which kernels are set.
struct CardRates {
  double copy_bandwidth;  ///< bytes read and written per second in copies of a buffer far larger than the L2 cache
  double logic_rate;      ///< three-input logic operations on 32-bit words (LOP3) per second
  double philox_rate;     ///< calls of Philox4x32-10 per second
};

/// Throws std::runtime_error when CUDA fails.
Card card();

/// Takes about a second. Throws UserError when the memory of the card is in use elsewhere.
CardRates measure_card_rates();

}  // namespace psflip::cuda
