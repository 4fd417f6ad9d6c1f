#include <gtest/gtest.h>
#include <hdf5.h>

#include <random>

#include "engine/io/hdf5.hpp"
#include "engine/io/labelled_file.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::io {
namespace {

using test::TemporaryFolder;

/// A file large enough for filtered chunks, long attributes, scales and references.
class DamagedFile : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<std::int64_t> samples(1000);
    std::vector<std::int32_t> values(1000);
    for (int i = 0; i < 1000; ++i) samples[i] = i, values[i] = (i * 7919) % 1001;
    LabelledFile file;
    file.attributes = {{"kind", std::string("measurement")}, {"job", std::string(700, 'x')}, {"seed", std::int64_t{5}}};
    file.axes = {{"sample", samples, "", "global sample id"}};
    file.datasets = {{"bond_sum", {"sample"}, values, "", "sum"}};
    write(path, file);
    bytes = test::slurp(path);
  }

  std::string message_for(const std::vector<char>& damaged) {
    test::spill(path, damaged);
    const std::string message = test::refusal([&] { read(path, "measurement"); });
    EXPECT_TRUE(test::is_one_sentence(message)) << message;
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    return message;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "file.h5";
  std::vector<char> bytes;
};

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_F(DamagedFile, IsRefusedWhateverBitIsFlipped) {
  std::mt19937_64 random(20240501);
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<char> damaged = bytes;
    damaged[random() % bytes.size()] ^= static_cast<char>(1 << (random() % 8));
    test::spill(path, damaged);
    EXPECT_THROW(read(path, "measurement"), UserError);
  }
}

TEST_F(DamagedFile, IsRefusedWhateverRunOfBytesIsReplaced) {
  std::mt19937_64 random(20240502);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<char> damaged = bytes;
    const std::size_t start = random() % bytes.size();
    const std::size_t end = std::min(bytes.size(), start + 1 + random() % 600);
    for (std::size_t i = start; i < end; ++i) damaged[i] = static_cast<char>(random());
    if (damaged == bytes) continue;
    test::spill(path, damaged);
    EXPECT_THROW(read(path, "measurement"), UserError);
  }
}

TEST_F(DamagedFile, SaysThatItIsCorruptedWhenABitInsideIsFlipped) {
  std::vector<char> damaged = bytes;
  damaged[bytes.size() / 2] ^= 4;
  expect_part(message_for(damaged), "its checksum is wrong, so it is corrupted; remove it and run its job again");
}

TEST_F(DamagedFile, IsRefusedWhereverItIsTruncated) {
  for (std::size_t length = 1; length < bytes.size(); length += 97)
    EXPECT_NE(message_for({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}), "");
  expect_part(message_for({bytes.begin(), bytes.end() - 1}), "it is truncated");
  expect_part(message_for({}), "it is empty");
}

TEST_F(DamagedFile, IsRefusedWhenBytesAreAppended) {
  std::vector<char> longer = bytes;
  longer.push_back('\n');
  expect_part(message_for(longer), "was changed afterwards");
}

TEST_F(DamagedFile, IsNamedMissingWhenItIsNotThere) {
  expect_part(test::refusal([&] { read(folder / "nowhere.h5", "measurement"); }),
              "there is no such file; check the name");
  expect_part(test::refusal([&] { read(path.parent_path(), "measurement"); }), "it is not a file");
}

TEST_F(DamagedFile, IsRefusedWhenItIsNotHdf5) {
  const std::string text = "L,T,value\n8,1.1,0.5\n";
  expect_part(message_for({text.begin(), text.end()}), "it is not an HDF5 file; give a file that psflip wrote");
}

TEST_F(DamagedFile, IsRefusedWhenAnotherProgramWroteIt) {
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_part(message_for(test::slurp(path)), "comes from another program");
}

/// Bytes of an HDF5 file under a valid seal, as a later or careless writer could leave it.
std::vector<char> sealed(Bytes image) {
  seal(image);
  const char* data = reinterpret_cast<const char*>(image.data());
  return {data, data + image.size()};
}

TEST_F(DamagedFile, IsRefusedWhenItsSealIsGoodButItsContentIsNotPsflips) {
  LabelledFile empty;
  expect_part(message_for(sealed(hdf5::to_image(empty, {}))), "psflip did not write it");
  expect_part(message_for(sealed(
                  hdf5::to_image(empty, {{"format", std::string("psflip")}, {"format_version", std::int64_t{2}}}))),
              "its format version is 2, this program reads version 1");
  expect_part(message_for(sealed(Bytes(300, std::byte{1}))), "HDF5 failed to open the file");
}

TEST_F(DamagedFile, IsRefusedWhenCompleteIsMissing) {
  Bytes image = hdf5::to_image({}, {{"format", std::string("psflip")}, {"format_version", std::int64_t{1}}});
  test::spill(path, {reinterpret_cast<char*>(image.data()), reinterpret_cast<char*>(image.data() + image.size())});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Adelete(file, "complete");
  H5Fclose(file);
  const std::vector<char> incomplete = test::slurp(path);
  const auto* data = reinterpret_cast<const std::byte*>(incomplete.data());
  expect_part(message_for(sealed(Bytes(data, data + incomplete.size()))),
              "it is incomplete; remove it and run its job again");
}

TEST_F(DamagedFile, IsRefusedWhenItIsOfAnotherKind) {
  expect_part(test::refusal([&] { read(path, "reduced"); }), "it is a measurement file where a reduced file is wanted");
}

}  // namespace
}  // namespace psflip::io
