#include "engine/io/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "engine/io/error.hpp"

namespace psflip::io {
namespace {

constexpr int out_of_memory = 3;

std::array<int, 2> connection() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError(
        fmt::format("Cannot read files: {}; raise the limit of open files (ulimit -n).", std::strerror(errno)));
  return ends;
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

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, most);
  now.rlim_max = now.rlim_cur;
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// HDF5 keeps the file twice while it opens it. A file is read at a small part of the speed of any machine or better.
void limit_resources(std::size_t input_bytes) {
  constexpr rlim_t for_values = rlim_t{1} << 30, slowest_bytes_per_second = 4 << 20, for_start = 1;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, for_start + input_bytes / slowest_bytes_per_second);
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

void Channel::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Channel::send(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::send(descriptor_, from, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Disconnected();
    from += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

void Channel::receive(void* data, std::size_t bytes) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t received = ::recv(descriptor_, to, bytes, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) throw Disconnected();
    to += received;
    bytes -= static_cast<std::size_t>(received);
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
    : channel_(ends[0]) {
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
  channel_.close();
  if (id_ > 0) wait();
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = -1;
  return status;
}

std::string ChildProcess::death() {
  channel_.close();
  const int status = id_ > 0 ? wait() : 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory) return "needed more memory than such a file can need";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "did not end in time";
  if (WIFSIGNALED(status)) return fmt::format("crashed (signal {})", WTERMSIG(status));
  return "failed";
}

}  // namespace psflip::io
