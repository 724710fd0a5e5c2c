// The limits of records beyond events: what is cut, what is lost, and in which order they arrive.

#include <barefxt/host/reader.h>

#include "session_fixture.h"

namespace barefxt::test::records_test {
namespace {

BAREFXT_CATEGORY(work, 3);
BAREFXT_CATEGORY(off, 4);

class LimitsTest : public SessionTest {
 protected:
  // The contents of one type, in order. They are valid as long as the fixture's archive.
  template <typename T>
  std::vector<T> all() {
    std::vector<T> found;
    reader_.emplace(host::Bytes(rebuilt_.archive), host::Form{});
    while (const host::Record* record = reader_->next())
      if (const auto* content = std::get_if<T>(&record->content)) found.push_back(*content);
    return found;
  }
  std::string joined(const std::string& name) {
    std::string payload;
    for (const host::Blob& blob : all<host::Blob>())
      if (blob.name.bytes == name) payload += blob.payload;
    return payload;
  }

 private:
  std::optional<host::Reader> reader_;
};

std::string pattern(size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

TEST_F(LimitsTest, TextsThatAreCutAreCountedAndReported) {
  start();
  const uint32_t before = barefxt_stop().cut_texts;
  start();
  const std::string text(kMaxTextBytes + 1, 'x');
  BAREFXT_INSTANT(work, "long", BAREFXT_ARG_STRING("text", text.data(), text.size()));
  BAREFXT_LOG(work, text.data(), text.size());
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT_INLINE(text.data(), text.size()),
                0);
  BAREFXT_PROFILER_MODULE(work, nullptr, 1, text.data(), size_t{256}, nullptr, size_t{0});
  barefxt_thread thread = {};
  barefxt_thread_register(&thread, 10, 501, "seventeen letters", 1);
  BAREFXT_LOG(work, text.data(), text.size() - 1);  // fits
  EXPECT_EQ(barefxt_stop().cut_texts, before + 5);
  stop_and_read();
  EXPECT_TRUE(contains(rebuilt_.messages, std::to_string(before + 5) + " texts cut on the target"));
  barefxt_thread_unregister(&thread);
}

TEST_F(LimitsTest, TextsThatARecordCannotHoldTogetherAreCutFurtherAndTheRecordArrives) {
  start();
  const uint32_t before = barefxt_stop().cut_texts;
  start();
  std::string text;
  while (text.size() < kMaxTextBytes) text += "\xc3\xa9";
  std::vector<barefxt_argument> arguments;
  for (uint32_t i = 0; i < 15; ++i)
    arguments.push_back(barefxt_arg_text(BAREFXT_TEXT_INLINE(&"abcdefghijklmno"[i], 1),
                                         BAREFXT_TEXT_INLINE(text.data(), text.size())));
  barefxt_event(BAREFXT_EVENT_COUNTER, nullptr, BAREFXT_TEXT("work"), BAREFXT_TEXT("many"), 7,
                arguments.data(), 15);
  BAREFXT_INSTANT(work, "four", BAREFXT_ARG_STRING("a", text.data(), text.size()),
                  BAREFXT_ARG_STRING("b", text.data(), text.size()), BAREFXT_ARG_U32("n", 5),
                  BAREFXT_ARG_STRING("c", text.data(), text.size()),
                  BAREFXT_ARG_STRING("d", text.data(), text.size()));
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 0u);
  EXPECT_EQ(report.cut_texts, before + 2);
  const PlainArchive archive = stop_and_read();
  const PlainRecord many = archive.events("many").at(0);
  EXPECT_EQ(many.value, 7u);
  ASSERT_EQ(many.arguments.size(), 15u);
  for (const PlainArgument& argument : many.arguments) {
    EXPECT_GE(argument.text.size(), 100u);
    EXPECT_EQ(argument.text, text.substr(0, argument.text.size()));
    EXPECT_EQ(argument.text.size() % 2, 0u) << "cut within a character";
  }
  const PlainRecord four = archive.events("four").at(0);
  EXPECT_EQ(four.argument("n")->bits, 5u);
  EXPECT_EQ(four.argument("d")->text.size(), kMaxTextBytes / 2);
}

TEST_F(LimitsTest, WhatAnArgumentPointsToLivesUntilTheRecordIsWritten) {
  start();
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("event"), 0,
                BAREFXT_ARG_STRING("text", std::string(100, 'e').c_str(), 100));
  BAREFXT_KERNEL_OBJECT(work, 900, 5, BAREFXT_TEXT("object"),
                        BAREFXT_ARG_STRING("text", std::string(100, 'o').c_str(), 100));
  BAREFXT_INSTANT(work, "instant",
                  barefxt_arg_text(BAREFXT_TEXT("text"),
                                   BAREFXT_TEXT_INLINE(std::string(100, 'i').c_str(), 100)));
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("event").at(0).argument("text")->text, std::string(100, 'e'));
  EXPECT_EQ(archive.events("instant").at(0).argument("text")->text, std::string(100, 'i'));
  for (const PlainRecord& object : archive.of_type(7))
    if (object.value == 900) {
      EXPECT_EQ(object.argument("text")->text, std::string(100, 'o'));
    }
}

