#include "engine/io/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "engine/io/error.hpp"

namespace psflip::io {
namespace {

constexpr int out_of_memory = 3;
constexpr std::size_t message_bytes = std::size_t{1} << 16;

std::array<int, 2> connection() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError(
        fmt::format("Cannot read files: {}; raise the limit of open files (ulimit -n).", std::strerror(errno)));
  const timeval second{1, 0};  // of waiting for the child, after which this process looks whether it lives
  ::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  return ends;
}

/// Processor time of a process in ns; -1 if it is unknown.
std::int64_t processor_time(pid_t id) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(id, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return -1;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Whether a process waits for an event, and not for a processor, a disk or the end of a stop (proc(5)).
bool is_asleep(pid_t id) {
  char state = 0;
  if (std::FILE* file = std::fopen(fmt::format("/proc/{}/stat", id).c_str(), "r")) {
    if (std::fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 0;
    std::fclose(file);
  }
  return state == 'S';
}

/// Bytes of address space that this process has now.
rlim_t address_space() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

/// `grace`: by how much the hard limit is higher, which is the lower one if the system has one.
void limit(int resource, rlim_t most, rlim_t grace = 0) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, most);
  now.rlim_max = std::min(now.rlim_max, most + grace);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// HDF5 keeps the file twice while it opens it. A file is read at a small part of the speed of any machine or better.
void limit_resources(std::size_t input_bytes) {
  constexpr rlim_t for_values = rlim_t{1} << 30, slowest_bytes_per_second = 4 << 20, for_start = 1;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, for_start + input_bytes / slowest_bytes_per_second, 1);  // SIGXCPU, and SIGKILL a second later
  if (const rlim_t now = address_space(); now > 0) limit(RLIMIT_AS, now + 3 * input_bytes + for_values);
}

/// A library that detects damage of its memory prints and aborts; the message of the parent is the only one.
void be_silent() {
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
}

[[noreturn]] void run_child(int descriptor, std::size_t input_bytes, const std::function<void(Channel&)>& work) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
  be_silent();
  limit_resources(input_bytes);
  int code = 0;
  try {
    Channel channel(descriptor);
    work(channel);
    channel.flush();
  } catch (const Disconnected&) {
    code = 1;
  } catch (const std::bad_alloc&) {
    code = out_of_memory;
  } catch (...) {
    code = 1;
  }
  ::_exit(code);  // what the parent has registered for its end is the parent's
}

}  // namespace

Channel::Channel(int descriptor, std::function<void()> each_second)
    : descriptor_(descriptor), each_second_(std::move(each_second)) {}

void Channel::finish() {
  if (descriptor_ < 0) return;
  std::vector<std::byte> lost(message_bytes);
  ::shutdown(descriptor_, SHUT_WR);
  try {
    while (true) receive_some(lost.data(), lost.size());
  } catch (const Disconnected&) {
    close();
  }
}

void Channel::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Channel::send(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  unsent_.insert(unsent_.end(), from, from + bytes);
  if (unsent_.size() >= message_bytes) flush();
}

void Channel::flush() {
  for (std::size_t done = 0; done < unsent_.size();) {
    const ssize_t sent = ::send(descriptor_, unsent_.data() + done, unsent_.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Disconnected();
    done += static_cast<std::size_t>(sent);
  }
  unsent_.clear();
}

std::size_t Channel::receive_some(void* data, std::size_t most) {
  while (true) {
    const ssize_t received = ::recv(descriptor_, data, most, 0);
    if (received > 0) return static_cast<std::size_t>(received);
    if (received < 0 && errno == EAGAIN && each_second_)
      each_second_();
    else if (received == 0 || errno != EINTR)
      throw Disconnected();
  }
}

void Channel::receive(void* data, std::size_t bytes) {
  flush();
  auto* to = static_cast<std::byte*>(data);
  while (bytes > 0) {
    const std::size_t ready = std::min(bytes, received_.size() - taken_);
    std::copy_n(received_.data() + taken_, ready, to);
    taken_ += ready, to += ready, bytes -= ready;
    if (bytes >= message_bytes) {
      const std::size_t received = receive_some(to, bytes);
      to += received, bytes -= received;
    } else if (bytes > 0) {
      received_.resize(message_bytes);
      taken_ = 0;
      received_.resize(receive_some(received_.data(), message_bytes));
    }
  }
}

void Channel::send(const std::string& text) {
  send(std::uint64_t{text.size()});
  send(text.data(), text.size());
}

std::string Channel::receive_text(std::size_t longest) {
  const auto size = receive<std::uint64_t>();
  if (size > longest) throw Disconnected();
  std::string text(size, '\0');
  receive(text.data(), size);
  return text;
}

ChildProcess::ChildProcess(std::size_t input_bytes, const std::function<void(Channel&)>& work)
    : ChildProcess(connection(), input_bytes, work) {}

ChildProcess::ChildProcess(const std::array<int, 2>& ends, std::size_t input_bytes,
                           const std::function<void(Channel&)>& work)
    : channel_(ends[0], [this] { look(); }) {
  id_ = ::fork();
  if (id_ == 0) {
    ::close(ends[0]);
    run_child(ends[1], input_bytes, work);
  }
  ::close(ends[1]);
  if (id_ < 0)
    throw UserError(
        fmt::format("Cannot read files: no process can be started ({}); free some memory, or raise the "
                    "limit of processes (ulimit -u).",
                    std::strerror(errno)));
}

ChildProcess::~ChildProcess() {
  if (id_ > 0) wait();
}

void ChildProcess::look() {
  constexpr int longest_sleep = 4;  // the first second only shows the processor time
  const std::int64_t time = processor_time(id_);
  seconds_asleep_ = time == processor_time_ && is_asleep(id_) ? seconds_asleep_ + 1 : 0;
  processor_time_ = time;
  if (seconds_asleep_ < longest_sleep) return;
  ::kill(id_, SIGKILL);
  was_killed_ = true;
  throw Disconnected();
}

int ChildProcess::wait() {
  channel_.finish();
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = -1;
  return status;
}

std::string ChildProcess::death() {
  const int status = id_ > 0 ? wait() : 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory) return "needed more memory than such a file can need";
  if (was_killed_ || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return "did not end in time";
  if (WIFSIGNALED(status)) return fmt::format("crashed (signal {})", WTERMSIG(status));
  return "failed";
}

}  // namespace psflip::io
