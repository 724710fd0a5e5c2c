// Damaged archives: whole records are read, damage is reported, and nothing else happens.
#include <gtest/gtest.h>

#include "build_kind.h"
#include "cli/every_verb.h"
#include "goldens/goldens.h"
#include "print/printing.h"

namespace barefxt::test::reader_damage_test {
namespace {

using host::Fault;
using U = uint64_t;

void survive(const std::string& archive) { ASSERT_EQ(use_everything(as_bytes(archive)), ""); }

// A copy of exactly the archive's size on the heap, so that a sanitizer sees the first byte beyond.
std::string exact(const std::string& archive, size_t size) { return archive.substr(0, size); }

TEST(Damage, EveryGoldenCutAtEveryByteIsReadUpToThere) {
  for (const Golden& one : goldens()) {
    for (const bool big : {false, true}) {
      const std::string whole = big ? big_endian(one.pieces) : little_endian(one.pieces);
      for (size_t size = 0; size < whole.size(); size += places_apart())
        survive(exact(whole, size));
    }
  }
}

TEST(Damage, EveryGoldenWithEveryBitFlippedIsSurvived) {
  for (const Golden& one : goldens()) {
    for (const bool big : {false, true}) {
      std::string whole = big ? big_endian(one.pieces) : little_endian(one.pieces);
      for (size_t bit = 0; bit < whole.size() * 8; bit += bits_apart()) {
        const auto mask = static_cast<char>(1U << bit % 8);
        whole[bit / 8] = static_cast<char>(whole[bit / 8] ^ mask);
        survive(whole);
        whole[bit / 8] = static_cast<char>(whole[bit / 8] ^ mask);
      }
    }
  }
}

struct Place {
  uint64_t offset;
  uint64_t bytes;
  Fault fault;
  bool operator==(const Place&) const = default;
};

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.offset << "+" << place.bytes << " " << host::describe(place.fault);
}

std::vector<Place> malformed(const std::string& archive) {
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive)).form);
  std::vector<Place> places;
  while (const host::Record* record = reader.next()) {
    if (const auto* bad = std::get_if<host::Malformed>(&record->content)) {
      places.push_back({record->offset, record->raw.size(), bad->fault});
    }
  }
  return places;
}

const Piece kInitialization = W(U{1} << 0 | U{2} << 4);

TEST(Damage, ACutTailIsOneMalformedPlace) {
  const std::string whole = little_endian({W(kMagic), kInitialization, W(9)});
  EXPECT_EQ(malformed(whole), std::vector<Place>{});
  EXPECT_EQ(malformed(whole.substr(0, 20)), (std::vector<Place>{{8, 12, Fault::kBeyondEnd}}));
  EXPECT_EQ(malformed(whole.substr(0, 13)), (std::vector<Place>{{8, 5, Fault::kPartialWord}}));
}

TEST(Damage, ARecordThatDoesNotFitItsSizeIsSkippedByItsSize) {
  // An instant of 2 words with a category of 5 bytes inline, which would take a third.
  const std::string archive =
      little_endian({W(kMagic), W(U{4} << 0 | U{2} << 4 | U{1} << 24 | U{0x8005} << 32, 1),
                     kInitialization, W(9)});
  EXPECT_EQ(malformed(archive), (std::vector<Place>{{8, 16, Fault::kStringBeyondRecord}}));
}

// The next record need not be beyond doubt, as it must if the size cannot be trusted.
TEST(Damage, ARecordLongerThanKnownIsReachedAfterOneThatDoesNotFit) {
  const std::string archive =
      little_endian({W(kMagic), W(U{3} << 0 | U{2} << 4, 0), W(U{1} << 0 | U{3} << 4, 9, 0)});
  EXPECT_EQ(malformed(archive), (std::vector<Place>{{8, 16, Fault::kTooShort}}));
}

TEST(Damage, EachWayNotToFitHasItsReason) {
  const auto fault = [](std::vector<Piece> pieces) {
    pieces.insert(pieces.begin(), W(kMagic));
    const std::vector<Place> places = malformed(little_endian(pieces));
    return places.size() == 1 ? places[0].fault : Fault::kNone;
  };
  EXPECT_EQ(fault({W(U{3} << 0 | U{2} << 4, 1)}), Fault::kTooShort);
  EXPECT_EQ(fault({W(U{2} << 0 | U{2} << 4 | U{9} << 32, 1)}), Fault::kStringBeyondRecord);
  EXPECT_EQ(fault({W(U{5} << 0 | U{2} << 4 | U{9} << 32, 1)}), Fault::kPayloadBeyondRecord);
  EXPECT_EQ(fault({W(U{4} << 0 | U{2} << 4 | U{1} << 20 | U{1} << 24, 1)}),
            Fault::kArgumentBeyondRecord);
  EXPECT_EQ(fault({W(U{4} << 0 | U{3} << 4 | U{1} << 20 | U{1} << 24, 1), W(U{3} | U{1} << 4)}),
            Fault::kArgumentTooShort);
  EXPECT_EQ(fault({W(U{4} << 0 | U{3} << 4 | U{1} << 20 | U{1} << 24, 1, 0)}),
            Fault::kArgumentTooShort);
  EXPECT_EQ(fault({W(U{0} << 0 | U{2} << 4 | U{4} << 16, 1)}), Fault::kBadMagic);
  // A payload so large that rounding its size up would wrap around to nothing.
  EXPECT_EQ(fault({W(U{15} << 0 | U{3} << 4 | U{1} << 40, 0, ~U{0})}), Fault::kPayloadBeyondRecord);
  EXPECT_EQ(fault({W(U{15} << 0 | U{0xffffffff} << 4, 0)}), Fault::kBeyondEnd);
}

