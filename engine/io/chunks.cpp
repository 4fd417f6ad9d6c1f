#include "engine/io/chunks.hpp"

#define ZLIB_CONST  // zlib does not change what it reads
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace psflip::io {
namespace {

/// All first bytes of the values, then all second ones and so on.
Bytes shuffled(std::span<const std::byte> values, std::size_t chunk_bytes, std::size_t value_size) {
  const std::size_t count = values.size() / value_size, places = chunk_bytes / value_size;
  Bytes out(chunk_bytes);
  for (std::size_t b = 0; b < value_size; ++b)
    for (std::size_t i = 0; i < count; ++i) out[b * places + i] = values[i * value_size + b];
  return out;
}

Bytes unshuffled(const Bytes& planes, std::size_t value_size) {
  const std::size_t count = planes.size() / value_size;
  Bytes out(planes.size());
  for (std::size_t b = 0; b < value_size; ++b)
    for (std::size_t i = 0; i < count; ++i) out[i * value_size + b] = planes[b * count + i];
  return out;
}

/// In the format of zlib, with space for the checksum behind it.
Bytes deflated(const Bytes& in) {
  z_stream stream{};
  if (deflateInit2(&stream, 2, Z_DEFLATED, MAX_WBITS, 8, Z_RLE) != Z_OK) throw std::bad_alloc();
  Bytes out(deflateBound(&stream, in.size()) + 4);
  stream.next_in = reinterpret_cast<const Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::bad_alloc();
  return out;
}

/// Empty unless `in` deflates `bytes` bytes.
Bytes inflated(std::span<const std::byte> in, std::size_t bytes) {
  Bytes out(bytes);
  uLongf length = bytes;
  const auto* from = reinterpret_cast<const Bytef*>(in.data());
  const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &length, from, in.size());
  return status == Z_OK && length == bytes ? out : Bytes();
}

/// Fletcher's checksum modulo 65535 over 16-bit words, high byte first, an odd last byte filled up with zero.
std::uint32_t fletcher32(std::span<const std::byte> data) {
  const auto reduce = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  constexpr std::size_t words_without_overflow = 360;
  std::uint32_t sum1 = 0, sum2 = 0;
  const std::size_t words = (data.size() + 1) / 2;
  for (std::size_t w = 0; w < words;) {
    const std::size_t end = std::min(words, w + words_without_overflow);
    for (; w < end; ++w) {
      const auto high = std::to_integer<std::uint32_t>(data[2 * w]);
      const auto low = 2 * w + 1 < data.size() ? std::to_integer<std::uint32_t>(data[2 * w + 1]) : 0;
      sum2 += sum1 += high << 8 | low;
    }
    sum1 = reduce(sum1), sum2 = reduce(sum2);
  }
  return reduce(sum2) << 16 | reduce(sum1);
}

std::vector<std::size_t> chunk_extent(const std::vector<std::size_t>& shape, std::size_t value_size) {
  constexpr std::size_t target_bytes = std::size_t{1} << 19;
  std::vector<std::size_t> extent = shape;
  std::size_t rest = value_size;
  for (const std::size_t length : shape) rest *= length;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    rest /= shape[d];
    extent[d] = std::clamp<std::size_t>(target_bytes / rest, 1, shape[d]);
    if (extent[d] > 1) break;
  }
  return extent;
}

}  // namespace

Chunking::Chunking(std::vector<std::size_t> shape_of_array, std::size_t size_of_value)
    : shape(std::move(shape_of_array)), extent(chunk_extent(shape, size_of_value)), value_size(size_of_value) {
  while (cut_ + 1 < shape.size() && extent[cut_] == 1) ++cut_;
  row_bytes_ = value_size;
  for (std::size_t d = cut_ + 1; d < shape.size(); ++d) row_bytes_ *= shape[d];
}

std::size_t Chunking::chunks_along_cut() const { return (shape[cut_] + extent[cut_] - 1) / extent[cut_]; }

std::size_t Chunking::count() const {
  std::size_t count = chunks_along_cut();
  for (std::size_t d = 0; d < cut_; ++d) count *= shape[d];
  return count;
}

std::vector<std::size_t> Chunking::offset(std::size_t k) const {
  std::vector<std::size_t> at(shape.size(), 0);
  at[cut_] = k % chunks_along_cut() * extent[cut_];
  k /= chunks_along_cut();
  for (std::size_t d = cut_; d-- > 0; k /= shape[d]) at[d] = k % shape[d];
  return at;
}

std::span<const std::byte> Chunking::part(std::span<const std::byte> array, std::size_t k) const {
  return array.subspan((k / chunks_along_cut() * shape[cut_] + row(k)) * row_bytes_, part_bytes(k));
}

Bytes filtered_chunk(std::span<const std::byte> values, std::size_t chunk_bytes, std::size_t value_size) {
  Bytes out = deflated(shuffled(values, chunk_bytes, value_size));
  const std::uint32_t sum = fletcher32(out);
  for (int byte = 0; byte < 4; ++byte) out.push_back(static_cast<std::byte>(sum >> (8 * byte)));
  return out;
}

Bytes unfiltered_chunk(std::span<const std::byte> stored, std::size_t chunk_bytes, std::size_t value_size,
                       bool is_deflated) {
  constexpr std::size_t sum_bytes = 4;
  if (stored.size() < sum_bytes) return {};
  const auto body = stored.first(stored.size() - sum_bytes);
  std::uint32_t sum = 0;
  for (std::size_t byte = 0; byte < sum_bytes; ++byte)
    sum |= std::to_integer<std::uint32_t>(stored[body.size() + byte]) << (8 * byte);
  if (sum != fletcher32(body)) return {};
  const Bytes planes = is_deflated ? inflated(body, chunk_bytes) : Bytes(body.begin(), body.end());
  return planes.size() == chunk_bytes ? unshuffled(planes, value_size) : Bytes();
}

void for_each_filtered_chunk(const Chunking& chunking, std::span<const std::byte> array, int threads,
                             const std::function<void(std::size_t, const Bytes&)>& store) {
  std::exception_ptr failure;  // only touched in the ordered part; nothing may leave a parallel loop by a throw
  // A single chunk wakes no thread: a file has dozens of small arrays.
#pragma omp parallel for ordered schedule(dynamic) num_threads(std::max(1, threads)) if (chunking.count() > 1)
  for (std::size_t k = 0; k < chunking.count(); ++k) {
    Bytes bytes;
    std::exception_ptr thrown;
    try {
      bytes = filtered_chunk(chunking.part(array, k), chunking.chunk_bytes(), chunking.value_size);
    } catch (...) {
      thrown = std::current_exception();
    }
#pragma omp ordered
    try {
      if (thrown) std::rethrow_exception(thrown);
      if (!failure) store(k, bytes);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace psflip::io
