#include "analysis/app/checked.hpp"

#include <cmath>
#include <cstdlib>

#include "engine/io/labelled_file.hpp"
#include "engine/io/paths.hpp"

namespace psflip::app {

namespace {

std::string complaint_of_text(const std::string& text) { return text.empty() ? "the value is empty, give one" : ""; }

std::string complaint_of_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  // The conversion refuses text that is no number.
  return end != text.c_str() && !std::isfinite(value) ? text + " is not a finite number, give one" : "";
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
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_min() == 0) continue;
    const bool number = option->get_type_name().find("FLOAT") != std::string::npos;
    option->check(CLI::Validator([](std::string& s) { return complaint_of_text(s); }, ""));
    if (number) option->check(CLI::Validator([](std::string& s) { return complaint_of_number(s); }, ""));
  }
  for (CLI::App* sub : app.get_subcommands({})) refuse_empty_and_infinite(*sub);
}

}  // namespace psflip::app
