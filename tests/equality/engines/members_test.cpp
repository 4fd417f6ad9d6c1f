#include "cpu_backends.hpp"
#include "member_suite.hpp"

// Every member of the family with every method on the CPU, in every word width of this build.
namespace psflip::equality {
namespace {

class Members : public MemberSuite {
 protected:
  void compare_on_threads(Compare compare, const std::vector<int>& threads) const {
    compare_all(compare, [&](const System&) {
      Backends all;
      const bool is_named = !GetParam().preset.name.empty();  // the others have words of 64 bits only
      for (const int word_bits : is_named ? cpu::supported_word_bits() : std::vector{64})
        for (const Backend& backend : cpu_backends(word_bits, threads)) all.push_back(backend);
      return all;
    });
  }
};

TEST_P(Members, have_the_trajectories_of_the_oracle_on_one_two_and_three_threads) {
  compare_on_threads(compare_trajectories, {1, 2, 3});
}

TEST_P(Members, continue_a_restored_configuration_as_the_oracle) { compare_on_threads(compare_restored, {2}); }

TEST_P(Members, simulate_given_disorder_as_the_oracle) { compare_on_threads(compare_given_disorder, {2}); }

TEST_P(Members, have_three_shards_that_are_the_pieces_of_one) { compare_on_threads(compare_three_shards, {1}); }

TEST_P(Members, are_read_at_the_moment_when_the_reading_began) { compare_on_threads(compare_readings, {2}); }

INSTANTIATE_TEST_SUITE_P(Cpu, Members, testing::ValuesIn(all_members()), name_of_parameter);

}  // namespace
}  // namespace psflip::equality
