#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "engine/io/sealed_bytes.hpp"

/// Chunks of datasets as HDF5 stores them, made by several threads at once, which the library itself cannot. Every HDF5
/// has their filters, but it trusts what a file says about sizes and left-out filters, so psflip undoes them itself.
namespace psflip::io {

/// How a row-major array is cut into chunks: each is a run of the array's own order, `extent` long along each axis and
/// at most 512 KiB; the last one along the axis that is cut may reach over the edge.
struct Chunking {
  std::vector<std::size_t> shape, extent;
  std::size_t value_size;

  /// `shape` without zeros and with at least one axis.
  Chunking(std::vector<std::size_t> shape, std::size_t value_size);
  std::size_t count() const;
  /// Index of the first value of chunk `k` along each axis.
  std::vector<std::size_t> offset(std::size_t k) const;
  /// The bytes of chunk `k` that lie within the array.
  std::span<const std::byte> part(std::span<const std::byte> array, std::size_t k) const;
  std::size_t part_bytes(std::size_t k) const { return rows(k) * row_bytes_; }
  std::size_t chunk_bytes() const { return extent[cut_] * row_bytes_; }

 private:
  std::size_t chunks_along_cut() const;
  /// First row of chunk `k` along the axis that is cut, and rows that lie within the array.
  std::size_t row(std::size_t k) const { return k % chunks_along_cut() * extent[cut_]; }
  std::size_t rows(std::size_t k) const { return std::min(extent[cut_], shape[cut_] - row(k)); }
  std::size_t cut_ = 0;  ///< the axis that is cut; the chunk is 1 along those before, complete along those behind
  std::size_t row_bytes_ = 0;
};

/// Output of the HDF5 filters shuffle, deflate and Fletcher-32, in this order, for a chunk of `chunk_bytes` bytes
/// that begins with `values` and is zero behind them. Deflate looks for runs alone (Z_RLE): integers of simulations
/// have noise in their low bytes and runs in their high ones, where a search for matches finds nothing more
/// (results/published/benchmark/NOTEBOOK.md). Throws std::bad_alloc.
Bytes filtered_chunk(std::span<const std::byte> values, std::size_t chunk_bytes, std::size_t value_size);

/// The `chunk_bytes` bytes of which those filters made `stored`, without deflate if `is_deflated` is false: HDF5 leaves
/// out deflate where it does not shorten a chunk. Empty if `stored` is no such chunk.
Bytes unfiltered_chunk(std::span<const std::byte> stored, std::size_t chunk_bytes, std::size_t value_size,
                       bool is_deflated);

/// Filters all chunks with so many threads and hands them to `store` (chunk number, bytes) one at a time, in order.
/// An exception of `store` or of a filter is thrown again.
void for_each_filtered_chunk(const Chunking& chunking, std::span<const std::byte> array, int threads,
                             const std::function<void(std::size_t, const Bytes&)>& store);

}  // namespace psflip::io
