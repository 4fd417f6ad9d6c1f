#include <gtest/gtest.h>

#include <set>

#include "engine/io/error.hpp"
#include "engine/laboratory/exchange/counting_ranks.hpp"
#include "engine/laboratory/exchange/equal_bits.hpp"
#include "engine/laboratory/exchange/own_neighbours.hpp"
#include "engine/laboratory/exchange/sliced_ranks.hpp"
#include "tests/equality/ranks/thread_ranks.hpp"
#include "tests/oracle/oracle.hpp"

// The exchange in one direction on ranks that are threads of this process.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.9;

struct Shape {
  int L, ranks;
};
std::string name_of(const testing::TestParamInfo<Shape>& info) {
  return "L" + std::to_string(info.param.L) + "_on_" + std::to_string(info.param.ranks);
}

/// One SlicedRanks for each of `count` threads, whose messages Wrapper handles.
template <class Wrapper>
struct Wrapped {
  Wrapped(const System& system, Ranks& ranks) : wrapper(ranks), sliced(system, wrapper) {}

  Wrapper wrapper;
  SlicedRanks sliced;
};
template <class Wrapper>
equality::Ranked<Wrapped<Wrapper>> on_threads(const System& system, int count) {
  return {count, [&](Ranks& ranks) { return std::make_unique<Wrapped<Wrapper>>(system, ranks); }};
}

class Exchange : public testing::TestWithParam<Shape> {};

TEST_P(Exchange, in_one_direction_gives_the_spins_of_the_oracle) {
  const System system = glass_system(GetParam().L, beta, 2, 77);
  oracle::Oracle oracle(system);
  const auto ranks = on_threads<CountingRanks>(system, GetParam().ranks);
  for (int half_sweeps = 0; half_sweeps < 6; ++half_sweeps) {
    const auto all = ranks.of_each<std::vector<std::int8_t>>([](auto& own) { return own.sliced.gathered().spins(); });
    EXPECT_TRUE(all[0] == oracle.spins()) << half_sweeps << " half sweeps";
    ranks.each([](auto& own) { own.sliced.half_sweep(); });
    oracle.advance(1);
  }
}

TEST_P(Exchange, sends_one_slice_of_a_pack_in_one_message_of_a_half_sweep) {
  const auto ranks = on_threads<CountingRanks>(glass_system(GetParam().L, beta, 3, 1), GetParam().ranks);
  ranks.each([](auto& own) { own.sliced.half_sweep(); });
  const std::size_t slice = static_cast<std::size_t>(GetParam().L) * GetParam().L;
  EXPECT_EQ(ranks.first().wrapper.messages(), 1U);
  EXPECT_EQ(ranks.first().wrapper.bytes(), slice * 3 * glass_replicas * sizeof(std::uint32_t));
}

INSTANTIATE_TEST_SUITE_P(Threads, Exchange,
                         testing::Values(Shape{4, 2}, Shape{8, 2}, Shape{6, 3}, Shape{12, 3}, Shape{8, 4}, Shape{16, 4},
                                         Shape{10, 5}),
                         name_of);

/// Where a rank sends its slices and from where it receives them, in a half sweep.
class NotingRanks final : public Ranks {
 public:
  explicit NotingRanks(Ranks&) {}
  int rank() const override { return 1; }
  int count() const override { return 4; }
  void start_send(int to, int, const void*, std::size_t) override { sent_to.push_back(to); }
  void start_receive(int from, int, void*, std::size_t) override { received_from.push_back(from); }

  std::vector<int> sent_to, received_from;
};

TEST(Exchange, sends_even_slices_downwards_and_odd_slices_upwards) {
  Wrapped<NotingRanks> one(glass_system(8, beta, 1, 1), single_process());
  for (int half_sweep = 0; half_sweep < 4; ++half_sweep) one.sliced.half_sweep();
  EXPECT_EQ(one.wrapper.sent_to, (std::vector<int>{0, 2, 0, 2}));
  EXPECT_EQ(one.wrapper.received_from, (std::vector<int>{2, 0, 2, 0}));
}

