// Describes a start that a target refused, and gives a hint.
#pragma once

#include <cstdint>
#include <string>

namespace barefxt::host {

// Why a target's barefxt_start refused to record.
struct StartRefusal {
  uint8_t error = 0;  // barefxt_error; 0: none was refused
  std::string name;   // as the target calls it
};

// "barefxt_start returned BAREFXT_ERROR_...".
std::string describe(const StartRefusal& refusal);

// Returns what to do about a barefxt_error.
std::string hint_for(uint8_t error);

}  // namespace barefxt::host
