#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/ensemble/simulated_model.hpp"
#include "engine/io/labelled_file.hpp"

/// From measurement files to numbers with errors. The unit that everything works on is the Ensemble: sums over blocks
/// of samples.
namespace psflip::analysis {

/// Global ids of consecutive samples, first ... first + count - 1.
struct SampleRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Sorts the ranges and joins those that touch; overlapping ranges stay apart.
std::vector<SampleRange> joined(std::vector<SampleRange> ranges);

/// Sums of per-sample quantities over groups of samples with the same sample id / group size. A group that several
/// files share is completed by adding their sums.
struct Grouping {
  std::vector<std::int64_t> ids;      ///< sample id / group size, ascending
  Eigen::VectorXd samples;            ///< [group] number of samples
  std::vector<std::string> names;     ///< of the quantities
  std::vector<Eigen::MatrixXd> sums;  ///< per quantity: [moment][group], sum over the samples of the group

  Eigen::Index size() const { return samples.size(); }
  bool has(const std::string& name) const;
  /// Position of a quantity; std::out_of_range when there is none of that name.
  std::size_t index(const std::string& name) const;
  const Eigen::MatrixXd& operator[](const std::string& name) const { return sums[index(name)]; }
};

/// Block sums of one model at one size and one temperature.
struct Ensemble {
  io::Attributes attributes;  ///< of the file; the job is in it
  std::filesystem::path path;
  double temperature = 0;
  double beta = 0;
  std::vector<std::int64_t> moments;       ///< relaxation: measured times; else the last sweep of every bin
  std::vector<std::int64_t> measurements;  ///< in every bin; empty for relaxation
  std::vector<SampleRange> ranges;
  Grouping blocks;  ///< jackknife blocks
  Grouping packs;   ///< relaxation: the 32 samples of a word, for the design effect; else empty
  /// Relaxation: all samples as one group, sums of products of two quantities ("q2.q4"), for the errors that
  /// independent samples would have; else empty.
  Grouping products;

  const std::string& model() const { return std::get<std::string>(attributes.at("model")); }
  int L() const { return static_cast<int>(integer("L")); }
  int replicas() const { return static_cast<int>(integer("replicas")); }
  /// An integer attribute; present because reading has verified it.
  std::int64_t integer(const std::string& name) const { return std::get<std::int64_t>(attributes.at(name)); }
  /// The model; known because reading has verified it.
  const Preset& preset() const { return *find_preset(model()); }
  /// The method; known for the same reason.
  Method method() const { return *method_in(attributes, preset()); }
  double sites() const;
};

inline constexpr std::int64_t pack_size = 32;

/// Leaves out all but the last `count` moments; all are kept where there are no more.
void keep_last_moments(Ensemble& ensemble, std::int64_t count);

/// The attributes that must agree between files of one ensemble, in the order in which differences are reported.
const std::vector<std::string>& identity();

/// Checks the model, the method and the types of all identity attributes, and that the file follows the stream version
/// of this program; then what the file promises (see sound_files.hpp). Throws UserError.
void require_known_job(const io::LabelledFile& file);

/// The method of a file whose model is known. Throws UserError if the file names an unknown method.
Method method_of(const io::LabelledFile& file);

}  // namespace psflip::analysis
