// Archives from the archive writer, read back by the plain decoder, which shares nothing with it.
#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "memory_sink.h"
#include "reader/plain_decoder.h"

namespace barefxt::test::archive_writer_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::ByteOrder;

constexpr size_t kMaxWords = 4095;
constexpr ArchiveThread kInline = {.index = 0, .process = 10, .thread = 11};
constexpr ArchiveThread kIndexed = {.index = 1, .process = 0, .thread = 0};

ArchiveText text(const char* spelled_out) { return ArchiveText::spelled_out(spelled_out); }

// An archive with the records that `write` adds, behind a magic number, string 1 `s` and thread 1.
std::vector<uint8_t> archive_of(const std::function<void(ArchiveWriter&)>& write,
                                ByteOrder order = ByteOrder::kLittle) {
  MemorySink sink;
  ArchiveWriter writer(sink, order);
  writer.magic_number();
  writer.provider_info(7, "board");
  writer.string(1, "s");
  writer.thread(1, 20, 21);
  write(writer);
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_EQ(writer.bytes(), sink.bytes().size());
  return sink.bytes();
}

PlainArchive sound(const std::vector<uint8_t>& bytes) {
  PlainArchive archive = decode_plainly(bytes);
  EXPECT_EQ(archive.problem_text(), "");
  EXPECT_EQ(archive.extended, 0u);
  return archive;
}

// The records behind the prologue of archive_of.
std::vector<PlainRecord> records_of(const std::function<void(ArchiveWriter&)>& write,
                                    ByteOrder order = ByteOrder::kLittle) {
  std::vector<PlainRecord> records = sound(archive_of(write, order)).records;
  records.erase(records.begin(), records.begin() + 4);
  return records;
}

class EitherOrder : public ::testing::TestWithParam<ByteOrder> {};
INSTANTIATE_TEST_SUITE_P(ArchiveWriter, EitherOrder,
                         ::testing::Values(ByteOrder::kLittle, ByteOrder::kBig),
                         [](const auto& order) {
                           return order.param == ByteOrder::kBig ? "Big" : "Little";
                         });

TEST_P(EitherOrder, ManagersRecords) {
  const auto records = records_of(
      [](ArchiveWriter& writer) {
        writer.provider_info(0xffffffff, std::string(300, 'p'));
        EXPECT_EQ(writer.provider(), 0xffffffffu);
        writer.provider_section(7);
        EXPECT_EQ(writer.provider(), 7u);
        writer.provider_event(0xffffffff, 0);
        EXPECT_EQ(writer.provider(), 7u);
        writer.initialization(62'500'000);
        writer.string(0x7fff, "eightful");
        writer.thread(255, 1, ~uint64_t{0});
      },
      GetParam());
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[0].value, 0xffffffffu);
  EXPECT_EQ(records[0].name, std::string(255, 'p'));
  EXPECT_EQ(records[1].subtype, 2u);
  EXPECT_EQ(records[1].value, 7u);
  EXPECT_EQ(records[2].subtype, 3u);
  EXPECT_EQ(records[2].provider, 0xffffffffu);
  EXPECT_EQ(records[3].value, 62'500'000u);
  EXPECT_EQ(records[4].value, 0x7fffu);
  EXPECT_EQ(records[4].name, "eightful");
  EXPECT_EQ(records[5].value, 255u);
  EXPECT_EQ(records[5].thread, ~uint64_t{0});
}

TEST_P(EitherOrder, EveryEventTypeWithStringsAndThreadsInlineAndIndexed) {
  for (unsigned type = 0; type <= 10; ++type) {
    const auto records = records_of(
        [&](ArchiveWriter& writer) {
          host::ArchiveEvent event;
          event.type = static_cast<fxt::EventType>(type);
          event.timestamp = 5;
          event.trailing_word = 9;
          event.thread = kInline;
          event.category = text("cat");
          event.name = text("eightful");
          EXPECT_TRUE(writer.event(event, {}));
          event.thread = kIndexed;
          event.category = event.name = ArchiveText::indexed(1);
          EXPECT_TRUE(writer.event(event, {}));
        },
        GetParam());
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].subtype, type);
    EXPECT_EQ(records[0].timestamp, 5u);
    EXPECT_EQ(records[0].process, 10u);
    EXPECT_EQ(records[0].thread, 11u);
    EXPECT_EQ(records[0].category, "cat");
    EXPECT_EQ(records[0].name, "eightful");
    EXPECT_EQ(records[0].value, type == 1 || type >= 4 ? 9u : 0u);
    EXPECT_EQ(records[1].process, 20u);
    EXPECT_EQ(records[1].thread, 21u);
    EXPECT_EQ(records[1].category, "s");
    EXPECT_EQ(records[1].name, "s");
  }
}

