// Properties of every archive: the library reads it as the plain decoder does, field by field.
// Every byte is accounted for, however the archive is damaged.
//
// A failure is shrunk and printed with its configuration; RC_PARAMS repeats it
// (docs/contributing/testing.md).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cli/every_verb.h"
#include "comparison.h"
#include "conversion.h"
#include "goldens/goldens.h"
#include "print/printing.h"
#include "random_archive.h"

namespace barefxt::test::reader_property_test {
namespace {

const std::vector<PlainForm> kForms = {{false, false}, {true, false}, {false, true}, {true, true}};

TEST(PlainDecoder, ReadsEveryGoldenAsTheLibraryDoes) {
  for (const Golden& one : goldens()) {
    for (const bool big : {false, true}) {
      const std::string archive = big ? big_endian(one.pieces) : little_endian(one.pieces);
      EXPECT_EQ(difference(archive, {big, one.old}), "") << one.name;
    }
  }
}

// The plain decoder's JSON equals the JSON that the goldens spell out.
TEST(PlainDecoder, ReadsEveryGoldenAsItIsWrittenThere) {
  for (const Golden& one : goldens()) {
    std::istringstream lines{std::string(one.json)};
    std::string line;
    const std::string archive = little_endian(one.pieces);
    for (const PlainRecord& record : decode_plainly(to_bytes(archive), {false, one.old}).records) {
      ASSERT_TRUE(std::getline(lines, line)) << one.name;
      nlohmann::json read = plain_json(record);
      if (read["record"] != "unknown") read.erase("raw");
      EXPECT_TRUE(same(read, nlohmann::json::parse(line))) << line << "\n" << read;
    }
    EXPECT_FALSE(std::getline(lines, line)) << line;
  }
}

RC_GTEST_PROP(EveryArchive, ReadsAsThePlainDecoderReadsIt, (const std::vector<Numbers>& records)) {
  const PlainForm form = *rc::gen::elementOf(kForms);
  const std::string archive = random_archive(records, form).bytes(form);
  const std::string found = difference(archive, form);
  if (!found.empty()) RC_LOG() << found << "\n";
  RC_ASSERT(found.empty());
}

RC_GTEST_PROP(EveryArchive, GoesThroughEveryVerb, (const std::vector<Numbers>& records)) {
  const PlainForm form = *rc::gen::elementOf(kForms);
  const std::string archive = random_archive(records, form).bytes(form);
  RC_ASSERT(use_everything(as_bytes(archive)) == "");
}

RC_GTEST_PROP(EveryArchive, IsConvertedToOneThatIsSound, (const std::vector<Numbers>& records)) {
  const PlainForm form = *rc::gen::elementOf(kForms);
  const std::string broken =
      broken_promise(random_archive(records, form).bytes(form), overrides_of(form));
  if (!broken.empty()) RC_LOG() << broken << "\n";
  RC_ASSERT(broken.empty());
}

RC_GTEST_PROP(EveryArchive, WithAMagicNumberIsKnownForWhatItIs,
              (const std::vector<Numbers>& records, bool big)) {
  const PlainForm form{big, false};
  const std::string archive = random_archive(records, form).bytes(form);
  const host::FormGuess guess = host::guess_form(as_bytes(archive));
  RC_ASSERT((guess.form.byte_order == host::ByteOrder::kBig) == big);
  RC_ASSERT(guess.form.dialect == host::Dialect::kToday);
  RC_ASSERT(guess.notes.empty());
}

// Returns true for content that the 2017 dialect lacks.
bool is_newer(const PlainRecord& record) {
  for (const PlainArgument& argument : record.arguments) {
    if (argument.type >= 9) return true;
  }
  switch (record.type) {
    case 0:
      return record.subtype >= 3;
    case 4:
      return record.subtype == 10;
    case 5:
      return record.subtype == 3;
    case 8:
      return !record.unknown &&
             (record.subtype != 0 || record.numbers[1] != 0 || record.numbers[2] != 0);
    case 10:
      return !record.unknown;
    default:
      return record.type == 15;
  }
}

RC_GTEST_PROP(EveryArchive, WithoutAMagicNumberIsOf2017UntilSomethingIsNewer,
              (const std::vector<Numbers>& records, bool big)) {
  // Written in today's dialect behind the 2017 archive's first record.
  const PlainForm form{big, false};
  RandomArchive archive = random_archive(records, form);
  archive.pieces[0] = W(uint64_t{1} << 0 | uint64_t{2} << 4);
  archive.pieces.insert(archive.pieces.begin() + 1, W(1000));
  const std::string bytes = archive.bytes(form);
  bool newer = false;
  for (const PlainRecord& record : decode_plainly(to_bytes(bytes), form).records) {
    newer = newer || is_newer(record);
  }
  host::FormOverrides overrides;
  overrides.byte_order = overrides_of(form).byte_order;
  RC_ASSERT((host::guess_form(as_bytes(bytes), overrides).form.dialect == host::Dialect::kToday) ==
            newer);
}

RC_GTEST_PROP(EveryArchive, HoweverDamagedIsReadWithoutAGapOrAnOverlap,
              (const std::vector<Numbers>& records)) {
  const PlainForm form = *rc::gen::elementOf(kForms);
  std::string archive = random_archive(records, form).bytes(form);
  const auto damage = *rc::gen::arbitrary<std::vector<std::pair<uint32_t, char>>>();
  for (const auto& [place, byte] : damage) archive[place % archive.size()] = byte;
  archive.resize(archive.size() -
                 *rc::gen::inRange<size_t>(0, std::min<size_t>(archive.size(), 9)));
  RC_ASSERT(use_everything(as_bytes(archive)) == "");
  const host::FormGuess guess = host::guess_form(as_bytes(archive), overrides_of(form));
  RC_ASSERT(use_everything(as_bytes(archive), guess.form) == "");
}

// Pieces of archives laid end to end with noise between them, as a broken disk leaves them.
RC_GTEST_PROP(EveryArchive, AmongNoiseIsReadWithoutAGapOrAnOverlap,
              (const std::vector<Numbers>& before, const std::string& noise,
               const std::vector<Numbers>& after)) {
  const PlainForm form = *rc::gen::elementOf(kForms);
  const std::string archive =
      random_archive(before, form).bytes(form) + noise + random_archive(after, form).bytes(form);
  RC_ASSERT(use_everything(as_bytes(archive)) == "");
}

}  // namespace
}  // namespace barefxt::test::reader_property_test
