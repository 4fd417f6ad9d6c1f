#include "fibers.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

namespace psflip::emulated {
namespace {

/// A meeting of a number of threads, again and again.
struct Meeting {
  std::uint32_t expected = 0, arrived = 0;
  std::uint64_t number = 0;
  bool vote = false, result = false;
  std::uint64_t given[2][32] = {};  ///< of a warp, double buffered: one may still be read while the other is written
};

struct Block {
  std::uint32_t number = 0;
  Index index;
  std::vector<std::uint32_t> shared;
  Meeting all;
  std::map<std::uint32_t, Meeting> some;
  std::vector<Meeting> warps;
};

struct Copy {
  std::uint32_t to;
  const char* from;
  std::size_t bytes;
};

constexpr std::size_t stack_bytes = 64 * 1024;
using Stack = std::unique_ptr<char[]>;
std::vector<Stack> stacks;  ///< of fibers that are no more: pages of new ones would cost more than most kernels

Stack borrow_stack() {
  if (stacks.empty()) return std::make_unique_for_overwrite<char[]>(stack_bytes);
  Stack stack = std::move(stacks.back());
  stacks.pop_back();
  return stack;
}

struct Fiber {
  ucontext_t context;
  Stack stack = borrow_stack();
  ~Fiber() { stacks.push_back(std::move(stack)); }
  Block* block = nullptr;
  std::uint32_t number = 0;
  Index index;
  std::vector<Copy> copies;
  bool done = false;
};

constexpr std::uint64_t most_rounds = 200000, rounds_asleep = 64;

Fiber* running = nullptr;
ucontext_t scheduler;
std::mt19937 generator;
Launch current;
const std::function<void()>* current_body = nullptr;
std::vector<Block>* current_blocks = nullptr;
Meeting cluster;
std::exception_ptr thrown;

void enter() {
  try {
    (*current_body)();
  } catch (...) {
    thrown = std::current_exception();
  }
  running->done = true;
  while (true) pause();
}

void arrive(Meeting& m, bool vote) {
  m.vote = m.vote || vote;
  if (++m.arrived == m.expected) {
    m.result = m.vote;
    m.vote = false;
    m.arrived = 0;
    ++m.number;
  }
}

bool meet(Meeting& m, bool vote) {
  const std::uint64_t number = m.number;
  arrive(m, vote);
  while (m.number == number) pause();
  return m.result;
}

std::unique_ptr<Fiber> make_fiber(Block& block, std::uint32_t number) {
  const std::uint32_t in_row = current.threads / current.rows;
  auto f = std::make_unique<Fiber>();
  f->block = &block;
  f->number = number;
  f->index = {number % in_row, number / in_row};
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = f->stack.get();
  f->context.uc_stack.ss_size = stack_bytes;
  f->context.uc_link = nullptr;
  makecontext(&f->context, enter, 0);
  return f;
}

std::vector<std::unique_ptr<Fiber>> make_fibers(std::vector<Block>& blocks) {
  std::vector<std::unique_ptr<Fiber>> fibers;
  for (Block& b : blocks)
    for (std::uint32_t t = 0; t < current.threads; ++t) fibers.push_back(make_fiber(b, t));
  return fibers;
}

/// Resumes every fiber of two blocks out of three once, in random order, but not those of block `asleep`. False when
/// all are done.
bool run_some(std::vector<std::unique_ptr<Fiber>>& fibers, std::vector<std::size_t>& order, std::size_t blocks,
              std::size_t asleep) {
  std::vector<bool> awake(blocks);
  for (std::size_t b = 0; b < blocks; ++b) awake[b] = generator() % 3 != 0 && b != asleep;
  std::shuffle(order.begin(), order.end(), generator);
  bool left = false;
  for (const std::size_t i : order) {
    Fiber& f = *fibers[i];
    left = left || !f.done;
    if (f.done || !awake[f.block->number]) continue;
    running = &f;
    swapcontext(&scheduler, &f.context);
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
  return left;
}

}  // namespace

Index thread() { return running->index; }
Index block() { return running->block->index; }
Index block_size() { return {current.threads / current.rows, current.rows}; }
std::uint32_t* shared() { return running->block->shared.data(); }
std::size_t shared_bytes() { return 4 * current.shared_words; }

void run(const Launch& launch, std::uint32_t seed, const std::function<void()>& body) {
  generator.seed(seed);
  current = launch;
  current_body = &body;
  std::vector<Block> blocks(launch.blocks);
  current_blocks = &blocks;
  cluster = {};
  cluster.expected = launch.blocks * launch.threads;
  for (std::uint32_t b = 0; b < launch.blocks; ++b) {
    blocks[b].number = b;
    blocks[b].index = {launch.first_block.x + b, launch.first_block.y, launch.first_block.z};
    blocks[b].shared.assign(launch.shared_words, 0xdeadbeef);
    blocks[b].all.expected = launch.threads;
    blocks[b].warps.resize(launch.threads / 32);
    for (Meeting& warp : blocks[b].warps) warp.expected = 32;
  }
  auto fibers = make_fibers(blocks);
  std::vector<std::size_t> order(fibers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t asleep = blocks.size();  // one of several blocks falls behind, which others should wait for
  for (std::uint64_t round = 0; run_some(fibers, order, blocks.size(), asleep); ++round) {
    if (round == most_rounds) throw std::runtime_error("the threads of the kernel wait for each other in vain");
    if (round % rounds_asleep == 0 && blocks.size() > 1) asleep = generator() % (2 * blocks.size());
  }
}

void synchronize() { meet(running->block->all, false); }
void synchronize_some(std::uint32_t barrier, std::uint32_t threads) {
  Meeting& some = running->block->some[barrier];
  some.expected = threads;
  meet(some, false);
}
void arrive_at(std::uint32_t barrier, std::uint32_t threads) {
  Meeting& some = running->block->some[barrier];
  some.expected = threads;
  arrive(some, false);
}
std::uint32_t rank_in_cluster() { return running->block->number; }
void synchronize_cluster() { meet(cluster, false); }
std::uint32_t* shared_of(std::uint32_t* mine, std::uint32_t block) {
  return current_blocks->at(block).shared.data() + (mine - shared());
}
bool any(bool mine) { return meet(running->block->warps[running->number / 32], mine); }

const std::uint64_t* gather(std::uint64_t mine) {
  Meeting& warp = running->block->warps[running->number / 32];
  std::uint64_t* given = warp.given[warp.number % 2];
  given[lane()] = mine;
  meet(warp, false);
  return given;
}

std::uint32_t lane() { return running->number % 32; }

void run_grid(const Index& grid, std::uint32_t threads, std::uint32_t rows, std::uint32_t seed,
              const std::function<void()>& body, std::size_t shared_words) {
  for (std::uint32_t z = 0; z < grid.z; ++z)
    for (std::uint32_t y = 0; y < grid.y; ++y)
      for (std::uint32_t x = 0; x < grid.x; ++x) run({1, threads, shared_words, {x, y, z}, rows}, seed++, body);
}

void pause() { swapcontext(&running->context, &scheduler); }
bool toss(std::uint32_t one_in) { return generator() % one_in == 0; }

void start_copy(std::uint32_t to, const char* from, std::size_t bytes) {
  if ((reinterpret_cast<std::uintptr_t>(from) | to) % bytes != 0) throw std::runtime_error("a copy is not aligned");
  if (to + bytes > shared_bytes()) throw std::runtime_error("a copy goes beyond the shared memory");
  running->copies.push_back({to, from, bytes});
  if (toss(2)) wait_for_copies();
}

void wait_for_copies() {
  for (const Copy& c : running->copies) std::memcpy(reinterpret_cast<char*>(shared()) + c.to, c.from, c.bytes);
  running->copies.clear();
}

}  // namespace psflip::emulated
