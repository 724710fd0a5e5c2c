// A drawing as a picture: what the page's timeline shows of all of it, without a browser.
#pragma once

#include <barefxt/host/archive_writer.h>

#include "drawing.h"
#include "findings.h"

namespace barefxt::report {

struct PictureOptions {
  unsigned width = 1200;  // pixels
  bool dark = false;
  unsigned lanes = 0;  // at most: counts those left out; 0: as many as a sheet of paper holds
  std::optional<Finding> finding = {};  // zooms there
};

// As PNG, of at most 32 Mi pixels and 32767 rows: lanes beyond that are counted as left out.
// Threads that do nothing but wait are left out.
host::Status write_picture(const Drawing& drawing, const PictureOptions& options,
                           host::ByteSink& sink);

}  // namespace barefxt::report
