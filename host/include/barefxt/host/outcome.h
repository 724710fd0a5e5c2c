// The result of an operation without a value: nothing, or an Error.
#pragma once

#include <optional>
#include <string>

#include <barefxt/host/result.h>

namespace barefxt::host {

using Outcome = std::optional<Error>;

// An Error that an errno value explains: "cannot write: No space left on device".
Error system_error(const std::string& what, int error_number, std::string where,
                   std::string hint = {});

}  // namespace barefxt::host
