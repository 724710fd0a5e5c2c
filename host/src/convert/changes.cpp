// Changes in words.
#include <string_view>

#include <barefxt/host/convert.h>
#include <barefxt/host/formatted.h>

namespace barefxt::host {
namespace {

struct ChangeText {
  std::string_view one;   // "record"
  std::string_view many;  // "records"
  std::string_view what;
};

constexpr std::array<ChangeText, kChanges> kTexts = {{
    {"record", "records", "of an unknown type left out"},
    {"event", "events", "of an unknown type left out"},
    {"argument", "arguments", "of an unknown type left out"},
    {"record or argument", "records or arguments",
     "longer than its known content: the rest left out"},
    {"event", "events", "ending before it begins left out"},
    {"reference", "references", "to a string that was never registered, called string#N now"},
    {"reference", "references", "to a thread that was never registered, called thread#N now"},
    {"text", "texts", "with bytes that are not UTF-8, replaced now"},
    {"text", "texts", "cut at 32000 bytes"},
    {"event", "events", "left out: the format has no place for them, see its documentation"},
    {"argument", "arguments", "of a large record left out: no smaller record can hold it"},
    {"provider", "providers", "too many to remember: its tables were started again"},
    {"chunk", "chunks", "of blobs left out: too many names"},
    {"value", "values", "of counters left out: no finite number"},
    {"sample", "samples",
     "recorded by another build than --elf names: without the names of functions"},
    {"instant", "instants", "with a scope, which no specification has: the scope is removed"},
    {"clock", "clocks", "of 0 ticks a second: 1 tick is taken for 1 ns"},
    {"large record", "large records",
     "of 4096 words or more, whose payload is in blobs of its name now"},
    {"section", "sections", "of a provider that was never declared, called provider#N now"},
    {"record", "records", "with reserved bits or padding set, zero now"},
    {"record", "records", "left out: this format has no place for them"},
}};

}  // namespace

bool ChangeCounts::lost() const {
  for (size_t i = 0; i < static_cast<size_t>(Change::kScope); ++i)
    if (counts_[i] != 0) return true;
  return false;
}

void ChangeCounts::say(const std::function<void(const std::string&)>& say) const {
  for (size_t i = 0; i < kChanges; ++i) {
    if (counts_[i] == 0) continue;
    say(formatted("{} {}", counted(counts_[i], kTexts[i].one, kTexts[i].many), kTexts[i].what));
  }
}

}  // namespace barefxt::host
