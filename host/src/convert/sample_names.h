// The samples of an archive that is converted, with the names of their functions where --elf names
// the program that ran.
#pragma once

#include <optional>
#include <string_view>

#include <barefxt/host/convert.h>
#include <barefxt/host/elf_file.h>
#include <barefxt/host/profile.h>

namespace barefxt::host {

class SampleNames {
 public:
  // `program` may be null.
  explicit SampleNames(const ElfFile* program) : program_(program) {}

  // Every record, in order. Returns the node of a sample.
  std::optional<uint32_t> see(const Record& record) { return profile_.see(record, true); }
  const Profile& profile() const { return profile_; }

  // Once all samples are seen. Counts those that the program is not for.
  ProfileSymbols symbols(ChangeCounts& changes) const {
    const Bytes id = program_ != nullptr ? program_->build_id() : Bytes();
    std::string_view other;
    const bool is_other =
        profile_.check_build({reinterpret_cast<const char*>(id.data()), id.size()}, other) ==
        Profile::BuildCheck::kOther;
    if (program_ != nullptr && is_other) changes.add(Change::kOtherBuild, profile_.samples());
    return {is_other ? nullptr : program_, profile_};
  }

 private:
  const ElfFile* program_;
  Profile profile_{Selection()};
};

}  // namespace barefxt::host
