#include "engine/driver/memory/available_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/unit/temporary_folder.hpp"

namespace psflip {
namespace {

class AvailableMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  double available() const { return available_memory(folder_ / ""); }

  test::TemporaryFolder folder_;
};

const char* const meminfo =
    "MemTotal:       24000 kB\nMemFree:          100 kB\nMemAvailable:    9000 kB\nBuffers: 0 kB\n";

TEST_F(AvailableMemory, is_infinite_where_the_system_tells_nothing) { EXPECT_TRUE(std::isinf(available())); }

TEST_F(AvailableMemory, is_that_of_the_kernel_without_a_limit) {
  write("proc/meminfo", meminfo);
  EXPECT_EQ(available(), 9000 * 1024);
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.max", "max\n");
  write("sys/fs/cgroup/job/memory.current", "5000\n");
  EXPECT_EQ(available(), 9000 * 1024);
}

TEST_F(AvailableMemory, is_what_the_tightest_of_nested_control_groups_leaves) {
  write("proc/meminfo", meminfo);
  write("proc/self/cgroup", "0::/jobs/17\n");
  write("sys/fs/cgroup/jobs/17/memory.max", "max\n");
  write("sys/fs/cgroup/jobs/17/memory.current", "200000\n");
  write("sys/fs/cgroup/jobs/memory.max", "1000000\n");
  write("sys/fs/cgroup/jobs/memory.current", "300000\n");
  EXPECT_EQ(available(), 700000);
  write("sys/fs/cgroup/jobs/memory.stat", "anon 250000\nfile 50000\ninactive_file 40000\nactive_file 10000\n");
  EXPECT_EQ(available(), 740000) << "files that were not used lately leave memory when it is needed";
}

TEST_F(AvailableMemory, respects_control_groups_of_version_1) {
  write("proc/meminfo", meminfo);
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs/17\n0::/\n");
  write("sys/fs/cgroup/memory/jobs/17/memory.limit_in_bytes", "600000\n");
  write("sys/fs/cgroup/memory/jobs/17/memory.usage_in_bytes", "100000\n");
  write("sys/fs/cgroup/memory/jobs/17/memory.stat", "cache 5000\ntotal_inactive_file 3000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n");
  EXPECT_EQ(available(), 503000);
}

TEST_F(AvailableMemory, is_that_of_the_root_where_a_container_hides_the_path_of_its_group) {
  write("proc/self/cgroup", "0::/host/path\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(available(), 0) << "more is used than the limit allows";
}

TEST_F(AvailableMemory, of_this_machine_is_positive) { EXPECT_GT(available_memory(), 0); }

}  // namespace
}  // namespace psflip
