#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

/// Checks of options that every command of psflip-analysis makes before it works.
namespace psflip::app {

/// Throws UserError when `output`, the value of `option`, cannot be written or is one of the files that are read.
void require_output(const std::string& option, const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs);

/// Makes all options of `app` and its subcommands refuse an empty value, which CLI11 reads as 0, and nan and infinity,
/// of which nan passes its checks of ranges.
void refuse_empty_and_infinite(CLI::App& app);

}  // namespace psflip::app
