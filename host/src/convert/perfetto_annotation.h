// An argument of an event, as Perfetto shows one.
#pragma once

#include <string>

#include <barefxt/host/record.h>

#include "proto_message.h"

namespace barefxt::host::perfetto {

// `name`: one that no other argument of the event has. A blob becomes base64 text.
ProtoMessage annotation(const Argument& argument, const std::string& name);

}  // namespace barefxt::host::perfetto