TEST_P(EitherOrder, EveryArgumentTypeWithItsNameInlineAndIndexed) {
  for (const ArchiveText name : {text("argument"), ArchiveText::indexed(1), ArchiveText()}) {
    const std::vector<ArchiveArgument> arguments = {
        ArchiveArgument::null(name),
        ArchiveArgument::int32(name, -4),
        ArchiveArgument::uint32(name, 0xffffffff),
        ArchiveArgument::int64(name, -5),
        ArchiveArgument::uint64(name, ~uint64_t{0}),
        ArchiveArgument::real(name, 0.1),
        ArchiveArgument::string(name, text("value")),
        ArchiveArgument::string(name, ArchiveText::indexed(1)),
        ArchiveArgument::string(name, {}),
        ArchiveArgument::pointer(name, 16),
        ArchiveArgument::koid(name, 10),
        ArchiveArgument::boolean(name, true),
        ArchiveArgument::boolean(name, false),
        ArchiveArgument::blob(name, {"\0\1\2\3\4\5\6\7\xff", 9}),
        ArchiveArgument::blob(name, {}),
    };
    const auto records = records_of(
        [&](ArchiveWriter& writer) { EXPECT_TRUE(writer.event({}, arguments)); }, GetParam());
    ASSERT_EQ(records.size(), 1u);
    const std::vector<PlainArgument>& found = records[0].arguments;
    ASSERT_EQ(found.size(), 15u);
    const std::vector<int> types = {0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8, 9, 9, 10, 10};
    const std::vector<uint64_t> bits = {0,
                                        ~uint64_t{3},
                                        0xffffffff,
                                        ~uint64_t{4},
                                        ~uint64_t{0},
                                        std::bit_cast<uint64_t>(0.1),
                                        0,
                                        0,
                                        0,
                                        16,
                                        10,
                                        1,
                                        0,
                                        0,
                                        0};
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].name, name.ref().is_inline() ? "argument" : name.ref().value ? "s" : "");
      EXPECT_EQ(found[i].type, types[i]) << i;
      EXPECT_EQ(found[i].bits, bits[i]) << i;
    }
    EXPECT_EQ(found[6].text, "value");
    EXPECT_EQ(found[7].text, "s");
    EXPECT_EQ(found[8].text, "");
    EXPECT_EQ(found[13].text, std::string("\0\1\2\3\4\5\6\7\xff", 9));
    EXPECT_EQ(found[14].text, "");
  }
}

TEST_P(EitherOrder, ObjectsAndLogs) {
  const ArchiveArgument argument = ArchiveArgument::koid(text("process"), 10);
  const auto records = records_of(
      [&](ArchiveWriter& writer) {
        EXPECT_TRUE(writer.userspace_object(16, kInline, text("o"), {&argument, 1}));
        EXPECT_TRUE(writer.userspace_object(17, kIndexed, ArchiveText::indexed(1), {}));
        EXPECT_TRUE(
            writer.kernel_object(11, fxt::KernelObjectType::kThread, text("idle"), {&argument, 1}));
        writer.log(60, kInline, "hello");
        writer.log(61, kIndexed, "");
      },
      GetParam());
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].value, 16u);
  EXPECT_EQ(records[0].process, 10u);
  EXPECT_EQ(records[0].name, "o");
  ASSERT_NE(records[0].argument("process"), nullptr);
  EXPECT_EQ(records[1].process, 20u);
  EXPECT_EQ(records[1].name, "s");
  EXPECT_EQ(records[2].subtype, 2u);
  EXPECT_EQ(records[2].value, 11u);
  EXPECT_EQ(records[2].name, "idle");
  EXPECT_EQ(records[2].argument("process")->bits, 10u);
  EXPECT_EQ(records[3].timestamp, 60u);
  EXPECT_EQ(records[3].thread, 11u);
  EXPECT_EQ(records[3].name, "hello");
  EXPECT_EQ(records[4].thread, 21u);
}

