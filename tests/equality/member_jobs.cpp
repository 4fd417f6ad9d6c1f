#include "member_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/methods/job.hpp"

namespace psflip::equality {

JobLine member_job(const Preset& preset, Method method) {
  const std::string model(preset.name), method_name(name_of(method));
  JobLine job{model + "_" + method_name,
              model,
              method_name,
              {{"--L", "6"}, {"--T", "2.5,4.5"}, {"--samples", "29:70"}, {"--sweeps", "24"}, {"--seed", "5"}},
              {"--save-spins"}};
  if (preset.has_disorder()) job.flags.push_back("--save-disorder");
  if (preset.has_field()) job.options["--h"] = "0.7";
  if (preset.has_disorder() && method != Method::tempering) job.options["--replicas"] = "3";
  if (method == Method::relaxation) {
    const std::vector<std::string> optional = names_of(optional_integers_of(preset));
    if (!optional.empty()) job.options["--measure"] = fmt::format("{}", fmt::join(optional, ","));
    return job;
  }
  job.options["--bins"] = "4";
  if (method == Method::equilibrium) return job.with("--measure-interval", "3");
  if (preset.has_random_bonds()) {
    job.options["--measure"] = "magnetization_k2";
    job.options["--link-overlap-slots"] = "2,0";
  }
  return job.with("--T", "3.4,3.8,4.3,5").with("--L", "4").with("--exchange-interval", "2").with("--bins", "3");
}

std::vector<JobLine> member_jobs() {
  std::vector<JobLine> jobs;
  for (const Preset& preset : presets) {
    for (const Method method : methods_of(preset)) {
      const JobLine job = member_job(preset, method);
      jobs.push_back(job);
      if (preset.has_random_bonds() && !preset.has_field())
        jobs.push_back(job.with("--random", "independent").named(job.name + "_independent"));
    }
  }
  return jobs;
}

std::vector<Preset> presets_with(Method method) {
  std::vector<Preset> all;
  for (const Preset& preset : presets)
    for (const Method one : methods_of(preset))
      if (one == method) all.push_back(preset);
  return all;
}

}  // namespace psflip::equality
