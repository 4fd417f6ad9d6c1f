#include "engine/io/child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

namespace psflip::io {
namespace {

/// How a child that does `work` ends for a parent that waits for a number from it.
std::string death_of(const std::function<void(Channel&)>& work) {
  ChildProcess child(100, work);
  EXPECT_THROW(child.channel().receive<int>(), Disconnected);
  return child.death();
}

TEST(ChildProcesses, SayHowTheyEnd) {
  EXPECT_EQ(death_of([](Channel&) {}), "failed");
  EXPECT_EQ(death_of([](Channel&) { throw std::runtime_error("bad"); }), "failed");
  EXPECT_EQ(death_of([](Channel&) { std::raise(SIGSEGV); }), "crashed (signal 11)");
  EXPECT_EQ(death_of([](Channel&) { std::vector<char>(std::size_t{1} << 40); }),
            "needed more memory than such a file can need");
}

TEST(ChildProcesses, FailIfTheirEndCannotBeAskedFor) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(death_of([](Channel&) {}), "failed");
  std::signal(SIGCHLD, before);
}

TEST(ChildProcesses, LeaveNoOpenFile) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_files();
  {
    ChildProcess child(100, [](Channel&) {});
  }
  EXPECT_EQ(open_files(), before);
}

TEST(ChildProcesses, EndIfTheyTakeProcessorTimeWithoutEnd) {
  const auto endless = [](Channel&) {
    for (volatile unsigned turns = 0;; turns = turns + 1) continue;
  };
  EXPECT_EQ(death_of(endless), "did not end in time");
}

TEST(ChildProcesses, AreKilledIfTheySleepWhileTheyAreWaitedFor) {
  EXPECT_EQ(death_of([](Channel&) { ::pause(); }), "did not end in time");
}

TEST(ChildProcesses, AreKilledIfTheySleepWhenNothingIsWantedOfThem) {
  const auto sleep_on = [](Channel& to) {
    to.send(7);
    to.flush();
    ::pause();
  };
  pid_t id = 0;
  {
    ChildProcess child(100, [&](Channel& to) {
      to.send(::getpid());
      sleep_on(to);
    });
    id = child.channel().receive<pid_t>();
    EXPECT_EQ(child.channel().receive<int>(), 7);
  }
  EXPECT_EQ(::kill(id, 0), -1);
}

/// As on a machine without a free processor, or behind Ctrl-Z.
TEST(ChildProcesses, AreWaitedForIfTheyAreKeptFromWorking) {
  ChildProcess child(100, [](Channel& to) {
    to.send(::getpid());
    to.flush();
    std::raise(SIGSTOP);
    to.send(7);
  });
  const auto id = child.channel().receive<pid_t>();
  std::thread later([id] {
    ::sleep(8);
    ::kill(id, SIGCONT);
  });
  EXPECT_EQ(child.channel().receive<int>(), 7);
  later.join();
}

TEST(ChildProcesses, AreWaitedForIfTheyWorkALittle) {
  ChildProcess child(100, [](Channel& to) {
    for (int i = 0; i < 80; ++i) ::usleep(100'000);
    to.send(7);
  });
  EXPECT_EQ(child.channel().receive<int>(), 7);
}

TEST(ChildProcesses, ReceiveAndSendMessagesOfAllLengths) {
  const std::vector<std::size_t> lengths = {0, 1, 7, 65'535, 65'536, 65'537, 3, 1'000'000, 8};
  ChildProcess child(100, [&](Channel& both) {
    for (const std::size_t length : lengths) both.send(std::string(length, static_cast<char>('a' + length % 26)));
    for (std::size_t i = 0; i < 3; ++i) both.send(both.receive_text() + "!");
  });
  for (const std::size_t length : lengths)
    EXPECT_EQ(child.channel().receive_text(), std::string(length, static_cast<char>('a' + length % 26)));
  for (const std::size_t length : {5, 100'000, 0}) {
    child.channel().send(std::string(length, 'x'));
    EXPECT_EQ(child.channel().receive_text(), std::string(length, 'x') + "!");
  }
}

}  // namespace
}  // namespace psflip::io
