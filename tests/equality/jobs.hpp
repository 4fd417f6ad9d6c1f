#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "command.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::equality {

/// A command line by its options, so that a test changes the one it is about.
struct JobLine {
  std::string name, model, method;
  std::map<std::string, std::string> options;
  Arguments flags;

  JobLine named(const std::string& other_name) const;
  JobLine with(const std::string& option, const std::string& value) const;
  Arguments arguments(const std::filesystem::path& output) const;
};

inline void PrintTo(const JobLine& job, std::ostream* stream) { *stream << job.name; }

/// Small complete jobs of every model, mode and packing, with disorder and spins saved.
std::vector<JobLine> small_jobs();
JobLine small_spin_glass();
JobLine small_square();
JobLine small_random_field();
/// With extended runs of two packs of five.
JobLine small_longer();
/// The same of a spin glass, with four sets of replicas, and of a model without disorder.
JobLine small_longer_spin_glass();
JobLine small_longer_square();

/// Runs the job, which has to succeed, and reads its file.
io::LabelledFile file_of(const JobLine& job, const std::filesystem::path& output);

/// Axes and datasets: everything in a file but its provenance.
testing::AssertionResult same_data(const io::LabelledFile& found, const io::LabelledFile& expected);

/// One file out of files of consecutive samples.
io::LabelledFile joined(const std::vector<io::LabelledFile>& shards);

}  // namespace psflip::equality
