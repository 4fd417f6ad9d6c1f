#include <gtest/gtest.h>

#include <random>

#include "engine/laboratory/generators/generators.hpp"
#include "engine/laboratory/generators/seeding.hpp"

// Known answers of the generators, and one state for each of several threads.
namespace psflip::laboratory {
namespace {

/// The first `count` numbers of thread `thread` of `states`.
template <class G>
std::vector<std::uint32_t> numbers_of(std::vector<std::uint32_t>& states, std::size_t threads, std::size_t thread,
                                      int count) {
  G generator(StridedState{states.data() + thread, threads});
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(generator());
  generator.store();
  return numbers;
}

template <class G>
std::vector<std::uint32_t> numbers_of_seed(std::uint32_t seed, int count) {
  std::vector<std::uint32_t> state = state_of<G>(seed);
  return numbers_of<G>(state, 1, 0, count);
}

TEST(Generators, the_10000th_number_of_MINSTD_from_1_is_that_of_Park_and_Miller) {
  EXPECT_EQ(numbers_of_seed<Minstd>(1, 10000).back(), 1043618065U);
}

TEST(Generators, MINSTD_equals_the_standard_library) {
  std::minstd_rand0 standard(20240607);
  for (const std::uint32_t number : numbers_of_seed<Minstd>(20240607, 100000)) ASSERT_EQ(number, standard());
}

TEST(Generators, MINSTD_has_no_state_zero) {
  EXPECT_EQ(numbers_of_seed<Minstd>(0, 3), numbers_of_seed<Minstd>(1, 3));
  EXPECT_EQ(numbers_of_seed<Minstd>(0x7fffffff, 3), numbers_of_seed<Minstd>(1, 3));
}

TEST(Generators, the_10000th_number_of_MT19937_from_5489_is_that_of_its_authors) {
  EXPECT_EQ(numbers_of_seed<MersenneTwister>(5489, 10000).back(), 4123659995U);
}

TEST(Generators, MT19937_equals_the_standard_library) {
  std::mt19937 standard(7);
  for (const std::uint32_t number : numbers_of_seed<MersenneTwister>(7, 3000)) ASSERT_EQ(number, standard());
}

/// The first numbers of the first sequence of curandCreateGeneratorHost(CURAND_RNG_PSEUDO_XORWOW) of CUDA 13.0 in the
/// order CURAND_ORDERING_PSEUDO_LEGACY.
TEST(Generators, XORWOW_gives_the_sequence_of_cuRAND) {
  const std::vector<std::uint32_t> of_0 = numbers_of_seed<Xorwow>(0, 1000),
                                   of_1234 = numbers_of_seed<Xorwow>(1234, 1000);
  const std::vector<std::uint32_t> first_0 = {3179217846, 1883133293, 2220552389, 674260989};
  const std::vector<std::uint32_t> first_1234 = {624778773, 1867875844, 3739671282, 1954919316};
  EXPECT_EQ(std::vector<std::uint32_t>(of_0.begin(), of_0.begin() + 4), first_0);
  EXPECT_EQ(of_0.back(), 312342528U);
  EXPECT_EQ(std::vector<std::uint32_t>(of_1234.begin(), of_1234.begin() + 4), first_1234);
  EXPECT_EQ(of_1234.back(), 1903264351U);
}

/// The recursion with an array that keeps all values.
std::vector<std::uint32_t> parisi_rapuano(std::uint32_t seed, std::size_t count, bool stores_xor) {
  const std::vector<std::uint32_t> state = state_of<ParisiRapuano>(seed);
  std::vector<std::uint32_t> x(state.begin(), state.end() - 1), numbers;
  for (std::size_t i = x.size(); numbers.size() < count; ++i) {
    const std::uint32_t sum = x[i - 24] + x[i - 55];
    numbers.push_back(sum ^ x[i - 61]);
    x.push_back(stores_xor ? numbers.back() : sum);
  }
  return numbers;
}

TEST(Generators, Parisi_Rapuano_stores_the_sum_and_returns_the_xor) {
  EXPECT_EQ(numbers_of_seed<ParisiRapuano>(3, 1000), parisi_rapuano(3, 1000, false));
}

TEST(Generators, Parisi_Rapuano_of_the_poster_stores_the_xor) {
  EXPECT_EQ(numbers_of_seed<ParisiRapuanoPoster>(3, 1000), parisi_rapuano(3, 1000, true));
  EXPECT_NE(parisi_rapuano(3, 1000, true), parisi_rapuano(3, 1000, false));
}

TEST(Generators, Philox_is_addressed_by_thread_and_call) {
  std::vector<std::uint32_t> states = states_of<AddressedPhilox>(3, 99);
  const std::vector<std::uint32_t> numbers = numbers_of<AddressedPhilox>(states, 3, 2, 6);
  const Four<std::uint32_t> first = numbers_at(Key{99, 0}, 2, 0, 0, 0, 0),
                            second = numbers_at(Key{99, 0}, 2, 1, 0, 0, 0);
  EXPECT_EQ(numbers,
            (std::vector<std::uint32_t>{first.x[0], first.x[1], first.x[2], first.x[3], second.x[0], second.x[1]}));
}

template <class G>
class EveryGenerator : public testing::Test {};
using All = testing::Types<Minstd, ParisiRapuano, ParisiRapuanoPoster, MersenneTwister, Xorwow, AddressedPhilox>;
TYPED_TEST_SUITE(EveryGenerator, All);

TYPED_TEST(EveryGenerator, continues_from_its_stored_state) {
  std::vector<std::uint32_t> whole = states_of<TypeParam>(5, 1), parts = whole;
  const std::vector<std::uint32_t> expected = numbers_of<TypeParam>(whole, 5, 3, 2000);
  std::vector<std::uint32_t> found = numbers_of<TypeParam>(parts, 5, 3, 1204);
  for (const std::uint32_t number : numbers_of<TypeParam>(parts, 5, 3, 796)) found.push_back(number);
  EXPECT_EQ(found, expected);
}

TYPED_TEST(EveryGenerator, threads_do_not_touch_the_states_of_each_other) {
  std::vector<std::uint32_t> states = states_of<TypeParam>(4, 8), untouched = states;
  const auto first = numbers_of<TypeParam>(states, 4, 1, 700), second = numbers_of<TypeParam>(states, 4, 2, 700);
  EXPECT_NE(first, second);
  EXPECT_EQ(second, numbers_of<TypeParam>(untouched, 4, 2, 700));
}

TYPED_TEST(EveryGenerator, numbers_are_at_most_the_largest_and_half_are_odd) {
  std::vector<std::uint32_t> states = states_of<TypeParam>(1, 5);
  int odd = 0;
  const int count = 1 << 16;
  for (const std::uint32_t number : numbers_of<TypeParam>(states, 1, 0, count)) {
    ASSERT_LE(number, TypeParam::most);
    odd += static_cast<int>(number & 1u);
  }
  EXPECT_NEAR(odd, count / 2, 6 * 128);  // six standard deviations
}

}  // namespace
}  // namespace psflip::laboratory
