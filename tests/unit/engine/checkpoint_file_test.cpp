#include "engine/io/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "engine/io/error.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::io {
namespace {

using test::TemporaryFolder;

/// A checkpoint that differs from others by one number.
LabelledFile checkpoint(std::int64_t number) {
  LabelledFile file;
  file.attributes = {{"kind", std::string("checkpoint")}, {"number", number}};
  file.axes = {{"sample", std::vector<std::int64_t>(1000, number), "", "id"}};
  return file;
}

class CheckpointFiles : public testing::Test {
 protected:
  /// The number of the checkpoint that is found, -1 when there is none.
  std::int64_t found() {
    said.clear();
    const auto file = CheckpointFile(path).read([&](const std::string& sentence) { said.push_back(sentence); });
    return file ? file->integer("number") : -1;
  }
  void write(std::int64_t number) { CheckpointFile(path).write(checkpoint(number)); }
  static void cut(const std::filesystem::path& file) {
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "file.checkpoint", previous = folder / "file.checkpoint.previous";
  std::vector<std::string> said;
};

TEST_F(CheckpointFiles, KeepTheNewestAndTheOneBefore) {
  EXPECT_EQ(found(), -1);
  for (const std::int64_t number : {1, 2, 3}) write(number);
  EXPECT_EQ(found(), 3);
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(read(previous, "checkpoint").integer("number"), 2);
  CheckpointFile(path).remove();
  EXPECT_TRUE(folder.empty());
}

TEST_F(CheckpointFiles, AreReadFromThePreviousOneWhenTheNewestIsDamaged) {
  write(1);
  write(2);
  cut(path);
  EXPECT_EQ(found(), 1);
  ASSERT_EQ(said.size(), 2U);
  for (const std::string& sentence : said) EXPECT_TRUE(test::is_one_sentence(sentence)) << sentence;
  EXPECT_NE(said[0].find(path.string() + ": "), std::string::npos) << said[0];
  EXPECT_NE(said[1].find(previous.string()), std::string::npos) << said[1];
}

TEST_F(CheckpointFiles, DoNotPushOutAWholePreviousOneForADamagedNewest) {
  write(1);
  write(2);
  cut(path);
  {
    CheckpointFile file(path);
    ASSERT_EQ(file.read([](const std::string&) {})->integer("number"), 1);
    file.write(checkpoint(3));
    EXPECT_EQ(read(previous, "checkpoint").integer("number"), 1);
    file.write(checkpoint(4));
    EXPECT_EQ(read(previous, "checkpoint").integer("number"), 3);
  }
  EXPECT_EQ(found(), 4);
}

TEST_F(CheckpointFiles, AreReadFromThePreviousOneAfterADeathBetweenTheTwoRenames) {
  write(1);
  std::filesystem::rename(path, previous);
  EXPECT_EQ(found(), 1);
  EXPECT_EQ(said.size(), 1U);
}

TEST_F(CheckpointFiles, AreNotReplacedIfTheOneBeforeCannotBeKept) {
  write(1);
  std::filesystem::create_directory(previous);
  const std::string message = test::refusal([&] { write(2); });
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  EXPECT_NE(message.find(previous.string()), std::string::npos) << message;
  EXPECT_EQ(found(), 1);
}

TEST_F(CheckpointFiles, AreRefusedInOneSentenceAndLeftAloneWhenBothAreDamaged) {
  write(1);
  write(2);
  cut(path);
  cut(previous);
  const std::string message = test::refusal([&] { found(); });
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  EXPECT_NE(message.find("remove both"), std::string::npos) << message;
  EXPECT_EQ(folder.entries(), 2U);
}

TEST_F(CheckpointFiles, AreNoOtherFiles) {
  LabelledFile measurement = checkpoint(1);
  measurement.attributes["kind"] = std::string("measurement");
  io::write(path, measurement);
  const std::string message = test::refusal([&] { found(); });
  EXPECT_NE(message.find("a measurement file where a checkpoint file is wanted"), std::string::npos) << message;
  EXPECT_EQ(read(path, "measurement").integer("number"), 1);
}

TEST_F(CheckpointFiles, AreCleanedOfWhatKilledProcessesLeftAndOfNothingElse) {
  for (const char* name : {"file.checkpoint.tmp.123", "file.checkpoint.tmp.99999"}) test::spill(folder / name, {'x'});
  for (const char* name : {"file.checkpoint.tmp.mine", "file.h5.tmp.123"}) test::spill(folder / name, {'x'});
  EXPECT_EQ(found(), -1);
  EXPECT_EQ(folder.entries(), 2U);
}

TEST_F(CheckpointFiles, AreHardlyLargerThanWhatIsInThem) {
  LabelledFile file = checkpoint(1);
  std::vector<std::uint32_t> words(std::size_t{1} << 16);
  std::mt19937 random(1);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  file.axes.push_back({"row", std::vector<std::int64_t>(64), "", ""});
  file.axes.push_back({"word", std::vector<std::int64_t>(1024), "", ""});
  file.datasets.push_back({"words", {"row", "word"}, words, "", ""});
  CheckpointFile(path).write(file);
  EXPECT_LT(std::filesystem::file_size(path), 4 * words.size() + 8 * (1000 + 64 + 1024) + 10000);
  EXPECT_EQ(read(path, "checkpoint").values<std::uint32_t>("words"), words);
}

TEST_F(CheckpointFiles, BelongToOneProcess) {
  const CheckpointFile first(path);
  const std::string message = test::refusal([&] { CheckpointFile second(path); });
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  EXPECT_NE(message.find("another process runs this job"), std::string::npos) << message;
}

TEST_F(CheckpointFiles, AreBothKeptWhenThereIsNoRoomForAnother) {
  write(1);
  write(2);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = test::refusal([&] { write(3); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_action);
  EXPECT_TRUE(test::is_one_sentence(message)) << message;
  EXPECT_EQ(found(), 2);
  EXPECT_EQ(read(previous, "checkpoint").integer("number"), 1);
  EXPECT_EQ(folder.entries(), 2U);
}

}  // namespace
}  // namespace psflip::io