TEST_P(EitherOrder, Scheduling) {
  const ArchiveArgument argument = ArchiveArgument::int32(text("weight"), -1);
  const auto records = records_of(
      [&](ArchiveWriter& writer) {
        writer.legacy_context_switch(
            {50, 255, fxt::ThreadState::kBlocked, kInline, kIndexed, 1, 255});
        EXPECT_TRUE(
            writer.context_switch({51, 4095, fxt::ThreadState::kDead, 11, 21}, {&argument, 1}));
        EXPECT_TRUE(writer.thread_wakeup({52, 3, 11}, {&argument, 1}));
      },
      GetParam());
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].timestamp, 50u);
  EXPECT_EQ(records[0].cpu, 255u);
  EXPECT_EQ(records[0].process, 10u);
  EXPECT_EQ(records[0].thread, 11u);
  EXPECT_EQ(records[0].other_process, 20u);
  EXPECT_EQ(records[0].other_thread, 21u);
  EXPECT_EQ(records[0].numbers, (std::vector<uint64_t>{3, 1, 255}));
  EXPECT_EQ(records[1].subtype, 1u);
  EXPECT_EQ(records[1].cpu, 4095u);
  EXPECT_EQ(records[1].thread, 11u);
  EXPECT_EQ(records[1].other_thread, 21u);
  EXPECT_EQ(records[1].numbers, (std::vector<uint64_t>{5}));
  EXPECT_EQ(records[1].argument("weight")->bits, ~uint64_t{0});
  EXPECT_EQ(records[2].subtype, 2u);
  EXPECT_EQ(records[2].timestamp, 52u);
  EXPECT_EQ(records[2].cpu, 3u);
  EXPECT_EQ(records[2].thread, 11u);
  EXPECT_EQ(records[2].arguments.size(), 1u);
}

TEST_P(EitherOrder, ProfilersRecords) {
  const std::vector<uint64_t> frames(255, 0x1122334455667788);
  const auto records = records_of(
      [&](ArchiveWriter& writer) {
        EXPECT_TRUE(writer.profiler_module({1, kInline, 5, "libc", {"\0id", 3}}));
        EXPECT_TRUE(writer.profiler_module({1, kIndexed, 0xffff, std::string(300, 'm'), {}}));
        writer.profiler_mmap({2, kIndexed, 5, 7, 0x1000, 0x200, ~uint64_t{0}});
        EXPECT_TRUE(writer.profiler_backtrace({3, kInline, frames}));
      },
      GetParam());
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].value, 5u);
  EXPECT_EQ(records[0].name, "libc");
  EXPECT_EQ(records[0].payload, std::string("\0id", 3));
  EXPECT_EQ(records[1].value, 0xffffu);
  EXPECT_EQ(records[1].name, std::string(255, 'm'));
  EXPECT_EQ(records[2].value, 5u);
  EXPECT_EQ(records[2].numbers, (std::vector<uint64_t>{7, 0x1000, 0x200, ~uint64_t{0}}));
  EXPECT_EQ(records[3].numbers, frames);
  EXPECT_EQ(records[3].thread, 11u);
}

TEST_P(EitherOrder, LargeBlobsOfBothFormats) {
  const ArchiveArgument argument = ArchiveArgument::blob(text("b"), "xyz");
  const std::string payload(100'001, 'x');
  const auto records = records_of(
      [&](ArchiveWriter& writer) {
        EXPECT_TRUE(writer.large_blob({text("c"), ArchiveText::indexed(1), true, 5, kInline},
                                      {&argument, 1}, payload));
        EXPECT_TRUE(writer.large_blob({ArchiveText::indexed(1), text("n")}, {}, "xyz"));
        EXPECT_TRUE(writer.large_blob({}, {}, ""));
      },
      GetParam());
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].type, 15u);
  EXPECT_EQ(records[0].subtype, 0u);
  EXPECT_EQ(records[0].category, "c");
  EXPECT_EQ(records[0].name, "s");
  EXPECT_EQ(records[0].timestamp, 5u);
  EXPECT_EQ(records[0].thread, 11u);
  EXPECT_EQ(records[0].argument("b")->text, "xyz");
  EXPECT_EQ(records[0].payload, payload);
  EXPECT_EQ(records[1].subtype, 1u);
  EXPECT_EQ(records[1].category, "s");
  EXPECT_EQ(records[1].name, "n");
  EXPECT_EQ(records[1].payload, "xyz");
  EXPECT_EQ(records[2].payload, "");
}

