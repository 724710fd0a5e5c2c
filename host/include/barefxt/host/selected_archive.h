// The part of an archive that a selection chooses, as an archive of its own: for conversions, whose
// readers know only what is in their file.
//
// It holds the chosen records, all definitions (the magic number, providers, strings, threads,
// objects), and of what came before --from the state then: the last switch of each CPU and thread
// (with those ahead of it where a thread came in elsewhere before it left), the last wakeup of each
// thread since, the begins of what was open, the last value of each counter. Records stay as they
// are, in their order.
#pragma once

#include <string>

#include <barefxt/host/selection.h>

namespace barefxt::host {

// Damage of the source, and places that cannot be read, are the damage of the result, too. The
// reader has then passed all of the source.
Result<Source> selected_archive(Source& source, Form form, RecordFilter& filter, Reader& reader);

}  // namespace barefxt::host
