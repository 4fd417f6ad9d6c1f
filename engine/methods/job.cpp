#include "engine/methods/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/io/error.hpp"
#include "engine/methods/methods.hpp"
#include "engine/methods/validate_system.hpp"

namespace psflip {

std::string name_of(Model model) { return std::string(model_name(model)); }
std::string name_of(Random random) { return random == Random::shared ? "shared" : "independent"; }
std::string name_of(Packing packing) { return packing == Packing::samples ? "samples" : "sites"; }
std::string name_of(Start start) { return start == Start::random ? "random" : "ordered"; }
std::string name_of(Couplings couplings) { return couplings == Couplings::bimodal ? "bimodal" : "ferromagnet"; }

void require(bool condition, const std::string& sentence) {
  if (!condition) throw UserError(sentence);
}

const MethodRules& rules_of(Method method) {
  switch (method) {
    case Method::relaxation:
      return relaxation_rules;
    case Method::equilibrium:
      return equilibrium_rules;
    default:
      return tempering_rules;
  }
}

std::vector<std::string> names_of(const IntegerSet& integers) {
  std::vector<std::string> names;
  for (const IntegerInfo& info : integer_table)
    if (integers.has(info.integer)) names.emplace_back(info.name);
  return names;
}

std::vector<Leg> legs_of(const Job& job) { return rules_of(job.method).legs(job); }

System first_system(const Job& job) {
  return job.method == Method::tempering ? tempered_system(job) : legs_of_temperatures(job, {}).front().system;
}

std::uint64_t stops_of(const Job& job) {
  const std::uint64_t legs = job.method == Method::tempering ? 1 : job.beta.size();
  return legs * rules_of(job.method).stops(job);
}

void validate(const Job& job) {
  validate_system(job);
  rules_of(job.method).validate(job);
  validate_saved_spins(job);
}

/// Keys are left out where the model or the method has none; those that are newer than 0.1 where they have their
/// default.
std::string to_toml(const Job& job) {
  const System& s = job.system;
  const bool is_tempered = job.method == Method::tempering;
  std::string t = fmt::format("[{}.{}]\nL = {}\n", name_of(s.model), name_of(job.method), s.L);
  if (s.has_field()) t += fmt::format("J = {}\nh = {}\n", s.J, s.h);
  t += is_tempered && !job.given_as_beta ? fmt::format("T = [{}]\n", fmt::join(job.T, ", "))
                                         : fmt::format("beta = [{}]\n", fmt::join(job.beta, ", "));
  t += fmt::format("samples = \"{}:{}\"\nsweeps = {}\nseed = {}\nstart = \"{}\"\n", s.first_sample, s.samples,
                   job.sweeps, s.seed, name_of(s.start));
  const bool is_of_old_tempering = is_tempered && s.preset().has_random_field() && s.replicas == 2;
  if ((s.preset().has_disorder() || is_tempered) && !is_of_old_tempering)
    t += fmt::format("replicas = {}\n", s.replicas);
  if (s.preset().has_random_bonds())
    t += fmt::format("random = \"{}\"\ncouplings = \"{}\"\n", name_of(s.random), name_of(s.couplings));
  if (s.p != 0.5) t += fmt::format("p = {}\n", s.p);
  if (!job.disorder.hash.empty()) t += fmt::format("disorder-hash = \"{}\"\n", job.disorder.hash);
  if (!job.spins_after.empty()) t += fmt::format("save-spins = \"{}\"\n", fmt::join(job.spins_after, ","));
  if (s.also.bits != 0) t += fmt::format("measure = \"{}\"\n", fmt::join(names_of(s.also), ","));
  if (s.preset().packs_sites() && !is_tempered) t += fmt::format("packing = \"{}\"\n", name_of(s.packing));
  return t + rules_of(job.method).schedule(job);
}

}  // namespace psflip