TEST(Damage, ReadingGoesOnAfterARunOfZeros) {
  const std::string archive =
      little_endian({W(kMagic), W(0, 0, 0), kInitialization, W(9), kInitialization, W(9)});
  EXPECT_EQ(malformed(archive), (std::vector<Place>{{8, 24, Fault::kZeroSize}}));
}

TEST(Damage, ReadingGoesOnAfterBytesThatWereLost) {
  const std::string good = little_endian(golden("scheduling").pieces);
  const std::string archive = good + std::string("\x00\x00\x00", 3) + good;
  EXPECT_EQ(malformed(archive), (std::vector<Place>{{good.size(), 3, Fault::kZeroSize}}));
}

TEST(Damage, AnArchiveIsNotSeenInTextOrNoise) {
  const std::string text(4096, 'k');
  host::Reader reader(as_bytes(text), host::guess_form(as_bytes(text)).form);
  while (reader.next() != nullptr) {
  }
  EXPECT_EQ(reader.readable_records(), 0U);
}

TEST(Damage, MoreProvidersThanCanBeRememberedForgetTheOldest) {
  std::vector<Piece> pieces = {W(kMagic)};
  for (U id = 0; id < 2000; ++id) pieces.push_back(W(U{1} << 4 | U{1} << 16 | id << 20));
  const std::string archive = little_endian(pieces);
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive)).form);
  while (reader.next() != nullptr) {
  }
  EXPECT_EQ(reader.forgotten_providers(), 2000 - host::Reader::kMaxProviders);
}

TEST(Damage, StringsOfManyProvidersTakeBoundedMemory) {
  constexpr U kProviders = 200;
  constexpr U kPages = fxt::kMaxStringIndex / host::StringTable::kPageEntries + 1;
  std::vector<Piece> pieces = {W(kMagic)};
  for (U id = 0; id < kProviders; ++id) {
    pieces.push_back(W(U{1} << 4 | U{2} << 16 | id << 20));
    // An empty string on each page.
    for (U page = 0; page < kPages; ++page)
      pieces.push_back(W(U{2} | U{1} << 4 | (page * host::StringTable::kPageEntries + 1) << 16));
  }
  // The first provider's strings are forgotten, the last one's are not.
  pieces.push_back(W(U{1} << 4 | U{2} << 16));
  const std::string archive = little_endian(pieces);
  host::Reader reader(as_bytes(archive), host::Form{});
  size_t most = 0;
  bool last_is_whole = false;
  while (reader.next() != nullptr) {
    most = std::max(most, reader.pages());
    const host::StringTable& strings = reader.provider().strings;
    last_is_whole = last_is_whole || (reader.pages() == host::Reader::kMaxPages &&
                                      strings.pages() == kPages && strings.resolve({1}).registered);
  }
  EXPECT_EQ(most, host::Reader::kMaxPages);
  EXPECT_TRUE(last_is_whole);
  EXPECT_EQ(reader.forgotten_providers(), kProviders - host::Reader::kMaxPages / kPages);
  EXPECT_FALSE(reader.provider().strings.resolve({1}).registered);
}

// The current provider is not forgotten, however long ago it was declared.
TEST(Damage, TheCurrentProviderKeepsItsStringsWhileItIsTheOldest) {
  const auto section = [](U id) { return W(U{1} << 4 | U{2} << 16 | id << 20); };
  const auto string = [](U index) { return W(U{2} | U{1} << 4 | index << 16); };
  std::vector<Piece> pieces = {W(kMagic), section(0), string(1)};
  for (U id = 1; id <= 128; ++id) {
    pieces.push_back(section(id));
    for (U page = 0; page < 512 && (id < 128 || page < 511); ++page)
      pieces.push_back(string(page * host::StringTable::kPageEntries + 1));
  }
  // One page more than there may be.
  pieces.push_back(section(0));
  pieces.push_back(string(host::StringTable::kPageEntries + 1));
  const std::string archive = little_endian(pieces);
  host::Reader reader(as_bytes(archive), host::Form{});
  while (reader.next() != nullptr) {
  }
  EXPECT_EQ(reader.forgotten_providers(), 1U);
  EXPECT_TRUE(reader.provider().strings.resolve({1}).registered);
  EXPECT_TRUE(reader.provider().strings.resolve({host::StringTable::kPageEntries + 1}).registered);
}

}  // namespace
}  // namespace barefxt::test::reader_damage_test