/// Ranks that lose the slices of one direction.
class LosingRanks final : public Ranks {
 public:
  explicit LosingRanks(Ranks& ranks) : ranks_(ranks) {}
  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  void start_send(int to, int tag, const void* data, std::size_t bytes) override {
    ranks_.start_send(to, tag, data, bytes);
  }
  void start_receive(int from, int tag, void* data, std::size_t bytes) override {
    lost_.resize(bytes);
    ranks_.start_receive(from, tag, tag == Neighbours::to_larger ? lost_.data() : data, bytes);
  }
  void wait() override { ranks_.wait(); }

 private:
  Ranks& ranks_;
  std::vector<std::byte> lost_;
};

TEST(Exchange, without_the_slices_of_one_direction_gives_other_spins) {
  const System system = glass_system(8, beta, 1, 77);
  const auto spins_after = [&]<class Wrapper>(int half_sweeps) {
    const auto ranks = on_threads<Wrapper>(system, 2);
    for (int h = 0; h < half_sweeps; ++h) ranks.each([](auto& own) { own.sliced.half_sweep(); });
    return ranks.template of_each<std::vector<std::int8_t>>([](auto& own) { return own.sliced.gathered().spins(); })[0];
  };
  EXPECT_TRUE(spins_after.operator()<LosingRanks>(2) == spins_after.operator()<CountingRanks>(2));
  EXPECT_FALSE(spins_after.operator()<LosingRanks>(3) == spins_after.operator()<CountingRanks>(3));
}

TEST(OwnNeighbours, return_each_message_as_that_of_the_other_side) {
  OwnNeighbours own(2, 5);
  EXPECT_EQ(own.rank(), 2);
  EXPECT_EQ(own.count(), 5);
  for (int round = 0; round < 2; ++round) {
    const int sent[2] = {10 + round, 20 + round};
    int received[2] = {0, 0};
    Neighbours(own).exchange(sent, received);
    EXPECT_EQ(received[0], sent[1]);
    EXPECT_EQ(received[1], sent[0]);
  }
}

TEST(Exchange, is_compared_with_one_rank_the_scalar_update_and_psflip) {
  const System system = glass_system(6, beta, 2, 5);
  struct Nothing {
    explicit Nothing(Ranks& own) : ranks(own) {}
    Ranks& ranks;
  };
  const equality::Ranked<Nothing> ranks(3, [](Ranks& own) { return std::make_unique<Nothing>(own); });
  const auto names = ranks.of_each<std::vector<std::string>>(
      [&](Nothing& own) { return programs_with_equal_bits(system, own.ranks, 4); });
  EXPECT_EQ(names[0], (std::vector<std::string>{"one rank", "scalar", "psflip"}));
  EXPECT_TRUE(names[1].empty());
}

TEST(Exchange, is_compared_with_a_scalar_update_that_has_the_spins_of_the_oracle) {
  const System system = glass_system(6, beta, 2, 5);
  oracle::Oracle oracle(system);
  oracle.advance(4);
  const std::vector<std::int8_t> all = oracle.spins();
  const std::ptrdiff_t row = 4 * 216;
  for (const std::uint32_t sample : {0u, 31u, 32u, 45u}) {
    const std::vector<std::int8_t> spins(all.begin() + sample * row, all.begin() + (sample + 1) * row);
    EXPECT_EQ(scalar_trajectory(system, sample, 4), spins);
  }
}

TEST(Exchange, of_slices_that_ranks_cannot_share_equally_is_refused) {
  const NotingRanks four(single_process());
  EXPECT_NO_THROW(require_equal_shares(16, four));
  EXPECT_THROW(require_equal_shares(12, four), UserError);
  EXPECT_THROW(require_equal_shares(6, four), UserError);
}

}  // namespace
}  // namespace psflip::laboratory
