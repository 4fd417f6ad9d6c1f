#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/io/error.hpp"
#include "member_systems.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/unit/temporary_folder.hpp"

// Jobs whose couplings and fields come from a file, and spins that are saved on the way: through the executable.
namespace psflip::equality {
namespace {

constexpr std::uint64_t first_in_file = 20, samples_in_file = 100;  // a job takes 29:70 of them

std::vector<std::int64_t> numbers(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// A file of disorder that has nothing to do with a seed of psflip.
io::LabelledFile disorder_file(const Preset& preset, int L, std::uint32_t seed) {
  std::mt19937 random(seed);
  io::LabelledFile file;
  file.axes.push_back({"sample", numbers(first_in_file, samples_in_file), "1", ""});
  std::vector<std::string> axes = {"sample"};
  std::size_t size = samples_in_file;
  const auto add_axis = [&](const std::string& name, std::size_t length) {
    file.axes.push_back({name, numbers(0, length), "1", ""});
    axes.push_back(name);
    size *= length;
  };
  if (preset.has_random_bonds()) add_axis("direction", static_cast<std::size_t>(preset.dimension));
  for (int d = preset.dimension; d-- > 0;) add_axis(std::string(1, "xyz"[d]), static_cast<std::size_t>(L));
  std::vector<std::int8_t> signs(size);
  for (std::int8_t& sign : signs) sign = random() & 1u ? std::int8_t{-1} : std::int8_t{1};
  file.datasets.push_back({preset.has_random_bonds() ? "couplings" : "fields", axes, signs, "1", ""});
  return file;
}

/// The rows of the samples of a job in such a file.
PackedSigns rows_of_job(const io::LabelledFile& file, const System& system) {
  const auto& signs = std::get<std::vector<std::int8_t>>(file.datasets.at(0).values);
  const std::size_t per_sample = signs.size() / samples_in_file;
  const auto begin = signs.begin() + static_cast<std::ptrdiff_t>((system.first_sample - first_in_file) * per_sample);
  const std::vector<std::int8_t> of_job(begin, begin + static_cast<std::ptrdiff_t>(system.samples * per_sample));
  return pack_signs(of_job, system.sites());
}

class GivenDisorder : public testing::TestWithParam<JobLine> {
 protected:
  const Preset& preset() const { return preset_of(model_named(GetParam().model).value()); }
  int L() const { return std::stoi(GetParam().options.at("--L")); }
  std::string written(std::uint32_t seed) const {
    const std::filesystem::path path = folder_ / ("disorder" + std::to_string(seed) + ".h5");
    io::write(path, disorder_file(preset(), L(), seed));
    return path.string();
  }
  JobLine job() const { return GetParam().with("--disorder", written(1)); }

  test::TemporaryFolder folder_;
};

/// The system of a temperature of the job; with tempering that of all.
System system_of(const JobLine& job, const Preset& preset, const std::vector<double>& temperatures) {
  System system = system_of_member_job(preset);
  system.L = std::stoi(job.options.at("--L"));
  system.replicas = job.options.contains("--replicas") ? std::stoi(job.options.at("--replicas"))
                    : preset.has_random_bonds()        ? 4
                                                       : 2;
  if (job.options.contains("--random")) system.random = Random::independent;
  for (const double T : temperatures) system.betas.push_back(1 / T);
  if (job.method == "tempering") system.round = {4, 1};
  return system;
}

TEST_P(GivenDisorder, is_that_of_the_file_and_leads_to_the_spins_of_the_oracle) {
  const io::LabelledFile found = file_of(job(), folder_ / "found.h5");
  std::vector<std::vector<double>> grids = {{2.5}, {4.5}};
  if (GetParam().method == "tempering") grids = {{3.4, 3.8, 4.3, 5}};
  std::vector<std::int8_t> spins;
  for (const auto& temperatures : grids) {
    const System system = system_of(GetParam(), preset(), temperatures);
    const PackedSigns rows = rows_of_job(disorder_file(preset(), L(), 1), system);
    const bool has_bonds = preset().has_random_bonds();
    EXPECT_TRUE(found.values<std::int8_t>(has_bonds ? "couplings" : "fields") == unpack_signs(rows));
    oracle::Oracle oracle(system);
    oracle.restore_disorder(has_bonds ? rows : PackedSigns(), has_bonds ? PackedSigns() : rows);
    oracle.advance(48 / system.round.half_sweeps);
    for (std::size_t slot = 0; slot < system.slots(); ++slot) {
      const std::vector<std::int8_t> of_slot = oracle.spins(slot);
      spins.insert(spins.end(), of_slot.begin(), of_slot.end());
    }
  }
  EXPECT_TRUE(found.values<std::int8_t>("spins") == spins);
}

TEST_P(GivenDisorder, gives_the_same_data_in_every_word_width_and_after_a_stop) {
  const io::LabelledFile expected = file_of(job(), folder_ / "expected.h5");
  for (const char* word_bits : {"64", "256", "512"}) {
    const Outcome outcome =
        run(job().with("--word-bits", word_bits).with("--threads", "2").arguments(folder_ / "f.h5"));
    if (outcome.error_text.find("does not have that width") != std::string::npos) continue;
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
    EXPECT_TRUE(same_data(io::read(folder_ / "f.h5", "measurement"), expected)) << word_bits;
  }
  const JobLine kept = job().with("--checkpoint", (folder_ / "checkpoint.h5").string());
  ASSERT_EQ(run(kept.with("--max-seconds", "0").arguments(folder_ / "pieces.h5")).exit_code, 75);
  const Outcome other = run(kept.with("--disorder", written(2)).arguments(folder_ / "pieces.h5"));
  EXPECT_EQ(other.exit_code, 2) << other.error_text;
  EXPECT_NE(other.error_text.find("checkpoint of another job"), std::string::npos) << other.error_text;
  EXPECT_TRUE(same_data(file_of(kept, folder_ / "pieces.h5"), expected));
}

TEST_P(GivenDisorder, is_named_by_a_hash_without_which_its_job_does_not_run_again) {
  const io::LabelledFile first = file_of(job(), folder_ / "first.h5");
  const std::string& text = first.text("job");
  EXPECT_NE(text.find("disorder-hash = \"" + first.text("disorder_hash") + "\""), std::string::npos) << text;
  test::spill(folder_ / "job.toml", {text.begin(), text.end()});
  Arguments line = {"--config", (folder_ / "job.toml").string(), GetParam().model, GetParam().method};
  line.insert(line.end(), GetParam().flags.begin(), GetParam().flags.end());
  line.insert(line.end(), {"--output", (folder_ / "again.h5").string()});
  EXPECT_NE(run(line).error_text.find("--disorder-hash"), std::string::npos);
  line.insert(line.end(), {"--disorder", written(2)});
  EXPECT_NE(run(line).error_text.find("have the hash"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "again.h5"));
  line.back() = written(1);
  ASSERT_EQ(run(line).exit_code, 0);
  EXPECT_TRUE(same_data(io::read(folder_ / "again.h5", "measurement"), first));
}

std::string name_of(const testing::TestParamInfo<JobLine>& info) { return info.param.name; }

std::vector<JobLine> jobs_with_disorder() {
  std::vector<JobLine> jobs = member_jobs();
  std::erase_if(jobs, [](const JobLine& job) { return !preset_of(model_named(job.model).value()).has_disorder(); });
  return jobs;
}

INSTANTIATE_TEST_SUITE_P(Members, GivenDisorder, testing::ValuesIn(jobs_with_disorder()), name_of);

/// Jobs that save the disorder of their seed.
class SavedDisorder : public GivenDisorder {};

TEST_P(SavedDisorder, read_again_gives_the_datasets_of_the_job_that_saved_it) {
  const io::LabelledFile saved = file_of(GetParam(), folder_ / "saved.h5");
  EXPECT_FALSE(saved.attributes.contains("disorder_hash"));
  const JobLine again = GetParam().with("--disorder", (folder_ / "saved.h5").string());
  EXPECT_TRUE(same_data(file_of(again, folder_ / "again.h5"), saved));
  JobLine all_samples = again;
  all_samples.options.erase("--samples");
  EXPECT_TRUE(same_data(file_of(all_samples, folder_ / "again.h5"), saved));
  const Outcome same = run(again.arguments(folder_ / "saved.h5"));
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_NE(same.error_text.find("same file"), std::string::npos) << same.error_text;
}

std::vector<JobLine> jobs_that_save_disorder() {
  std::vector<JobLine> jobs = jobs_with_disorder();
  jobs.insert(jobs.end(), {small_longer(), small_longer_spin_glass()});
  return jobs;
}

INSTANTIATE_TEST_SUITE_P(Jobs, SavedDisorder, testing::ValuesIn(jobs_that_save_disorder()), name_of);

/// Spins after some of the measurements.
class SavedSpins : public testing::TestWithParam<JobLine> {
 protected:
  /// Without --save-spins.
  static JobLine job() {
    JobLine plain = GetParam();
    std::erase(plain.flags, "--save-spins");
    return plain;
  }
  test::TemporaryFolder folder_;
};

TEST_P(SavedSpins, are_those_at_the_end_of_shorter_jobs_also_after_a_stop) {
  const JobLine chosen = job().with("--save-spins", "24,6");
  const io::LabelledFile found = file_of(chosen, folder_ / "found.h5");
  EXPECT_EQ(found.axis("spin_time").values, io::Values(std::vector<std::int64_t>{6, 24}));
  const auto& spins = found.values<std::int8_t>("spins");
  for (const std::size_t k : {0, 1}) {
    JobLine shorter = GetParam().with("--sweeps", k == 0 ? "6" : "24");
    if (shorter.options.contains("--bins")) shorter.options["--bins"] = "1";
    const io::Values wanted = file_of(shorter, folder_ / "shorter.h5").dataset("spins").values;
    const std::size_t temperatures = io::size(found.axis("temperature").values), row = spins.size() / temperatures / 2;
    std::vector<std::int8_t> part;
    for (std::size_t t = 0; t < temperatures; ++t)
      part.insert(part.end(), spins.begin() + static_cast<std::ptrdiff_t>((2 * t + k) * row),
                  spins.begin() + static_cast<std::ptrdiff_t>((2 * t + k + 1) * row));
    EXPECT_TRUE(io::Values(part) == wanted) << k;
  }
  const JobLine kept = chosen.with("--checkpoint", (folder_ / "checkpoint.h5").string());
  ASSERT_EQ(run(kept.with("--max-seconds", "0").arguments(folder_ / "pieces.h5")).exit_code, 75);
  EXPECT_TRUE(same_data(file_of(kept, folder_ / "pieces.h5"), found));
}

/// After three runs of one sweep each the first of two temperatures is done, and its spins are kept or not.
TEST(SavedSpinsOfACheckpoint, are_not_left_out_or_added_by_another_command_line) {
  const test::TemporaryFolder folder;
  JobLine plain = small_spin_glass().with("--sweeps", "2").with("--checkpoint", (folder / "checkpoint.h5").string());
  plain.flags = {};
  JobLine saving = plain;
  saving.flags = {"--save-spins"};
  for (const auto& [first, second] : {std::pair{plain, saving}, {saving, plain}}) {
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(run(first.with("--max-seconds", "0").arguments(folder / "output.h5")).exit_code, 75);
    const Outcome outcome = run(second.arguments(folder / "output.h5"));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
    EXPECT_NE(outcome.error_text.find("--save-spins"), std::string::npos) << outcome.error_text;
    EXPECT_EQ(run(first.arguments(folder / "output.h5")).exit_code, 0);
    std::filesystem::remove(folder / "output.h5");
  }
}

INSTANTIATE_TEST_SUITE_P(Members, SavedSpins, testing::ValuesIn(member_jobs()), name_of);

}  // namespace
}  // namespace psflip::equality
