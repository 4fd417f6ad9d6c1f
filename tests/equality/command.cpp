#include "command.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace psflip::equality {
namespace {

/// In the child: never returns.
[[noreturn]] void become(const Arguments& command_line, int error_pipe, std::uint64_t file_size_limit) {
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  dup2(error_pipe, STDERR_FILENO);
  if (file_size_limit != 0) {
    // Without its signal the limit makes write() fail, as a full disk does.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {file_size_limit, file_size_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> argv;
  for (const std::string& argument : command_line) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

}  // namespace

std::vector<std::string> Outcome::error_lines() const {
  std::vector<std::string> lines;
  std::istringstream stream(error_text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Command::Command(const Arguments& arguments, std::uint64_t file_size_limit, const Arguments& launcher) {
  Arguments command_line = launcher;
  command_line.push_back(PSFLIP_EXECUTABLE);
  command_line.insert(command_line.end(), arguments.begin(), arguments.end());
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) become(command_line, ends[1], file_size_limit);
  close(ends[1]);
  error_pipe_ = ends[0];
}

Command::~Command() {
  if (!ended_) {
    send(SIGKILL);
    collect(0);
  }
  close(error_pipe_);
}

void Command::send(int signal) const { kill(pid_, signal); }

void Command::collect(int options) {
  if (ended_) return;
  rusage usage{};
  ended_ = wait4(pid_, &status_, options, &usage) == pid_;
  peak_bytes_ = 1024 * static_cast<std::uint64_t>(usage.ru_maxrss);
}

bool Command::has_ended() {
  collect(WNOHANG);
  return ended_;
}

Outcome Command::wait() {
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(error_pipe_, buffer.data(), buffer.size())) > 0;) {
    outcome.error_text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  collect(0);
  outcome.peak_bytes = peak_bytes_;
  if (WIFEXITED(status_)) outcome.exit_code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) outcome.signal = WTERMSIG(status_);
  return outcome;
}

std::string output_of(const Arguments& arguments) {
  std::string line = PSFLIP_EXECUTABLE, text;
  for (const std::string& argument : arguments) line += " " + argument;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(line.c_str(), "r"), pclose);
  for (int byte = 0; pipe && (byte = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(byte);
  return text;
}

Outcome run(const Arguments& arguments, std::uint64_t file_size_limit) {
  return Command(arguments, file_size_limit).wait();
}

}  // namespace psflip::equality
