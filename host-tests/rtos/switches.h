// What tests of kernels' hooks read from an archive: switches and wakeups, by names.
#pragma once

#include <string>
#include <vector>

#include "../runtime/session_fixture.h"

namespace barefxt::test {

class RtosTest : public SessionTest {
 protected:
  static constexpr int kSwitch = 8;
  static constexpr int kKernelObject = 7;
  static constexpr unsigned kWakeup = 2;
  static constexpr unsigned kComplete = 4;

  static std::string name_of(const PlainArchive& archive, uint64_t koid) {
    std::string name = "?";
    for (const PlainRecord& record : archive.of_type(kKernelObject))
      if (record.value == koid) name = record.name;
    return name;
  }
  // "name (state) -> name", states as numbers of the format.
  static std::vector<std::string> switches(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      if (record.subtype != kWakeup)
        found.push_back(name_of(archive, record.thread) + " (" +
                        std::to_string(record.numbers.at(0)) + ") -> " +
                        name_of(archive, record.other_thread));
    return found;
  }
  static std::vector<std::string> wakeups(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      if (record.subtype == kWakeup) found.push_back(name_of(archive, record.thread));
    return found;
  }
};

}  // namespace barefxt::test
