#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <functional>
#include <limits>
#include <random>
#include <span>

#include "engine/io/array_file.hpp"
#include "engine/io/chunks.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/io/sealed_bytes.hpp"
#include "tests/unit/temporary_folder.hpp"

// Files whose checksum is right again after someone has edited them with HDF5.
namespace psflip::io {
namespace {

class HostileFile : public testing::Test {
 protected:
  void SetUp() override {
    LabelledFile file;
    file.attributes = {{"kind", std::string("measurement")}, {"seed", std::int64_t{5}}, {"J", 1.0}};
    file.axes = {{"sample", std::vector<std::int64_t>{0, 1, 2}, "", ""}};
    file.datasets = {{"bond_sum", {"sample"}, std::vector<std::int32_t>{4, 5, 6}, "", ""}};
    write(path, file);
  }

  /// The reason why the file is refused after `edit`; the seal is made again.
  std::string refused_after(const std::function<void(hid_t)>& edit) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    edit(file);
    H5Fclose(file);
    const std::vector<char> edited = test::slurp(path);
    const auto* data = reinterpret_cast<const std::byte*>(edited.data());
    Bytes bytes(data, data + edited.size());
    seal(bytes);
    data = bytes.data();
    test::spill(path, {reinterpret_cast<const char*>(data), reinterpret_cast<const char*>(data) + bytes.size()});
    const std::string message = test::refusal([&] { read(path, "measurement"); });
    EXPECT_TRUE(test::is_one_sentence(message)) << message;
    return message;
  }

  /// Of a dataset that is chunked as psflip does it.
  static hid_t own_properties(hsize_t chunk) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 1, &chunk);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 2);
    H5Pset_fletcher32(properties);
    return properties;
  }

  /// The values of bond_sum as their chunk.
  static Bytes chunk_of_bond_sum() {
    const std::vector<std::int32_t> values = {4, 5, 6};
    return filtered_chunk(std::as_bytes(std::span(values)), 12, 4);
  }

  /// The chunk of bond_sum becomes `bytes`, of which the index says that filters are left out.
  static void replace_chunk(hid_t file, const Bytes& bytes, unsigned left_out) {
    H5Ldelete(file, "bond_sum", H5P_DEFAULT);  // HDF5 keeps what an index says about a chunk of the same length
    add_dataset(file, "bond_sum", H5T_NATIVE_INT32, 3, own_properties(3));
    const hid_t dataset = H5Dopen2(file, "bond_sum", H5P_DEFAULT), sample = H5Dopen2(file, "sample", H5P_DEFAULT);
    const hsize_t offset = 0;
    EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, left_out, &offset, bytes.size(), bytes.data()), 0);
    EXPECT_GE(H5DSattach_scale(dataset, sample, 0), 0);
    H5Dclose(sample);
    H5Dclose(dataset);
  }

  static void add_dataset(hid_t file, const char* name, hid_t type, hsize_t length, hid_t properties = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Sclose(space);
  }

  static void replace_attribute(hid_t file, const char* name, hid_t type, const void* value, hsize_t length = 1) {
    H5Adelete(file, name);
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  test::TemporaryFolder folder;
  std::filesystem::path path = folder / "file.h5";
};

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_F(HostileFile, IsReadAfterAnEditThatChangesNothing) {
  expect_part(refused_after([](hid_t) {}), "no UserError was thrown.");
}

TEST_F(HostileFile, IsRefusedForLinks) {
  const auto soft = [](hid_t file) { H5Lcreate_soft("/bond_sum", file, "more", H5P_DEFAULT, H5P_DEFAULT); };
  expect_part(refused_after(soft), "read more, which is a link");
}

TEST_F(HostileFile, IsRefusedForLinksToOtherFiles) {
  const auto external = [](hid_t file) {
    H5Lcreate_external("/etc/passwd", "/x", file, "more", H5P_DEFAULT, H5P_DEFAULT);
  };
  expect_part(refused_after(external), "read more, which is a link");
}

TEST_F(HostileFile, IsRefusedForASecondNameOfADataset) {
  const auto hard = [](hid_t file) { H5Lcreate_hard(file, "bond_sum", file, "more", H5P_DEFAULT, H5P_DEFAULT); };
  expect_part(refused_after(hard), "which has a second name");
}

