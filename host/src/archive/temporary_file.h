// Temporary files without a name.
#pragma once

namespace barefxt::host {

// Opens one for reading and writing, in $TMPDIR, else /var/tmp, else /tmp, which is often memory.
// Returns -1 and sets errno if none of them can hold one.
int open_unnamed_temporary_file();

}  // namespace barefxt::host
