// The part of `barefxt stats` about heaps: --heap and --leaks.
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

}  // namespace barefxt::cli
