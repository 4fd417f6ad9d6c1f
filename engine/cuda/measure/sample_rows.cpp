#include "engine/cuda/measure/sample_rows.hpp"

#include <algorithm>

#include "engine/cuda/device/array.hpp"

namespace psflip::cuda {

namespace {

/// A chunk of the configurations that is copied at once: words of the rows of the samples of one pack, in one field.
struct RowChunk {
  std::size_t configuration;  ///< index of its first word in device memory
  std::size_t lane, lanes;    ///< those that are samples
  std::size_t row;            ///< row of the first lane among all rows
  std::size_t first, count;   ///< words of each row
};

/// Calls f(chunk) for chunks of at most `longest` words of a row.
template <class F>
void for_each_chunk(const SampleWords& where, std::size_t longest, F f) {
  const std::size_t words = (where.sites + 31) / 32, end = where.first_lane + where.samples;
  for (std::size_t pack = 0; 32 * pack < end; ++pack) {
    const std::size_t begin = std::max(32 * pack, where.first_lane), lanes = std::min(32 * pack + 32, end) - begin;
    for (std::size_t field = 0; field < where.fields; ++field)
      for (std::size_t first = 0; first < words; first += longest)
        f(RowChunk{pack * where.per_pack + field * where.per_field, begin % 32, lanes,
                   (begin - where.first_lane) * where.fields + field, first, std::min(longest, words - first)});
  }
}

constexpr std::size_t longest_chunk = std::size_t{1} << 17;  ///< words of a row; 32 rows are 16 MiB

}  // namespace

PackedSigns rows_of_words(const std::uint32_t* words, const SampleWords& where) {
  PackedSigns out(where.samples * where.fields, where.sites);
  const std::size_t longest = std::min(longest_chunk, out.words_in_row()),
                    pitch = 4 * where.fields * out.words_in_row();
  DeviceArray<std::uint32_t> staging(32 * longest);
  for_each_chunk(where, longest, [&](const RowChunk& p) {
    start_words_to_rows(words + p.configuration, where, 32 * p.first, p.count, staging.data());
    check(cudaMemcpy2D(out.row(p.row) + p.first, pitch, staging.data() + p.lane * p.count, 4 * p.count, 4 * p.count,
                       p.lanes, cudaMemcpyDeviceToHost),
          "copy from the GPU");
  });
  return out;
}

void words_of_rows(const PackedSigns& rows, const SampleWords& where, std::uint32_t* words) {
  const std::size_t longest = std::min(longest_chunk, rows.words_in_row()),
                    pitch = 4 * where.fields * rows.words_in_row();
  DeviceArray<std::uint32_t> staging(32 * longest);
  for_each_chunk(where, longest, [&](const RowChunk& p) {
    staging.clear();
    check(cudaMemcpy2D(staging.data() + p.lane * p.count, 4 * p.count, rows.row(p.row) + p.first, pitch, 4 * p.count,
                       p.lanes, cudaMemcpyHostToDevice),
          "copy to the GPU");
    start_rows_to_words(staging.data(), where, 32 * p.first, p.count, words + p.configuration);
  });
}

}  // namespace psflip::cuda
