#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "engine/cuda/cuda.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/shared_memory_link.hpp"
#include "engine/io/error.hpp"
#include "tests/unit/expect_sentence.hpp"

// Memory that ranks on one machine share, and messages through it.
namespace psflip::cuda {
namespace {

constexpr std::size_t words = 3000;  // no multiple of a page
constexpr std::size_t bytes = words * sizeof(std::uint32_t);

/// Needs no GPU: without one, pin() does nothing.
TEST(SharedMemory, another_mapping_has_the_same_words) {
  SharedMemory memory(bytes);
  memory.wait();
  MappedMemory mapped(memory.address(), bytes);
  ASSERT_TRUE(mapped.is_mapped());
  memory.pin();
  mapped.pin();
  for (std::uint32_t i = 0; i < words; ++i) memory.data()[i] = 7 * i + 1;
  for (std::uint32_t i = 0; i < words; ++i) ASSERT_EQ(mapped.data()[i], 7 * i + 1);
}

TEST(SharedMemory, another_process_maps_it_by_its_address) {
  SharedMemory memory(bytes);
  memory.wait();
  const MemoryAddress address = memory.address();
  const pid_t child = fork();
  if (child == 0) {
    const MappedMemory mapped(address, bytes);
    if (!mapped.is_mapped()) _exit(1);
    mapped.data()[words - 1] = 42;
    _exit(0);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memory.data()[words - 1], 42u);
}

/// In a container of its own the process of a rank may have the number of another process.
TEST(SharedMemory, another_file_at_the_same_address_is_not_mapped) {
  const SharedMemory memory(bytes), other(bytes);
  MemoryAddress address = memory.address();
  address.descriptor = other.address().descriptor;
  EXPECT_FALSE(MappedMemory(address, bytes).is_mapped());
  address = memory.address();
  ++address.device;
  EXPECT_FALSE(MappedMemory(address, bytes).is_mapped());
  address.descriptor = 1 << 20;
  EXPECT_FALSE(MappedMemory(address, bytes).is_mapped());
  address.descriptor = -1;
  EXPECT_FALSE(MappedMemory(address, bytes).is_mapped());
}

TEST(SharedMemory, a_mapping_outlives_it) {
  MappedMemory mapped;
  {
    SharedMemory memory(bytes);
    memory.wait();
    mapped = MappedMemory(memory.address(), bytes);
    memory.data()[5] = 9;
  }
  EXPECT_EQ(mapped.data()[5], 9u);
}

std::string message_of(SharedMemory& memory) {
  try {
    memory.wait();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

/// The limit of the system on files stands for a machine with too little memory.
TEST(SharedMemory, memory_that_the_system_refuses_is_named_in_one_sentence) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{bytes - 1, before.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  SharedMemory memory(bytes);
  const std::string message = message_of(memory);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  test::expect_sentence(message, "MiB of host memory");
}

/// A limit on descriptors stands for a system without memory files.
TEST(SharedMemory, without_memory_files_the_memory_is_of_one_process) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  SharedMemory memory(bytes);
  setrlimit(RLIMIT_NOFILE, &before);
  memory.wait();
  memory.data()[words - 1] = 3;
  EXPECT_EQ(memory.data()[words - 1], 3u);
  EXPECT_FALSE(MappedMemory(memory.address(), bytes).is_mapped());
}

/// The links of two ranks to each other: the first is the colder one, so its side is 1.
class SharedMemoryLinks : public testing::Test {
 protected:
  void SetUp() override {
    if (!available()) GTEST_SKIP() << "no GPU on this machine";
    for (auto& link : links_) link = std::make_unique<SharedMemoryLink>(words);
  }

  /// Sends different messages both ways, four times, and compares. `ranks`: what the ranks do between.
  template <class Ranks>
  void exchange_messages(Ranks ranks) {
    const CudaStream stream(false);
    for (std::uint32_t round = 0; round < 4; ++round) {
      for (std::uint32_t rank : {0, 1}) {
        upload(rank, 100 * round + rank);
        links_[rank]->send(round % 2, stream);
      }
      stream.wait();
      Halo halo[2] = {};
      for (const int rank : {0, 1}) links_[rank]->set_message_of_ranks(round % 2, halo[rank], 1 - rank);
      ranks(halo);
      for (const auto& link : links_) link->receive(round % 2, stream);
      stream.wait();
      for (std::uint32_t rank : {0, 1}) expect(rank, 100 * round + 1 - rank);
    }
  }

  std::unique_ptr<SharedMemoryLink> links_[2];

 private:
  static std::vector<std::uint32_t> message(std::uint32_t seed) {
    std::vector<std::uint32_t> all(words);
    for (std::uint32_t i = 0; i < words; ++i) all[i] = 3 * i + seed;
    return all;
  }
  void upload(std::uint32_t rank, std::uint32_t seed) {
    check(cudaMemcpy(links_[rank]->message(), message(seed).data(), bytes, cudaMemcpyHostToDevice), "test");
    check(cudaDeviceSynchronize(), "test");  // the copy may still run, and the stream of the test does not wait for it
  }
  void expect(std::uint32_t rank, std::uint32_t seed) {
    std::vector<std::uint32_t> found(words);
    check(cudaMemcpy(found.data(), links_[rank]->message(), bytes, cudaMemcpyDeviceToHost), "test");
    EXPECT_EQ(found, message(seed));
  }
};

TEST_F(SharedMemoryLinks, messages_arrive_with_a_notice_of_four_bytes) {
  for (const int rank : {0, 1}) ASSERT_TRUE(links_[rank]->open(links_[1 - rank]->offer()));
  exchange_messages([](const Halo(&halo)[2]) {
    EXPECT_EQ(halo[0].bytes[1], 4u);
    EXPECT_EQ(halo[1].bytes[0], 4u);
  });
}

TEST_F(SharedMemoryLinks, the_ranks_send_messages_if_one_of_them_cannot_map_a_buffer) {
  SharedMemoryLink::Offer offer = links_[1]->offer();
  ++offer.buffers[1].number;
  EXPECT_FALSE(links_[0]->open(offer));
  EXPECT_TRUE(links_[1]->open(links_[0]->offer()));
  for (const auto& link : links_) link->close();
  exchange_messages([](const Halo(&halo)[2]) {
    ASSERT_EQ(halo[0].bytes[1], bytes);
    ASSERT_EQ(halo[1].bytes[0], bytes);
    std::memcpy(halo[1].receive[0], halo[0].send[1], bytes);
    std::memcpy(halo[0].receive[1], halo[1].send[0], bytes);
  });
}

TEST_F(SharedMemoryLinks, another_machine_is_not_mapped) {
  SharedMemoryLink::Offer offer = links_[1]->offer();
  offer.machine.text[0] ^= 1;
  EXPECT_FALSE(links_[0]->open(offer));
}

}  // namespace
}  // namespace psflip::cuda
