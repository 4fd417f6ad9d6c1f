#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/commands.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {
namespace {

std::string type_name(const io::Values& values) {
  static constexpr const char* names[] = {"int8", "int32", "uint32", "int64", "float64"};
  return names[values.index()];
}

void print_attribute(const std::string& name, const io::Attribute& attribute) {
  const std::string value = std::visit([](const auto& v) { return fmt::format("{}", v); }, attribute);
  fmt::print("{:<20}{}\n", name, value.find('\n') == std::string::npos ? value : "(below)");
}

void run_info(const std::filesystem::path& path) {
  const io::LabelledFile file = io::read(path, "");
  for (const auto& [name, attribute] : file.attributes) print_attribute(name, attribute);
  fmt::print("\naxes\n");
  for (const io::Axis& axis : file.axes)
    fmt::print("  {:<24}{:<9}[{}]  {}\n", axis.name, type_name(axis.values), io::size(axis.values), axis.description);
  fmt::print("\ndatasets\n");
  for (const io::Dataset& dataset : file.datasets)
    fmt::print("  {:<24}{:<9}[{}]  {}\n", dataset.name, type_name(dataset.values), fmt::join(dataset.axes, ", "),
               dataset.description);
  for (const auto& [name, attribute] : file.attributes) {
    const auto* text = std::get_if<std::string>(&attribute);
    if (text != nullptr && text->find('\n') != std::string::npos) fmt::print("\n{}\n{}\n", name, *text);
  }
}

}  // namespace

void add_info(CLI::App& app) {
  auto path = std::make_shared<std::filesystem::path>();
  CLI::App* command = app.add_subcommand("info", "Verify a psflip file and list its content");
  command->add_option("file", *path, "Any psflip file (HDF5)")->required();
  command->callback([path] { run_info(*path); });
}

}  // namespace psflip::app
