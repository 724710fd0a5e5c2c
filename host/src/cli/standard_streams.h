// Standard input, output and error as the process inherits them.
#pragma once

namespace barefxt::cli {

// Opens /dev/null as each of descriptors 0 to 2 that is closed, so that no file opened later
// becomes a standard stream. Input is opened for writing and outputs for reading: using them stays
// an error.
// @context once, before any other file is opened
void open_missing_streams();

}  // namespace barefxt::cli
