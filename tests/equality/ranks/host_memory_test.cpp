#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "engine/cuda/multi_gpu/host_link.hpp"
#include "engine/io/error.hpp"
#include "tests/unit/expect_sentence.hpp"

// Memory that ranks on one machine share. Needs no GPU: without one, pin() does nothing.
namespace psflip::cuda {
namespace {

constexpr std::size_t words = 3000;  // no multiple of a page
constexpr std::size_t bytes = words * sizeof(std::uint32_t);

TEST(HostMemory, two_mappings_of_a_file_have_the_same_words) {
  MemoryFile file(bytes);
  file.wait();
  MappedFile one(file.address(), bytes), two(file.address(), bytes);
  ASSERT_TRUE(one.is_mapped() && two.is_mapped());
  one.pin();
  two.pin();
  for (std::uint32_t i = 0; i < words; ++i) one.data()[i] = 7 * i + 1;
  for (std::uint32_t i = 0; i < words; ++i) ASSERT_EQ(two.data()[i], 7 * i + 1);
}

TEST(HostMemory, another_process_maps_a_file_by_its_address) {
  MemoryFile file(bytes);
  file.wait();
  const FileAddress address = file.address();
  const pid_t child = fork();
  if (child == 0) {
    const MappedFile mapped(address, bytes);
    if (!mapped.is_mapped()) _exit(1);
    mapped.data()[words - 1] = 42;
    _exit(0);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(MappedFile(address, bytes).data()[words - 1], 42u);
}

/// In a container of its own the process of a rank may have the number of another process.
TEST(HostMemory, another_file_at_the_same_address_is_not_mapped) {
  const MemoryFile file(bytes), other(bytes);
  FileAddress address = file.address();
  address.descriptor = other.address().descriptor;
  EXPECT_FALSE(MappedFile(address, bytes).is_mapped());
  address.descriptor = 1 << 20;
  EXPECT_FALSE(MappedFile(address, bytes).is_mapped());
}

TEST(HostMemory, memory_outlives_the_file_while_it_is_mapped) {
  MappedFile mapped;
  {
    MemoryFile file(bytes);
    file.wait();
    mapped = MappedFile(file.address(), bytes);
    mapped.data()[5] = 9;
  }
  EXPECT_EQ(mapped.data()[5], 9u);
}

/// The limit of the system on files stands for a machine with too little memory.
TEST(HostMemory, a_file_that_is_too_large_is_refused_in_one_sentence) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{bytes - 1, before.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  MemoryFile file(bytes);
  std::string message;
  try {
    file.wait();
  } catch (const UserError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  test::expect_sentence(message, "MiB of host memory");
}

}  // namespace
}  // namespace psflip::cuda
