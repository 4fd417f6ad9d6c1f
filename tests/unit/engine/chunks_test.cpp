#include "engine/io/chunks.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>

#include "engine/io/labelled_file.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::io {
namespace {

/// Integers as measurements have them: noise in the low bytes, runs in the high ones.
std::vector<std::int32_t> noisy(std::size_t count) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0.0, 3000.0);
  std::vector<std::int32_t> values(count);
  for (std::int32_t& v : values) v = static_cast<std::int32_t>(normal(random));
  return values;
}

LabelledFile file_of(const std::vector<std::int32_t>& values, std::size_t rows) {
  std::vector<std::int64_t> slow(rows), fast(values.size() / rows);
  std::iota(slow.begin(), slow.end(), 0);
  std::iota(fast.begin(), fast.end(), 0);
  LabelledFile file;
  file.attributes["kind"] = std::string("measurement");
  file.axes = {{"slow", slow, "", ""}, {"fast", fast, "", ""}};
  file.datasets = {{"values", {"slow", "fast"}, values, "", ""}};
  return file;
}

TEST(Chunks, CoverAnArrayOnceInItsOwnOrder) {
  const std::vector<std::vector<std::size_t>> shapes = {{1}, {200'003}, {3, 1, 70'001, 2}, {2, 9, 4096, 7}, {1, 1, 5}};
  for (const auto& shape : shapes) {
    const Chunking chunking(shape, 8);
    const std::size_t total = std::accumulate(shape.begin(), shape.end(), std::size_t{8}, std::multiplies<>());
    const std::vector<std::byte> array(total);
    const std::byte* next = array.data();
    for (std::size_t k = 0; k < chunking.count(); ++k) {
      const auto part = chunking.part(array, k);
      EXPECT_EQ(part.data(), next);
      EXPECT_LE(part.size(), chunking.chunk_bytes());
      EXPECT_LE(chunking.chunk_bytes(), std::size_t{1} << 19);
      std::size_t index = 0;  // of the first value
      const std::vector<std::size_t> at = chunking.offset(k);
      for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
      EXPECT_EQ(8 * index, static_cast<std::size_t>(part.data() - array.data()));
      next = part.data() + part.size();
    }
    EXPECT_EQ(next, array.data() + total);
  }
}

/// HDF5 recomputes the checksum of every chunk that it reads, of even and odd lengths, and fails where it differs.
TEST(Chunks, AreWhatTheFiltersOfHdf5UndoAtEveryLength) {
  const test::TemporaryFolder folder;
  for (const std::size_t count : {1, 2, 3, 5, 8, 13, 100, 719, 720, 721, 1441, 50'000, 131'072, 131'073, 300'001}) {
    const std::vector<std::int32_t> values = noisy(count);
    write(folder / "file.h5", file_of(values, 1));
    EXPECT_EQ(read(folder / "file.h5", "measurement").values<std::int32_t>("values"), values) << count;
  }
}

TEST(Chunks, AtTheEdgesOfAnArrayOfFourAxesAreReadBack) {
  const test::TemporaryFolder folder;
  LabelledFile file = file_of(noisy(2 * 9 * 4096 * 7), 1);
  const std::vector<std::size_t> shape = {2, 9, 4096, 7};  // chunks of 4 and 1 along the second axis
  file.axes.clear();
  file.datasets[0].axes.clear();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    file.axes.push_back({std::string(1, static_cast<char>('a' + d)), std::vector<std::int64_t>(shape[d]), "", ""});
    file.datasets[0].axes.push_back(file.axes.back().name);
  }
  write(folder / "file.h5", file, {.threads = 3});
  EXPECT_EQ(read(folder / "file.h5", "measurement").values<std::int32_t>("values"),
            std::get<std::vector<std::int32_t>>(file.datasets[0].values));
}

TEST(Chunks, OfOneFlippedBitAreRefusedByHdf5) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const test::TemporaryFolder folder;
  const hsize_t length = 1000;
  const std::vector<std::int32_t> values = noisy(length);
  const Chunking chunking({length}, sizeof(std::int32_t));
  Bytes bytes = filtered_chunk(std::as_bytes(std::span(values)), chunking.chunk_bytes(), sizeof(std::int32_t));
  const hid_t file = H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &length, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &length);
  H5Pset_shuffle(creation);
  H5Pset_deflate(creation, 2);
  H5Pset_fletcher32(creation);
  for (const bool damaged : {false, true}) {
    if (damaged) bytes[bytes.size() / 2] ^= std::byte{16};
    const hid_t dataset =
        H5Dcreate2(file, damaged ? "damaged" : "whole", H5T_NATIVE_INT32, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const hsize_t offset = 0;
    ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &offset, bytes.size(), bytes.data()), 0);
    std::vector<std::int32_t> back(length);
    const herr_t status = H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data());
    EXPECT_EQ(status < 0, damaged);
    EXPECT_EQ(back == values, !damaged);
    H5Dclose(dataset);
  }
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

TEST(Chunks, AreTheSameForAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  const LabelledFile file = file_of(noisy(1'000'000), 4);
  write(folder / "one.h5", file);
  for (const int threads : {2, 3, 16}) {
    write(folder / "several.h5", file, {.threads = threads});
    EXPECT_EQ(test::slurp(folder / "one.h5"), test::slurp(folder / "several.h5")) << threads;
  }
}

TEST(Chunks, PassOnWhatStoringThrows) {
  const std::vector<std::byte> array(std::size_t{3} << 19);
  std::size_t stored = 0;
  const auto store = [&](std::size_t k, const Bytes&) {
    if (k == 1) throw std::runtime_error("full");
    ++stored;
  };
  EXPECT_THROW(for_each_filtered_chunk(Chunking({array.size()}, 1), array, 2, store), std::runtime_error);
  EXPECT_EQ(stored, 1u);
}

}  // namespace
}  // namespace psflip::io