TEST_F(LimitsTest, ANullPointerIsNoTextAndNoBytesWhateverTheCount) {
  start();
  BAREFXT_INSTANT(work, "null", barefxt_arg_blob(BAREFXT_TEXT("blob"), nullptr, 8),
                  barefxt_arg_text(BAREFXT_TEXT("text"), BAREFXT_TEXT_INLINE(nullptr, 8)),
                  BAREFXT_ARG_STRING("string", nullptr, 8), BAREFXT_ARG_U32("after", 7));
  const PlainRecord record = stop_and_read().events("null").at(0);
  EXPECT_EQ(record.argument("blob")->text, "");
  EXPECT_EQ(record.argument("text")->text, "");
  EXPECT_EQ(record.argument("string")->text, "");
  EXPECT_EQ(record.argument("after")->bits, 7u);
}

TEST_F(LimitsTest, AnEventOfThisCpuMayHaveANameThatOnlyRunTimeKnows) {
  constexpr uint32_t kCpu = kCpus == 1 ? 0 : 2;
  start();
  run_on_cpu(kCpu);
  BAREFXT_EVENT(work, BAREFXT_EVENT_DURATION_BEGIN, BAREFXT_THIS_CPU,
                BAREFXT_TEXT_INLINE("irq 42", 6), 0);
  run_on_cpu(0);
  EXPECT_EQ(stop_and_read().events("irq 42").at(0).thread, 0x7f000000u + kCpu);
}

TEST_F(LimitsTest, ABlobOfAnySizeArrivesWhole) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1024}, size_t{1025}, size_t{100001}}) {
    start(64);
    const std::string payload = pattern(bytes);
    BAREFXT_BLOB(work, BAREFXT_TEXT("blob"), BAREFXT_BLOB_DATA, payload.data(), payload.size());
    stop_and_read();
    EXPECT_EQ(joined("blob"), payload);
  }
}

TEST_F(LimitsTest, ABlobThatFindsNoRoomIsCutButHasNoHole) {
  start(2);
  const std::string payload = pattern(20000);
  BAREFXT_BLOB(work, BAREFXT_TEXT("blob"), BAREFXT_BLOB_DATA, payload.data(), payload.size());
  const barefxt_stop_report report = barefxt_stop();
  stop_and_read();
  const std::string kept = joined("blob");
  EXPECT_GT(kept.size(), 0u);
  EXPECT_EQ(kept, payload.substr(0, kept.size()));
  const size_t chunks = (payload.size() + 1023) / 1024;
  EXPECT_EQ(report.recorded_records, kept.size() / 1024);
  EXPECT_EQ(report.recorded_records + report.lost_records, chunks);
  // Time and wrapping, header, payload; the last chunk is shorter.
  const uint64_t all = chunks * (16 + 8) + (payload.size() + 7) / 8 * 8;
  EXPECT_EQ(rings[0].bytes_lost.value(), all - report.recorded_records * (16 + 8 + 1024));
}