TEST_F(HostileFile, IsRefusedForGroups) {
  const auto group = [](hid_t file) { H5Gclose(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); };
  expect_part(refused_after(group), "read more, which is no dataset");
}

TEST_F(HostileFile, IsRefusedForValuesInAnotherFile) {
  const auto external = [](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, "/etc/passwd", 0, 24);
    add_dataset(file, "more", H5T_NATIVE_INT64, 3, properties);
    H5Pclose(properties);
  };
  expect_part(refused_after(external), "read more, which lies in another file");
}

TEST_F(HostileFile, IsRefusedForValuesThatItPromisesAndDoesNotHave) {
  const auto huge = [](hid_t file) {
    const hid_t properties = own_properties(1024);
    add_dataset(file, "more", H5T_NATIVE_INT64, hsize_t{1} << 50, properties);
    H5Pclose(properties);
  };
  expect_part(refused_after(huge), "read more, which promises more values than it has");
}

TEST_F(HostileFile, IsRefusedForOtherTypes) {
  for (const hid_t type : {H5T_STD_I32BE, H5T_NATIVE_INT16, H5T_NATIVE_FLOAT, H5T_NATIVE_UINT64}) {
    SetUp();
    expect_part(refused_after([&](hid_t file) { add_dataset(file, "more", type, 3); }), "has an unknown type");
  }
}

TEST_F(HostileFile, IsRefusedForFiltersOfOthers) {
  const auto filtered = [](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 3;
    H5Pset_chunk(properties, 1, &chunk);
    H5Pset_nbit(properties);
    add_dataset(file, "more", H5T_NATIVE_INT32, 3, properties);
    H5Pclose(properties);
  };
  expect_part(refused_after(filtered), "which has other filters than those of psflip");
}

TEST_F(HostileFile, IsReadWithAChunkThatDeflateDoesNotShorten) {
  const Bytes bytes = chunk_of_bond_sum();
  expect_part(refused_after([&](hid_t file) { replace_chunk(file, bytes, 0); }), "no UserError was thrown.");
  SetUp();
  const std::vector<std::int32_t> values = {4, 0x010005, 6};
  Bytes plain;  // shuffled, with its checksum
  for (const int byte : {4, 5, 6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x06, 0x0a, 0x21, 0x36})
    plain.push_back(static_cast<std::byte>(byte));
  expect_part(refused_after([&](hid_t file) { replace_chunk(file, plain, 2); }), "no UserError was thrown.");
  EXPECT_EQ(read(path, "measurement").values<std::int32_t>("bond_sum"), values);
}

TEST_F(HostileFile, IsRefusedForAChunkWithoutItsFilters) {
  const Bytes bytes = chunk_of_bond_sum();
  const std::pair<unsigned, const char*> masks[] = {{1, "a chunk without its checksum"},
                                                    {2, "a damaged chunk"},
                                                    {4, "a chunk without its checksum"},
                                                    {7, "a chunk without its checksum"}};
  for (const auto& [left_out, reason] : masks) {
    SetUp();
    expect_part(refused_after([&](hid_t file) { replace_chunk(file, bytes, left_out); }), reason);
  }
}

TEST_F(HostileFile, IsRefusedForAChunkOfAnotherLengthOrChecksum) {
  const std::vector<std::int32_t> four = {4, 5, 6, 7};
  Bytes damaged = chunk_of_bond_sum();
  damaged[5] ^= std::byte{1};
  for (const Bytes& bytes : {filtered_chunk(std::as_bytes(std::span(four)), 16, 4),
                             filtered_chunk(std::as_bytes(std::span(four)).first(8), 8, 4), damaged, Bytes(3)}) {
    SetUp();
    expect_part(refused_after([&](hid_t file) { replace_chunk(file, bytes, 0); }), "a damaged chunk");
  }
}

