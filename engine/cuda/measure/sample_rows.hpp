#pragma once
#include "engine/cuda/measure/sample_words.hpp"
#include "engine/driver/packed_signs.hpp"

/// Conversion from words that hold one site of 32 samples to the canonical order, one sample after the other, and back.
namespace psflip::cuda {

/// [sample][field][site]
PackedSigns rows_of_words(const std::uint32_t* words, const SampleWords& where);

/// The reverse of rows_of_words(); lanes without a sample become zero.
void words_of_rows(const PackedSigns& rows, const SampleWords& where, std::uint32_t* words);

}  // namespace psflip::cuda
