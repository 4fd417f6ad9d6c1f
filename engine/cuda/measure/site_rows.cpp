#include "engine/cuda/measure/site_rows.hpp"

#include <algorithm>

namespace psflip::cuda {

namespace {

std::size_t rows_in_staging(const SiteLayout& layout, std::size_t samples) {
  return std::min(samples * layout.stored, std::max<std::size_t>(1, (std::size_t{8} << 20) / layout.words_in_row()));
}

/// Calls copy(first_row, chunks, first_word, staging) for groups of stored rows that fit in the staging memory. A chunk
/// has 64 sites; `first_word` is the index of the group's first word in canonical order.
template <class Copy>
void for_row_chunks(const SiteLayout& layout, std::size_t samples, Copy copy) {
  const std::size_t in_row = layout.words_in_row(), rows = samples * layout.stored,
                    rows_at_once = rows_in_staging(layout, samples);
  DeviceArray<std::uint64_t> staging(rows_at_once * in_row);
  for (std::size_t first = 0; first < rows; first += rows_at_once)
    copy(first, std::min(rows_at_once, rows - first) * in_row, 2 * first * in_row, staging.data());
}

}  // namespace

std::size_t staging_bytes(const SiteLayout& layout, std::size_t samples) {
  return sizeof(std::uint64_t) * rows_in_staging(layout, samples) * layout.words_in_row();
}

PackedSigns rows_of_sites(const std::uint32_t* spins, const SiteLayout& layout, std::size_t samples) {
  PackedSigns out(samples, std::size_t{layout.stored} * layout.L);
  auto* words = const_cast<std::uint32_t*>(spins);
  for_row_chunks(
      layout, samples, [&](std::size_t first_row, std::size_t chunks, std::size_t first_word, std::uint64_t* staging) {
        start_interleaving(words, layout, first_row, chunks, staging);
        check(cudaMemcpy(out.words.data() + first_word, staging, 8 * chunks, cudaMemcpyDeviceToHost), "spins");
      });
  return out;
}

void sites_of_rows(const PackedSigns& rows, const SiteLayout& layout, std::size_t samples, std::uint32_t* spins) {
  for_row_chunks(
      layout, samples, [&](std::size_t first_row, std::size_t chunks, std::size_t first_word, std::uint64_t* staging) {
        check(cudaMemcpy(staging, rows.words.data() + first_word, 8 * chunks, cudaMemcpyHostToDevice), "restore");
        start_separating(spins, layout, first_row, chunks, staging);
      });
}

}  // namespace psflip::cuda
