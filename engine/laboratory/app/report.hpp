#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/models/model.hpp"

/// What every command of psflip-lab writes: provenance and tables as JSON.
namespace psflip::laboratory {

/// One timing. The field's unit is ps/flip: picoseconds of all processors together for a spin that is tried.
struct Row {
  std::string system;     ///< for example "ea3d"
  std::string variant;    ///< the algorithm; `scalar_variant` for the reference
  std::string layout;     ///< how the lattice lies in memory
  std::string generator;  ///< where the random numbers come from
  int L = 0;
  double seconds = 0;
  double flips = 0;                                ///< spins that were tried in these seconds
  nlohmann::json more = nlohmann::json::object();  ///< further keys of the row: packs, device, threads, ...

  double ps_per_flip() const { return 1e12 * seconds / flips; }
};

/// The variant of the plain scalar serial update on a CPU, with which all rows of its system are compared.
inline constexpr const char* scalar_variant = "scalar";

/// Times it for a member of the family without field, or with random fields h = J in three dimensions; `seconds` is the
/// least time of the measurement.
Row reference_row(const Preset& preset, int L, double beta, double seconds);

class Report {
 public:
  /// Throws UserError at once if `output` cannot be written.
  Report(const CLI::App& command, std::filesystem::path output);

  /// Adds a timing and prints it.
  void add(const Row& row);
  /// Adds something else than a timing of flips.
  void set(const std::string& name, nlohmann::json value) { others_[name] = std::move(value); }
  /// Writes the file under a temporary name and renames it. Throws UserError if the disk refuses, std::logic_error if a
  /// system has no row of the scalar reference.
  void write() const;

 private:
  const Row& reference_of(const Row& row) const;

  std::string command_;
  std::filesystem::path output_;
  std::vector<Row> rows_;
  nlohmann::json others_ = nlohmann::json::object();
};

/// Adds --output.
void add_output(CLI::App& command, std::string& output);

/// Throws UserError for an L that is odd or below 4, and for a lattice of `bytes_per_site` bytes a site that the
/// available memory of the host cannot hold.
void require_size(int L, int dimension, double bytes_per_site);

/// Throws UserError unless the least time of a timing is above 0 and at most an hour.
void require_seconds(double seconds);

/// Throws UserError for a name that is not one of `known`.
void require_known(const std::string& option, const std::vector<std::string>& given,
                   const std::vector<std::string>& known);

}  // namespace psflip::laboratory
