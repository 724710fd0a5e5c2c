// Samples of an archive and the functions that they hit: for `barefxt profile`, and for the flame
// graph of `barefxt report`.
#pragma once

#include <string>

#include <barefxt/host/profile.h>

#include "archive_input.h"

namespace barefxt::cli {

// Those that are chosen. The reader is at the archive's beginning, and is at its end afterwards.
host::Result<host::Profile> read_samples(Archive& archive, const host::Selection& chosen,
                                         host::Reader& reader);
// The program may be null, and must outlive what is returned. Reports why functions have no names,
// and raises `status` if the program is another one.
host::ProfileSymbols symbols_of(const host::Profile& profile, const Program* program,
                                const std::string& name, int& status);
// As `profile --to speedscope` writes them. Reports what is missing, and raises `status` then.
host::Result<std::string> samples_as_speedscope(const ArchiveOptions& options, Archive& archive,
                                                const host::Selection& chosen, int& status);

}  // namespace barefxt::cli
