// A drawing as a page that needs nothing but itself: statistics, levels of detail, and all items in
// blocks that the page unpacks when they come into view.
#pragma once

#include <barefxt/host/archive_writer.h>

#include "drawing.h"

namespace barefxt::report {

host::Status write_page(const Drawing& drawing, host::ByteSink& sink);

}  // namespace barefxt::report
