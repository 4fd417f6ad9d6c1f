#include "analysis/app/checked.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "engine/io/labelled_file.hpp"
#include "engine/io/paths.hpp"

namespace psflip::app {

namespace {

std::string complaint(std::string text) {
  if (text.empty()) return "the value is empty, give one";
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view digits = std::string_view(text).substr(text[0] == '-' || text[0] == '+' ? 1 : 0);
  const bool finite = digits != "nan" && digits != "inf" && digits != "infinity";
  return finite ? "" : text + " is not a finite number, give one";
}

}  // namespace

void require_output(const std::string& option, const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs) {
  io::require_writable(output);
  std::vector<io::NamedFile> files;
  for (const auto& input : inputs) files.push_back({"the input", input});
  io::require_other_file({option, output}, files);
}

void refuse_empty_and_infinite(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_expected_min() > 0) option->check(CLI::Validator([](std::string& s) { return complaint(s); }, ""));
  for (CLI::App* sub : app.get_subcommands({})) refuse_empty_and_infinite(*sub);
}

}  // namespace psflip::app
