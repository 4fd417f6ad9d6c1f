#pragma once
#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace psflip::app {

/// Reads the TOML file of --config for CLI11, whose own reader skips lines that it does not understand and takes one of
/// two values of a key.
class OptionFile : public CLI::ConfigTOML {
 public:
  /// @throws UserError if the file has more than 1 MB (a device, for example), is no text, is not the part of TOML in
  /// which a job is written (docs/command-line.md), or has a second table.
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
};

}  // namespace psflip::app
