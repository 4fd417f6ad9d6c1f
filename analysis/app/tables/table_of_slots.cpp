#include "analysis/app/tables/table_of_slots.hpp"

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {
namespace {

struct TableArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
};

}  // namespace

void add_table_of_slots(CLI::App& app, const std::string& name, const std::string& description,
                        const std::string& output, TableOfSlots table) {
  auto options = std::make_shared<TableArguments>();
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of tempering of one model and size")
      ->required();
  command->add_option("--output", options->output, output)->required();
  command->callback([options, table] {
    require_output("--output", options->output, options->inputs);
    io::write_text(options->output, table(analysis::read_ensembles(options->inputs)));
  });
}

}  // namespace psflip::app
