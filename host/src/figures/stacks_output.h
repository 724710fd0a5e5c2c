// The marks of stacks, as `stats --stacks` prints them.
#pragma once

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {

void print_stacks(Output& out, const Statistics& statistics, const TextLook& look);
void stacks_json(JsonObject& all, const Statistics& statistics);

}  // namespace barefxt::host
