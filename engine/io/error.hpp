#pragma once
#include <stdexcept>

namespace psflip {

/// Something the user can mend: the message is one sentence that names what is wrong, why, and the remedy.
/// Executables print it on stderr and exit with code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace psflip
