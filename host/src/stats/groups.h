// Time of threads added up by their name, or by their process.
#pragma once

#include <barefxt/host/stats.h>

namespace barefxt::host {

void group(Statistics& statistics, GroupBy by);

}  // namespace barefxt::host
