// A part of a sound archive, as the input chooses both: what the library keeps is what the
// definition keeps (selection/plain_selection.h).
#include <barefxt/host/selection.h>

#include "fuzzing.h"
#include "print/printing.h"
#include "random_archive.h"
#include "selection/plain_selection.h"

namespace barefxt::test::fuzz_selection {
namespace {

std::string pattern_of(FuzzInput& input) {
  static const char* const kPatterns[] = {"*", "a*", "*a*", "", "1", "*1", "7", "cpu-0"};
  return kPatterns[input.byte() % std::size(kPatterns)];
}

PlainSelection selection_of(FuzzInput& input) {
  PlainSelection selection;
  const uint64_t flags = input.byte();
  if ((flags & 1) != 0) selection.from = input.number(2);
  if ((flags & 2) != 0) selection.to = selection.from.value_or(0) + input.number(3);
  if ((flags & 4) != 0) selection.threads.push_back(pattern_of(input));
  if ((flags & 8) != 0) selection.cpus.push_back(static_cast<unsigned>(input.byte() % 4));
  if ((flags & 16) != 0) selection.categories.push_back(pattern_of(input));
  if ((flags & 32) != 0) selection.names.push_back(pattern_of(input));
  return selection;
}

host::Selection same_as(const PlainSelection& plain) {
  host::Selection selection;
  if (plain.from) selection.from = {true, static_cast<double>(*plain.from)};
  if (plain.to) selection.to = {true, static_cast<double>(*plain.to)};
  selection.threads = plain.threads;
  selection.cpus = plain.cpus;
  selection.categories = plain.categories;
  selection.names = plain.names;
  return selection;
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const PlainSelection plain = selection_of(input);
  std::vector<Numbers> records;
  while (!input.empty() && records.size() < 64) {
    Numbers& numbers = records.emplace_back();
    for (uint64_t left = input.byte(); left > 0 && !input.empty(); --left)
      numbers.push_back(input.number(static_cast<unsigned>(input.byte() % 9)));
  }
  const std::string archive = random_archive(records, {false, false}).bytes({false, false});
  const host::Form form{};
  host::Source source = host::Source::of(as_bytes(archive), "input");
  auto filter = host::RecordFilter::make(same_as(plain), source, form);
  if (!filter.ok()) return;
  host::Reader reader(as_bytes(archive), form);
  host::StringOutput kept;
  host::StringOutput all;
  while (const host::Record* record = reader.next()) {
    host::print_json(all, *record, true);
    if (filter.value().keeps(*record, reader.provider())) host::print_json(kept, *record, true);
  }
  const std::string lines = all.take();
  const PlainArchiveLines definition(lines);
  std::string wanted;
  size_t number = 0;
  for (size_t at = 0; at < lines.size(); ++number) {
    const size_t end = lines.find('\n', at) + 1;
    if (definition.keeps(number, plain)) wanted += lines.substr(at, end - at);
    at = end;
  }
  if (wanted != kept.take()) die_of("other records than the definition keeps:" + plain.options());
}

const Fuzzer fuzzer("selection", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_selection
