#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

namespace psflip::cuda {

/// Location of the configurations of some samples in device memory.
struct SampleWords {
  std::uint32_t L;
  std::size_t sites;                            ///< of a configuration
  std::size_t fields;                           ///< configurations of a sample
  std::size_t per_pack, per_field, per_parity;  ///< words from one to the next
  std::size_t first_lane, samples;              ///< lane of the first sample in the first pack
  std::size_t origin = 0;                       ///< parity of site 0

  /// Index of the word of site s in its configuration: parity, then compact index.
  PSFLIP_HD std::size_t word_index(std::size_t s) const {
    return ((origin + s % L + s / L % L + s / L / L) & 1u) * per_parity + s / 2;
  }
};

/// Starts to convert sites of a configuration from `first` on to rows[lane][word], `stride` words of each row.
void start_words_to_rows(const std::uint32_t* words, const SampleWords& where, std::size_t first, std::size_t stride,
                         std::uint32_t* rows);
/// The reverse of start_words_to_rows().
void start_rows_to_words(const std::uint32_t* rows, const SampleWords& where, std::size_t first, std::size_t stride,
                         std::uint32_t* words);

}  // namespace psflip::cuda
