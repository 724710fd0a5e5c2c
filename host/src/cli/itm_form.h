// --itm, for the verbs that read what a target sends.
#pragma once

#include <optional>

#include <barefxt/host/itm_stream.h>

#include "command_line.h"

namespace barefxt::cli {

void add_itm(const Verb& verb, std::optional<host::ItmForm>& form);

}  // namespace barefxt::cli
