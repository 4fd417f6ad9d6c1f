#include "engine/app/options/option_file.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

constexpr std::size_t most_bytes = 1'000'000;

/// The text of a file that may have no end.
std::string text_of(std::istream& input) {
  std::string text(most_bytes + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.size() > most_bytes)
    throw UserError("--config: the file has more than 1 MB; give a TOML file with the options of one job.");
  if (text.find('\0') != std::string::npos)
    throw UserError("--config: the file is not text; give a TOML file with the options of one job.");
  return text;
}

/// CLI11 would take the keys of a second table for options of the first one's command, or leave them out.
void refuse_second_table(const std::string& text) {
  std::istringstream lines(text);
  int tables = 0, number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] != '[') continue;
    const std::size_t last = line.find_last_not_of(" \t\r", line.find('#') - 1);
    if (line[last] != ']' || ++tables < 2) continue;
    throw UserError(fmt::format("--config: line {} begins a second table; write a file for each job.", number));
  }
}

}  // namespace

std::vector<CLI::ConfigItem> OptionFile::from_config(std::istream& input) const {
  const std::string text = text_of(input);
  refuse_second_table(text);
  std::istringstream whole(text);
  return CLI::ConfigTOML::from_config(whole);
}

}  // namespace psflip::app