TEST_F(HostileFile, IsRefusedForPlainValuesWithoutTheirChecksum) {
  const LabelledFile valid = read(path, "measurement");
  const auto edit = [](hid_t file) {
    const std::int32_t other[3] = {4, 5, 7};
    const hid_t dataset = H5Dopen2(file, "bond_sum", H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, other);
    H5Dclose(dataset);
  };
  const auto forget = [](hid_t file) { H5Adelete_by_name(file, "bond_sum", "crc32", H5P_DEFAULT); };
  write(path, valid, {.storage = Storage::plain});
  EXPECT_EQ(read(path, "measurement").values<std::int32_t>("bond_sum"), std::vector<std::int32_t>({4, 5, 6}));
  expect_part(refused_after(edit), "read bond_sum, whose values do not have their checksum");
  write(path, valid, {.storage = Storage::plain});
  expect_part(refused_after(forget), "no UserError was thrown.");  // checkpoints of older versions have none
}

TEST_F(HostileFile, IsRefusedForChunksThatAreMissingOrOfAnotherSize) {
  const auto missing = [](hid_t file) {
    add_dataset(file, "more", H5T_NATIVE_INT32, 3, own_properties(3));  // HDF5 would read zeros
    const hid_t more = H5Dopen2(file, "more", H5P_DEFAULT);
    H5DSset_scale(more, "more");
    H5Dclose(more);
  };
  expect_part(refused_after(missing), "read more, which promises more values than it has");
  SetUp();
  const auto other = [](hid_t file) {
    const hsize_t length = 3;
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    const hid_t more = H5Dcreate2(file, "more", H5T_NATIVE_INT32, space, H5P_DEFAULT, own_properties(2), H5P_DEFAULT);
    const std::int32_t values[3] = {1, 2, 3};
    H5Dwrite(more, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5DSset_scale(more, "more");
    H5Dclose(more);
    H5Sclose(space);
  };
  expect_part(refused_after(other), "read more, which has other chunks than psflip writes");
}

TEST_F(HostileFile, IsRefusedForDatasetsWithoutAxes) {
  const auto bare = [](hid_t file) {
    const hsize_t length = 3;
    const hid_t space = H5Screate_simple(1, &length, nullptr);
    const hid_t dataset = H5Dcreate2(file, "more", H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const std::int32_t values[3] = {1, 2, 3};
    H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
  };
  expect_part(refused_after(bare), "find the axes of dataset more");
}

TEST_F(HostileFile, IsRefusedForAttributesThatAreListsOrNoFiniteNumbers) {
  const std::int64_t two[2] = {1, 2};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::uint64_t large = std::uint64_t{1} << 63;
  expect_part(refused_after([&](hid_t file) { replace_attribute(file, "seed", H5T_NATIVE_INT64, two, 2); }),
              "read attribute seed, which is not one value");
  SetUp();
  expect_part(refused_after([&](hid_t file) { replace_attribute(file, "J", H5T_NATIVE_DOUBLE, &nan); }),
              "its attribute J is nan, which is no finite number");
  SetUp();
  expect_part(refused_after([&](hid_t file) { replace_attribute(file, "seed", H5T_NATIVE_UINT64, &large); }),
              "read attribute seed, which is neither text nor");
}

TEST_F(HostileFile, OfDisorderIsRefusedForLinksAndGroupsWhenItsShapeIsAsked) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("/etc/passwd", "/x", file, "sample", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  const ArrayFile array(path);
  expect_part(test::refusal([&] { array.shape("sample"); }), "is a link or lies in another file");
}

/// The library crashes or refuses; either way there is one sentence, and this process lives.
TEST_F(HostileFile, OfDisorderNeverEndsTheProcessThatAsks) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  add_dataset(file, "sample", H5T_NATIVE_INT64, 64);
  H5Fclose(file);
  const std::vector<char> valid = test::slurp(path);
  std::mt19937_64 random(7);
  int refused = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<char> edited = valid;
    for (int k = 0; k < 3; ++k) edited[random() % edited.size()] = static_cast<char>(random());
    test::spill(path, edited);
    try {
      std::vector<std::int64_t> ids;
      const ArrayFile array(path);
      if (array.has("sample") && array.shape("sample") == std::vector<std::uint64_t>{64})
        array.read("sample", 0, 64, ids);
    } catch (const UserError& error) {
      EXPECT_TRUE(test::is_one_sentence(error.what())) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace psflip::io
