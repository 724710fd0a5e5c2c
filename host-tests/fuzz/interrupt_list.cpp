// A list of interrupts' names: it is refused with its file and a line of it, or what it names reads
// the same when it is written out again.
#include <algorithm>
#include <string_view>

#include <barefxt/host/interrupt_names.h>

#include "fuzzing.h"

namespace barefxt::test::fuzz_interrupt_list {
namespace {

void try_input(const uint8_t* data, size_t size) {
  using host::InterruptNames;
  const std::string_view list(reinterpret_cast<const char*>(data), size);
  const auto names = InterruptNames::parse(list, "list");
  if (!names.ok()) {
    const auto lines = 1 + std::count(list.begin(), list.end(), '\n');
    const std::string where = names.error().text();
    if (!where.starts_with("list:")) die_of("refused without a place: " + where);
    const long line = std::strtol(where.c_str() + 5, nullptr, 10);
    if (line < 1 || line > lines) die_of("refused for a line that is not there: " + where);
    return;
  }
  // Numbers that short inputs hold, and the ends.
  std::string again;
  const auto add = [&](uint32_t number) {
    const std::string_view name = names.value().name(number);
    if (name.size() > InterruptNames::kMaxNameBytes) die_of("a name that is too long");
    if (!name.empty()) again += std::to_string(number) + " " + std::string(name) + "\n";
  };
  for (uint32_t number = 0; number < 1000; ++number) add(number);
  add(~uint32_t{0});
  const auto second = InterruptNames::parse(again, "again");
  if (!second.ok()) die_of("what it named is refused: " + second.error().text());
  for (uint32_t number = 0; number < 1000; ++number)
    if (second.value().name(number) != names.value().name(number)) die_of("another name");
}

const Fuzzer fuzzer("interrupt_list", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_interrupt_list
