#pragma once
#include <stdexcept>

namespace psflip {

/// An error that the user can correct: the message is one sentence with the problem, its reason and the remedy.
/// Executables print it on stderr and exit with code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace psflip
