#include "engine/app/run/grid_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/app/machine.hpp"
#include "engine/core/version.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {

namespace {

constexpr const char* format_name = "psflip grid";
constexpr int format_version = 1;

nlohmann::ordered_json json_of(const GridTrial& trial) {
  return {{"temperatures", trial.temperatures}, {"rates", trial.rates}};
}

GridTrial trial_of(const nlohmann::json& json) { return {json.at("temperatures"), json.at("rates")}; }

}  // namespace

void write_grid(const std::filesystem::path& path, const Grid& grid) {
  nlohmann::ordered_json json = {{"format", format_name},
                                 {"format_version", format_version},
                                 {"model", grid.model},
                                 {"L", grid.L},
                                 {"J", grid.J},
                                 {"h", grid.h},
                                 {"temperatures", grid.trials.back().temperatures},
                                 {"rates", grid.trials.back().rates},
                                 {"method", grid.method}};
  if (grid.p != 0.5) json["p"] = grid.p;
  json["trials"] = nlohmann::json::array();
  for (const GridTrial& trial : grid.trials) json["trials"].push_back(json_of(trial));
  json["job"] = grid.job;
  json["stream_version"] = stream_version;
  json["code_version"] = code_version;
  json["git_commit"] = git_commit();
  json["created"] = utc_now();
  io::write_text(path, json.dump(1) + "\n");
}

Grid read_grid(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("--grid {}: cannot be read, check the name of the file.", path.string()));
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    if (json.at("format") != format_name || json.at("format_version") != format_version)
      throw UserError(
          fmt::format("--grid {}: is not a grid of temperatures that this version reads, make one with "
                      "psflip MODEL adapt.",
                      path.string()));
    return {json.value("model", std::string("rfim3d")),  // grids of 0.1 and 0.2 name none
            json.at("L"),
            json.at("J"),
            json.at("h"),
            json.value("p", 0.5),
            json.at("method"),
            json.at("job"),
            {trial_of(json)}};
  } catch (const nlohmann::json::exception&) {
    throw UserError(fmt::format("--grid {}: is not a complete grid of temperatures, make one with psflip MODEL adapt.",
                                path.string()));
  }
}

void require_grid_for(const Grid& grid, const std::filesystem::path& path, const System& s) {
  const auto model = model_named(grid.model);
  if (model == s.model && grid.L == s.L && grid.J == s.J && grid.h == s.h && grid.p == s.p) return;
  const auto described = [&](std::string_view name, int L, double J, double h, double p) {
    return fmt::format("{} with L = {}, J = {}, h = {}{}", name, L, J, h, p == 0.5 ? "" : fmt::format(", p = {}", p));
  };
  throw UserError(fmt::format(
      "--grid {}: was made for {}, but the job is of {}; exchange rates depend on all of them, make a grid with psflip "
      "{} adapt.",
      path.string(), described(grid.model, grid.L, grid.J, grid.h, grid.p),
      described(model_name(s.model), s.L, s.J, s.h, s.p), model_name(s.model)));
}

}  // namespace psflip::app
