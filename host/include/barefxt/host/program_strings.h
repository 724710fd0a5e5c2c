// The texts that a target leaves in its program's file (BAREFXT_STRINGS_IN_ELF): it records their
// indices and sends the file's build id alone.
//
// docs/reference/wire-format.md has the sections of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/elf_file.h>

namespace barefxt::host {

class ProgramStrings {
 public:
  // Nothing where the program has no such table. The file's bytes are not needed afterwards.
  static std::optional<ProgramStrings> read(const ElfFile& program);

  // Returns true if a target that sent this build id runs this program. It may have sent only the
  // beginning of a long id. An id that is missing on either side is none of the program's.
  bool are_of(std::string_view build_id) const {
    return !build_id.empty() && std::string_view(build_id_).starts_with(build_id);
  }
  // Strings have the indices from 1 to this.
  unsigned count() const { return static_cast<unsigned>(texts_.size()); }
  // Nothing for a text that is not in the file. Bytes may be anything.
  std::optional<std::string_view> text(unsigned index) const {
    if (index == 0 || index > texts_.size()) return {};
    return texts_[index - 1];
  }

 private:
  std::string build_id_;
  std::vector<std::optional<std::string>> texts_;
};

}  // namespace barefxt::host
