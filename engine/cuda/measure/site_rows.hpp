#pragma once
#include "engine/cuda/device/array.hpp"
#include "engine/cuda/measure/site_words.hpp"
#include "engine/driver/packed_signs.hpp"
#include "engine/models/tables.hpp"

/// Host functions for packed sites: canonical order and tables of cosines.
namespace psflip::cuda {

/// All stored rows in canonical order.
PackedSigns rows_of_sites(const std::uint32_t* spins, const SiteLayout& layout, std::size_t samples);

/// The reverse of rows_of_sites().
void sites_of_rows(const PackedSigns& rows, const SiteLayout& layout, std::size_t samples, std::uint32_t* spins);

/// Bytes on the GPU that both take for a moment.
std::size_t staging_bytes(const SiteLayout& layout, std::size_t samples);

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