TEST_F(LimitsTest, RecordsWithoutATimeKeepTheirPlaceAmongThoseOfOtherCpus) {
  start();
  run_on_cpu(3);
  BAREFXT_INSTANT(work, "first");
  run_on_cpu(0);
  for (int i = 0; i < 10; ++i) BAREFXT_INSTANT(work, "second");
  run_on_cpu(3);
  BAREFXT_BLOB(work, BAREFXT_TEXT("third"), BAREFXT_BLOB_DATA, "1", size_t{1});
  run_on_cpu(1);
  BAREFXT_BLOB(work, BAREFXT_TEXT("third"), BAREFXT_BLOB_DATA, "2", size_t{1});
  BAREFXT_KERNEL_OBJECT(work, 900, 5, BAREFXT_TEXT("fourth"));
  run_on_cpu(0);
  BAREFXT_LARGE_BLOB(work, BAREFXT_TEXT("fifth"), "3", size_t{1});
  BAREFXT_USERSPACE_OBJECT(work, nullptr, nullptr, BAREFXT_TEXT("sixth"));
  BAREFXT_INSTANT(work, "seventh");

  std::string order;
  stop_and_read();
  host::Reader reader(rebuilt_.archive, {});
  while (const host::Record* record = reader.next()) {
    std::visit(
        [&](const auto& content) {
          if constexpr (requires { content.name.bytes; }) {
            const std::string name(content.name.bytes);
            if (name == "first" || name.ends_with("d") || name.ends_with("th")) order += name + " ";
          }
        },
        record->content);
  }
  std::string seconds;
  for (int i = 0; i < 10; ++i) seconds += "second ";
  EXPECT_EQ(order, "first " + seconds + "third third fourth fifth sixth seventh ");
  EXPECT_EQ(joined("third"), "12");
}

TEST_F(LimitsTest, ABlobThatNoRecordHoldsLosesItsRecordInsteadOfBeingCut) {
  start();
  const std::string bytes(40000, 'b');
  BAREFXT_INSTANT(work, "too much", BAREFXT_ARG_BLOB("blob", bytes.data(), bytes.size()));
  BAREFXT_INSTANT(work, "too much", BAREFXT_ARG_BLOB("blob", bytes.data(), kMaxRecordBytes));
  BAREFXT_LARGE_BLOB(work, BAREFXT_TEXT("too much"), bytes.data(), bytes.size());
  BAREFXT_LARGE_BLOB_EVENT(work, BAREFXT_TEXT("too much"), bytes.data(), SIZE_MAX);
  BAREFXT_INSTANT(work, "enough",
                  BAREFXT_ARG_BLOB("blob", bytes.data(), kMaxRecordBytes - 3 * fxt::kWordBytes));
  EXPECT_EQ(barefxt_stop().lost_records, 4u);
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(archive.events("too much").empty());
  EXPECT_EQ(archive.events("enough").at(0).argument("blob")->text.size(),
            kMaxRecordBytes - 3 * fxt::kWordBytes);
}

TEST_F(LimitsTest, OfMoreFramesThanARecordHoldsTheOutermostAreLeftOut) {
  start();
  std::vector<uintptr_t> frames(300);
  for (size_t i = 0; i < frames.size(); ++i) frames[i] = 1000 + i;
  BAREFXT_PROFILER_BACKTRACE(work, nullptr, frames.data(), frames.size());
  stop_and_read();
  const auto backtraces = all<host::ProfilerBacktrace>();
  ASSERT_EQ(backtraces.size(), 1u);
  ASSERT_EQ(backtraces[0].frames.size(), 255u);
  EXPECT_EQ(backtraces[0].frames[0], 1000u);
  EXPECT_EQ(backtraces[0].frames[254], 1254u);
  EXPECT_TRUE(contains(rebuilt_.messages, "cut on the target"));
}

