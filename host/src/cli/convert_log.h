// `barefxt convert` with an XRay log for FILE.
#pragma once

#include <string>

#include <barefxt/host/instrumentation_map.h>
#include <barefxt/host/source.h>
#include <barefxt/host/words.h>
#include <barefxt/host/xray_record.h>

#include "command_line.h"

namespace barefxt::cli {

struct LogOptions {
  std::string program;  // an ELF file, empty where none is given
  unsigned fdr_version = host::XrayLayout::kNewest;

  void add_to(const Verb& verb);
};

// Reads the map from the image at a path.
host::Result<host::InstrumentationMap> map_of(const std::string& path);

// `order` is that of an archive that is written. Returns the exit status.
int convert_log(host::Source& source, const LogOptions& options, const std::string& format,
                const std::string& output, host::ByteOrder order);

}  // namespace barefxt::cli
