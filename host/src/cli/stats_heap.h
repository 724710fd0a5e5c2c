// Heaps: --heap and --leaks of `barefxt stats`, and the table of `barefxt report`.
#pragma once

#include <string>
#include <vector>

#include "archive_input.h"
#include "selection_options.h"

namespace barefxt::cli {

struct HeapViewOptions {
  bool heap = false;
  std::vector<std::string> leaks;  // FROM and TO, or nothing

  void add_to(const Verb& verb);
  bool is_wanted() const { return heap || !leaks.empty(); }
};

int show_heap(const HeapViewOptions& view, const ArchiveOptions& options,
              const SelectionOptions& selected, bool json, bool allow_unknown);
// As `stats --heap --json` prints them. Empty if not all of them are chosen. Reports what is
// missing, and raises `status` then.
host::Result<std::string> heaps_as_json(const ArchiveOptions& options, Archive& archive,
                                        const host::Selection& chosen, int& status);

}  // namespace barefxt::cli
