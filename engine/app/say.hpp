#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace psflip::app {

/// Prints to stderr and ignores write errors. A full log disk must not end a job.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace psflip::app
