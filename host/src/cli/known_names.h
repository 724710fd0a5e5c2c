// Names that a capture does not hold, for the verbs that make an archive of one: --interrupts, and
// --elf where no memory is read.
#pragma once

#include <string>

#include <barefxt/host/rebuild.h>

#include "command_line.h"

namespace barefxt::cli {

// Adds --interrupts, a list of numbers and names.
void add_interrupts(const Verb& verb, std::string& file);

// Each reads the file, unless its name is empty. Names of the list go before those of a program, so
// the list is to be read first.
host::Status name_interrupts(host::Rebuild& rebuild, const std::string& file);
host::Status name_by_program(host::Rebuild& rebuild, const std::string& file);

}  // namespace barefxt::cli