TEST(ArchiveWriter, SplitsBlobsIntoChunksOfOneName) {
  std::string payload;
  for (int i = 0; i < 100'000; ++i) payload += static_cast<char>(i * 7);
  for (const ArchiveText name : {text("long"), ArchiveText::indexed(1)}) {
    for (const size_t size : {0, 1, 8, 32'744, 32'752, 32'753, 65'536, 100'000}) {
      const auto records = records_of([&](ArchiveWriter& writer) {
        writer.blob(name, fxt::BlobType::kPerfetto, payload.substr(0, size));
      });
      std::string joined;
      for (const PlainRecord& record : records) {
        EXPECT_EQ(record.type, 5u);
        EXPECT_EQ(record.subtype, 3u);
        EXPECT_EQ(record.name, name.ref().is_inline() ? "long" : "s");
        joined += record.payload;
      }
      EXPECT_EQ(joined, payload.substr(0, size)) << size;
      const size_t fits = name.ref().is_inline() ? 32'744 : 32'752;
      EXPECT_EQ(records.size(), size == 0 ? 1 : (size + fits - 1) / fits) << size;
    }
  }
}

TEST(ArchiveWriter, CutsTextBetweenCharacters) {
  const std::string euros = [] {
    std::string text;
    for (int i = 0; i < 11'000; ++i) text += "\xe2\x82\xac";
    return text;
  }();
  const auto records = records_of([&](ArchiveWriter& writer) {
    writer.string(2, euros);
    writer.log(1, kInline, euros);
    EXPECT_TRUE(writer.kernel_object(1, fxt::KernelObjectType::kProcess,
                                     ArchiveText::spelled_out(euros), {}));
    writer.provider_info(1, euros.substr(0, 256));
    EXPECT_TRUE(writer.profiler_module({1, kInline, 0, euros.substr(0, 256), {}}));
  });
  for (const PlainRecord& record : records)
    EXPECT_EQ(record.name.size(), record.type == 0 || record.type == 10 ? 255u : 31'998u);
}

TEST(ArchiveWriter, RefusesWhatNoRecordCanHoldAndWritesNothingOfIt) {
  const size_t prologue = archive_of([](ArchiveWriter&) {}).size();
  const std::vector<ArchiveArgument> sixteen(16, ArchiveArgument::null({}));
  // An event has a header, a timestamp, two koids and the argument's header.
  const std::string fits((kMaxWords - 5) * 8, 'x');
  const std::string too_much(fits.size() + 1, 'x');
  const ArchiveArgument large = ArchiveArgument::blob({}, too_much);
  const ArchiveArgument largest = ArchiveArgument::blob({}, fits);
  const std::string huge(size_t{4096} * 8, 'x');
  const ArchiveArgument beyond_its_size_field = ArchiveArgument::blob({}, huge);
  const std::string id(256, 'i');
  const std::vector<uint64_t> frames(256);
  EXPECT_EQ(archive_of([&](ArchiveWriter& writer) {
              for (const host::ArchiveArguments arguments :
                   {host::ArchiveArguments(sixteen), host::ArchiveArguments(&large, 1)}) {
                EXPECT_FALSE(writer.event({}, arguments));
                EXPECT_FALSE(writer.userspace_object(1, {}, text("longer than a word"), arguments));
                EXPECT_FALSE(writer.kernel_object(1, fxt::KernelObjectType::kThread,
                                                  text("longer than two whole words"), arguments));
                EXPECT_FALSE(writer.large_blob({{}, {}, true}, sixteen, ""));
              }
              EXPECT_FALSE(writer.context_switch({}, sixteen));
              EXPECT_FALSE(writer.thread_wakeup({}, sixteen));
              EXPECT_FALSE(writer.large_blob({{}, {}, true}, {&beyond_its_size_field, 1}, ""));
              EXPECT_FALSE(writer.open_large_blob({}, {}, uint64_t{0xffffffff - 2} * 8));
              EXPECT_FALSE(writer.open_large_blob({}, {}, ~uint64_t{0}));
              EXPECT_FALSE(writer.profiler_module({1, kInline, 0, "", id}));
              EXPECT_FALSE(writer.profiler_backtrace({1, kInline, frames}));
            }).size(),
            prologue);
  const auto records =
      records_of([&](ArchiveWriter& writer) { EXPECT_TRUE(writer.event({}, {&largest, 1})); });
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].arguments[0].text.size(), fits.size());
}

TEST(ArchiveWriter, LargeBlobsArgumentsMayTakeMoreThanTheBuffer) {
  const std::string bytes(size_t{4000} * 8, 'x');
  const std::vector<ArchiveArgument> arguments(15, ArchiveArgument::blob({}, bytes));
  const auto records = records_of([&](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.large_blob({{}, {}, true}, arguments, "end"));
  });
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].arguments.size(), 15u);
  EXPECT_EQ(records[0].payload, "end");
}

