#pragma once
#include <string>

namespace psflip::laboratory::device {

/// Name of the first GPU; empty if there is none.
std::string gpu_name();

}  // namespace psflip::laboratory::device
