#pragma once
#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/measure/site_order.cuh"
#include "engine/cuda/measure/site_sums.cuh"
#include "engine/driver/packed_signs.hpp"
#include "engine/driver/tables.hpp"

/// Host functions of engines with packed sites: canonical order and tables of cosines.
namespace psflip::cuda {

/// Calls copy(first_row, chunks, first_word, staging) for groups of stored rows that fit in the staging memory. A chunk
/// has 64 sites; `first_word` is the index of the group's first word in canonical order.
template <class Copy>
void for_row_chunks(const SiteLayout& layout, std::size_t samples, Copy copy) {
  const std::size_t in_row = layout.words_in_row(), rows = samples * layout.stored;
  const std::size_t rows_at_once = std::min(rows, std::max<std::size_t>(1, (std::size_t{8} << 20) / in_row));
  DeviceArray<std::uint64_t> staging(rows_at_once * in_row);
  for (std::size_t first = 0; first < rows; first += rows_at_once)
    copy(first, std::min(rows_at_once, rows - first) * in_row, 2 * first * in_row, staging.data());
}

/// All stored rows in canonical order.
inline PackedSigns rows_of_sites(const std::uint32_t* spins, const SiteLayout& layout, std::size_t samples) {
  PackedSigns out(samples, std::size_t{layout.stored} * layout.L);
  auto* words = const_cast<std::uint32_t*>(spins);
  for_row_chunks(
      layout, samples, [&](std::size_t first_row, std::size_t chunks, std::size_t first_word, std::uint64_t* staging) {
        interleave_spins_kernel<<<blocks_for(chunks, 256), 256>>>(words, layout, first_row, chunks, staging);
        check(cudaGetLastError(), "spins");
        check(cudaMemcpy(out.words.data() + first_word, staging, 8 * chunks, cudaMemcpyDeviceToHost), "spins");
      });
  return out;
}

/// The reverse of rows_of_sites().
inline void sites_of_rows(const PackedSigns& rows, const SiteLayout& layout, std::size_t samples,
                          std::uint32_t* spins) {
  for_row_chunks(
      layout, samples, [&](std::size_t first_row, std::size_t chunks, std::size_t first_word, std::uint64_t* staging) {
        check(cudaMemcpy(staging, rows.words.data() + first_word, 8 * chunks, cudaMemcpyHostToDevice), "restore");
        separate_spins_kernel<<<blocks_for(chunks, 256), 256>>>(spins, layout, first_row, chunks, staging);
        check(cudaGetLastError(), "restore");
      });
}

/// SiteTables in the memory of the GPU. The sum of all L cosines or sines is zero: half of them are the negatives of
/// the others.
class SiteFourier {
 public:
  explicit SiteFourier(int L) : table_(make_fourier_table(L)) {
    const auto size = static_cast<std::size_t>(L), W = size / 64;
    std::vector<int2> row(size), column(size);
    for (std::size_t x = 0; x < size; ++x) {
      row[x] = {static_cast<int>(table_.cosine[x]), static_cast<int>(table_.sine[x])};
      const std::size_t word = x / 64, in_word = x % 64;  // bit and s of the site: 2 bit + s
      column[in_word * W + word] = row[x];
    }
    row_ = DeviceArray<int2>(size);
    column_ = DeviceArray<int2>(size);
    row_.upload(row);
    column_.upload(column);
  }

  SiteTables tables() const { return {row_.data(), column_.data()}; }
  const FourierTable& on_host() const { return table_; }

 private:
  FourierTable table_;
  DeviceArray<int2> row_, column_;
};

}  // namespace psflip::cuda
