#pragma once
#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace psflip::app {

/// Reads the TOML file of --config for CLI11. Refuses what would be read without end or as another job: more than
/// 1 MB (a device, for example), a second table.
class OptionFile : public CLI::ConfigTOML {
 public:
  /// @throws UserError if the text is too long, is no text or has two tables.
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
};

}  // namespace psflip::app
