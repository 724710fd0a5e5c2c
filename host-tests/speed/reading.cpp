// Readers: of each record's all, of its header alone, and the printer.
#include <memory>

#include <barefxt/host/print.h>

#include "measured.h"
#include "walk.h"

namespace barefxt::test {
namespace {

// The least that any reader does: from header to header.
uint64_t hop(host::Bytes bytes) {
  uint64_t records = 0;
  for (size_t at = 0; at < bytes.size(); ++records) {
    const host::Word header = host::load_word(bytes.data() + at, false);
    const bool large = fxt::RecordHeader::type(header) == fxt::RecordType::kLarge;
    at += fxt::kWordBytes * (large ? fxt::LargeRecordHeader::SizeWords::in(header)
                                   : fxt::RecordHeader::SizeWords::in(header));
  }
  return records;
}

class NoOutput : public host::Output {
 protected:
  bool drain(std::string_view) override { return true; }
};

void print(host::Bytes bytes) {
  host::Reader reader(bytes, {});
  NoOutput out;
  while (const host::Record* record = reader.next()) host::print_json(out, *record, false);
}

// Keeps the compiler from leaving out reads whose values are unused.
volatile uint64_t seen = 0;

Measured reading(const char* name, Mix mix, double limit, void (*read)(host::Bytes)) {
  return {name, "record", limit, [=](Amount amount) {
            const Sample one = sample(mix, size_t{1} << (amount == Amount::kToCount ? 17 : 24));
            const auto archive = std::make_shared<std::string>(one.archive(1));
            return Work{[=] { read(bytes_of(*archive)); }, static_cast<double>(one.sums(1).records),
                        static_cast<double>(archive->size())};
          }};
}

}  // namespace

std::vector<Measured> measured_reading() {
  const auto walking = [](host::Bytes bytes) { seen = walk<false>(bytes).values; };
  return {
      reading("walking_as_the_demo", Mix::kDemo, 170, walking),
      reading("walking_shuffled", Mix::kShuffled, 168, walking),
      reading("walking_inline", Mix::kInline, 223, walking),
      reading("hopping", Mix::kDemo, 16.5, [](host::Bytes bytes) { seen = hop(bytes); }),
      reading("printing_json", Mix::kDemo, 1990, print),
  };
}

}  // namespace barefxt::test
