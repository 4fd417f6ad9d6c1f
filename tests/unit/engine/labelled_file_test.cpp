#include "engine/io/labelled_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <numeric>

#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::io {
namespace {

using test::TemporaryFolder;

LabelledFile example() {
  LabelledFile file;
  file.attributes = {{"kind", std::string("measurement")},
                     {"L", std::int64_t{8}},
                     {"seconds", 1.5},
                     {"device", std::string("Größe, °C")},
                     {"empty", std::string()}};
  file.axes = {{"temperature", std::vector<double>{1.1, 1.2}, "J / k_B", "temperature"},
               {"sample", std::vector<std::int64_t>{64, 65, 66}, "", "global sample id"}};
  file.datasets = {
      {"bond_sum", {"temperature", "sample"}, std::vector<std::int32_t>{1, -2, 3, 4, -5, 6}, "", "sum over bonds"},
      {"spins", {"sample"}, std::vector<std::int8_t>{1, -1, 1}, "", ""},
      {"words", {"sample"}, std::vector<std::uint32_t>{0, 4294967295u, 7}, "", ""},
      {"k2", {"sample"}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), -1, 0}, "", ""},
      {"beta", {"temperature"}, std::vector<double>{1 / 1.1, 1 / 1.2}, "k_B / J", "inverse temperature"}};
  return file;
}

void expect_equal(const LabelledFile& a, const LabelledFile& b) {
  ASSERT_EQ(a.axes.size(), b.axes.size());
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    EXPECT_EQ(a.axes[i].name, b.axes[i].name);
    EXPECT_EQ(a.axes[i].values, b.axes[i].values);
    EXPECT_EQ(a.axes[i].units, b.axes[i].units);
    EXPECT_EQ(a.axes[i].description, b.axes[i].description);
  }
  ASSERT_EQ(a.datasets.size(), b.datasets.size());
  for (std::size_t i = 0; i < a.datasets.size(); ++i) {
    EXPECT_EQ(a.datasets[i].name, b.datasets[i].name);
    EXPECT_EQ(a.datasets[i].axes, b.datasets[i].axes);
    EXPECT_EQ(a.datasets[i].values, b.datasets[i].values);
    EXPECT_EQ(a.datasets[i].units, b.datasets[i].units);
    EXPECT_EQ(a.datasets[i].description, b.datasets[i].description);
  }
}

TEST(LabelledFile, IsReadAlsoWhereAFileIsNamedAsTheProgram) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  std::ofstream("psflip") << "no HDF5";
  write("file.h5", example());
  EXPECT_NO_THROW(expect_equal(example(), read("file.h5", "measurement")));
  std::filesystem::current_path(before);
}