TEST(ArchiveWriter, PayloadMayComeInPiecesAndIsWholeInAnyCase) {
  const auto records = records_of([](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.open_large_blob({{}, text("pieces")}, {}, 9));
    for (const char* piece : {"ab", "", "cdefg", "hi"}) writer.large_blob_payload(piece);
    EXPECT_TRUE(writer.open_large_blob({{}, text("too much")}, {}, 9));
    writer.large_blob_payload("abcdefghijklmnopqrstuvwxyz");
    writer.large_blob_payload("more");
    EXPECT_TRUE(writer.open_large_blob({{}, text("too little")}, {}, 1'000'001));
    writer.large_blob_payload("abc");
    writer.log(1, kInline, "next");
    EXPECT_TRUE(writer.open_large_blob({{}, text("at the end")}, {}, 9));
  });
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].payload, "abcdefghi");
  EXPECT_EQ(records[1].payload, "abcdefghi");
  EXPECT_EQ(records[2].payload, "abc" + std::string(1'000'001 - 3, '\0'));
  EXPECT_EQ(records[3].name, "next");
  EXPECT_EQ(records[4].payload, std::string(9, '\0'));
}

TEST(ArchiveWriter, TheLargestRecordTakesNoMemory) {
  // Address space without memory behind it, which is never read.
  constexpr size_t kPiece = size_t{1} << 30;
  void* const piece =
      ::mmap(nullptr, kPiece, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(piece, MAP_FAILED);
  CountingSink sink;
  ArchiveWriter writer(sink, ByteOrder::kLittle);
  constexpr uint64_t kPayload = uint64_t{0xffffffff - 3} * 8;
  ASSERT_TRUE(writer.open_large_blob({}, {}, kPayload));
  for (uint64_t left = kPayload; left > 0; left -= std::min<uint64_t>(left, kPiece))
    writer.large_blob_payload(
        {static_cast<const char*>(piece), static_cast<size_t>(std::min<uint64_t>(left, kPiece))});
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_EQ(sink.count(), uint64_t{0xffffffff} * 8);
  EXPECT_EQ(writer.bytes(), sink.count());
  ::munmap(piece, kPiece);
}

class FullSink final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t>) override {
    ++calls;
    return host::Error{"cannot write: No space left on device", "out.fxt", ""};
  }
  int calls = 0;
};

TEST(ArchiveWriter, TheFirstFailureStays) {
  FullSink sink;
  ArchiveWriter writer(sink, ByteOrder::kLittle);
  for (int i = 0; i < 100'000; ++i) writer.initialization(1);
  EXPECT_TRUE(writer.failed());
  const host::Status status = writer.flush();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().where, "out.fxt");
  EXPECT_EQ(sink.calls, 1);
}

// Only Debug and sanitized builds look.
TEST(FieldDeathTest, AValueThatIsTooWideEndsTheProgram) {
  using Nibble = fxt::Field<4, 7>;
  volatile fxt::Word value = 15;
  EXPECT_EQ(Nibble::of(value), 0xf0U);
  value = 16;
  if (BAREFXT_CHECKS)
    EXPECT_DEATH(Nibble::of(value), "");
  else
    EXPECT_EQ(Nibble::of(value), 0U);
}

}  // namespace
}  // namespace barefxt::test::archive_writer_test