TEST_F(LimitsTest, TheFunctionsWriteFifteenArgumentsAndLeaveOutTheRest) {
  start();
  std::vector<barefxt_argument> arguments;
  for (uint32_t i = 0; i < 16; ++i)
    arguments.push_back(barefxt_arg_u32(BAREFXT_TEXT_INLINE(&"abcdefghijklmnop"[i], 1), i));
  barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("work"), BAREFXT_TEXT("many"), 0,
                arguments.data(), 16);
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.events("many").size(), 1u);
  ASSERT_EQ(archive.events("many")[0].arguments.size(), 15u);
  EXPECT_EQ(archive.events("many")[0].argument("o")->bits, 14u);
}

TEST_F(LimitsTest, ADoubleArrivesWithItsBits) {
  start();
  BAREFXT_INSTANT(work, "double", BAREFXT_ARG_DOUBLE("value", -1.5));
  EXPECT_EQ(stop_and_read().events("double").at(0).argument("value")->bits, 0xbff8000000000000u);
}

TEST_F(LimitsTest, OfACategoryThatIsOffNothingIsWrittenOrEvaluated) {
  start(16, BAREFXT_CATEGORY_BIT(work));
  uint32_t evaluated = 0;
  const barefxt_thread* const nobody = nullptr;
  BAREFXT_EVENT(off, BAREFXT_EVENT_INSTANT, nobody, BAREFXT_TEXT("off"), 0,
                BAREFXT_ARG_U32("n", ++evaluated));
  BAREFXT_LOG(off, "off", size_t{++evaluated});
  BAREFXT_BLOB(off, BAREFXT_TEXT("off"), BAREFXT_BLOB_DATA, "off", size_t{++evaluated});
  BAREFXT_LARGE_BLOB(off, BAREFXT_TEXT("off"), "off", size_t{++evaluated});
  BAREFXT_LARGE_BLOB_EVENT(off, BAREFXT_TEXT("off"), "off", size_t{++evaluated});
  BAREFXT_USERSPACE_OBJECT(off, nullptr, nobody, BAREFXT_TEXT("off"),
                           BAREFXT_ARG_U32("n", ++evaluated));
  BAREFXT_KERNEL_OBJECT(off, ++evaluated, 1, BAREFXT_TEXT("off"));
  BAREFXT_CONTEXT_SWITCH(nobody, BAREFXT_STATE_BLOCKED, nobody, BAREFXT_ARG_U32("n", ++evaluated));
  BAREFXT_THREAD_WAKEUP(nobody, BAREFXT_ARG_U32("n", ++evaluated));
  BAREFXT_PROFILER_MODULE(off, nobody, 1, "off", size_t{++evaluated}, nullptr, size_t{0});
  BAREFXT_PROFILER_MMAP(off, nobody, 1, 1, ++evaluated, 1, 1);
  BAREFXT_PROFILER_BACKTRACE(off, nobody, nullptr, size_t{++evaluated});
  EXPECT_EQ(evaluated, 0u);
  EXPECT_EQ(barefxt_stop().recorded_records, 0u);
}

TEST_F(LimitsTest, TheFunctionsWriteNothingBeforeStartAndAfterStop) {
  start();
  barefxt_stop();
  barefxt_log("late", 4);
  const std::string payload = pattern(20000);
  barefxt_blob(BAREFXT_TEXT("late"), BAREFXT_BLOB_DATA, payload.data(), payload.size());
  barefxt_kernel_object(1, 1, BAREFXT_TEXT("late"), nullptr, 0);
  EXPECT_EQ(rings[0].records_lost.value(), 0u);
  EXPECT_TRUE(stop_and_read().of_type(9).empty());
  EXPECT_EQ(joined("late"), "");
}

}  // namespace
}  // namespace barefxt::test::records_test