TEST(LabelledFile, ReadsBackEverythingThatWasWrittenInTheSameOrder) {
  const TemporaryFolder folder;
  const LabelledFile file = example();
  write(folder / "file.h5", file);
  const LabelledFile back = read(folder / "file.h5", "measurement");
  expect_equal(file, back);
  for (const auto& [name, value] : file.attributes) EXPECT_EQ(back.attributes.at(name), value) << name;
  EXPECT_EQ(back.integer("complete"), 1);
  EXPECT_EQ(back.path, folder / "file.h5");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(LabelledFile, ReadsBackDatasetsOfManyChunks) {
  const TemporaryFolder folder;
  LabelledFile file;
  file.attributes["kind"] = std::string("checkpoint");
  std::vector<std::int64_t> slow(7), fast(200'003);
  std::iota(slow.begin(), slow.end(), 0);
  std::iota(fast.begin(), fast.end(), 10);
  std::vector<std::int32_t> values(slow.size() * fast.size());
  std::iota(values.begin(), values.end(), -5);
  file.axes = {{"slow", slow, "", ""}, {"fast", fast, "", ""}};
  file.datasets = {{"values", {"slow", "fast"}, values, "", ""}, {"turned", {"fast", "slow"}, values, "", ""}};
  write(folder / "file.h5", file);
  expect_equal(file, read(folder / "file.h5", "checkpoint"));
}

TEST(LabelledFile, KeepsAxesOfLengthZeroAndDatasetsWithoutAxes) {
  const TemporaryFolder folder;
  LabelledFile file;
  file.attributes["kind"] = std::string("measurement");
  file.axes = {{"time", std::vector<std::int64_t>{}, "", ""}, {"sample", std::vector<std::int64_t>{1, 2}, "", ""}};
  file.datasets = {{"overlap", {"time", "sample"}, std::vector<std::int32_t>{}, "", ""},
                   {"single", {}, std::vector<double>{2.5}, "", ""}};
  write(folder / "file.h5", file);
  expect_equal(file, read(folder / "file.h5", ""));
}

TEST(LabelledFile, ReplacesAnOlderFileOfTheSameName) {
  const TemporaryFolder folder;
  write(folder / "file.h5", example());
  LabelledFile second = example();
  second.attributes["L"] = std::int64_t{10};
  write(folder / "file.h5", second);
  EXPECT_EQ(read(folder / "file.h5", "measurement").integer("L"), 10);
}

TEST(LabelledFile, WritesTheSameBytesForTheSameContent) {
  const TemporaryFolder folder;
  write(folder / "a.h5", example());
  write(folder / "b.h5", example());
  EXPECT_EQ(test::slurp(folder / "a.h5"), test::slurp(folder / "b.h5"));
}

TEST(LabelledFile, ChecksumsCompressesAndShufflesEveryDataset) {
  const TemporaryFolder folder;
  write(folder / "file.h5", example());
  const hid_t file = H5Fopen((folder / "file.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0) << "plain HDF5 opens the file in spite of the seal behind its data";
  for (const char* name : {"bond_sum", "beta", "sample"}) {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t properties = H5Dget_create_plist(dataset);
    EXPECT_EQ(H5Pget_nfilters(properties), 3);
    for (const H5Z_filter_t filter : {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32}) {
      unsigned flags = 0;
      std::size_t count = 0;
      EXPECT_GE(H5Pget_filter_by_id2(properties, filter, &flags, &count, nullptr, 0, nullptr, nullptr), 0);
    }
    H5Pclose(properties);
    H5Dclose(dataset);
  }
  H5Fclose(file);
}

TEST(LabelledFile, RefusesShapesThatDoNotFitAsAMistakeOfTheProgram) {
  const TemporaryFolder folder;
  LabelledFile wrong = example();
  wrong.datasets[0].axes = {"sample"};
  EXPECT_THROW(write(folder / "file.h5", wrong), std::logic_error);
  wrong.datasets[0].axes = {"nowhere"};
  EXPECT_THROW(write(folder / "file.h5", wrong), std::logic_error);
  EXPECT_TRUE(folder.empty());
}

TEST(LabelledFile, RefusesToWriteIntoAMissingFolder) {
  const TemporaryFolder folder;
  const std::string message = test::refusal([&] { write(folder / "no/file.h5", example()); });
  EXPECT_NE(message.find("does not exist; create it first"), std::string::npos) << message;
  test::expect_sentence(message, (folder / "no/file.h5").string());
}

TEST(LabelledFile, RefusesToWriteWhereItMayNot) {
  // /proc refuses new files even to root, for whom ordinary folders are always writable.
  const std::string message = test::refusal([] { write("/proc/psflip.h5", example()); });
  EXPECT_EQ(message.rfind("Cannot write /proc/psflip.h5: ", 0), 0u) << message;
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  EXPECT_EQ(message, test::refusal([] { require_writable("/proc/psflip.h5"); }));
}

TEST(LabelledFile, RefusesToReplaceAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "file.h5");
  const std::string message = test::refusal([&] { write(folder / "file.h5", example()); });
  EXPECT_NE(message.find("it is a folder"), std::string::npos) << message;
}

TEST(LabelledFile, ProbingForWritabilityLeavesNothing) {
  const TemporaryFolder folder;
  require_writable(folder / "file.h5");
  EXPECT_TRUE(folder.empty());
}

/// Files of this process may not grow beyond `bytes` while it lives: what a full disk is to a program without rights.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(LabelledFile, LeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = test::refusal([&] { write(folder / "file.h5", example()); });
  }
  test::expect_sentence(message, "size limit");
  EXPECT_TRUE(folder.empty());
}

TEST(LabelledFile, KeepsTheOlderFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  write(folder / "file.h5", example());
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write(folder / "file.h5", example()), UserError);
  }
  expect_equal(example(), read(folder / "file.h5", "measurement"));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(LabelledFile, NamesTheEntryThatIsMissingOrOfAnotherType) {
  const TemporaryFolder folder;
  write(folder / "file.h5", example());
  const LabelledFile file = read(folder / "file.h5", "measurement");
  EXPECT_EQ(file.integer("L"), 8);
  EXPECT_EQ(file.real("seconds"), 1.5);
  EXPECT_EQ(file.text("device"), "Größe, °C");
  EXPECT_TRUE(file.has_dataset("bond_sum"));
  EXPECT_FALSE(file.has_dataset("overlap"));
  EXPECT_EQ(file.values<std::int32_t>("bond_sum")[1], -2);
  EXPECT_EQ(file.values<double>("temperature")[1], 1.2);
  const auto expect = [&](auto action, const std::string& part) {
    const std::string message = test::refusal(action);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    test::expect_sentence(message, (folder / "file.h5").string());
  };
  expect([&] { file.integer("seed"); }, "attribute seed is missing");
  expect([&] { file.integer("device"); }, "attribute device is not an integer");
  expect([&] { file.real("L"); }, "attribute L is not a real number");
  expect([&] { file.text("L"); }, "attribute L is not text");
  expect([&] { file.axis("replica"); }, "axis replica is missing");
  expect([&] { file.dataset("overlap"); }, "dataset overlap is missing");
  expect([&] { file.values<double>("bond_sum"); }, "dataset bond_sum has another number type");
}

}  // namespace
}  // namespace psflip::io
