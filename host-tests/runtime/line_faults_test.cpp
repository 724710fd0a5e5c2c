// Random faults between target and host. In spite of all faults, records that arrived whole are in
// the archive, nothing is invented or doubled, and the reported losses are the real ones.
//
// The captures are the runtime's own, in each form, each mode, with and without losses on the
// target. All their records are numbered. A frame counts as whole if its very bytes are there,
// between zeros or behind the prefix: found here by comparing, without a CRC.
#include "line_faults.h"

#include <map>
#include <set>

#include <barefxt/host/frame_scanner.h>
#include <barefxt/wire/frame.h>

#include "../build_kind.h"
#include "rebuild/record_decoder.h"
#include "session_fixture.h"

namespace barefxt::test::line_faults_test {
namespace {

struct SentFrame {
  wire::FrameType type{};
  uint32_t sequence = 0;
  uint16_t cpu = 0;  // of records
  std::vector<uint64_t> numbers;
  uint64_t before = 0;  // records of this CPU
};

struct Sent {
  Bytes line;
  bool is_text = false;
  std::map<std::string, SentFrame> frames;  // by their bytes, COBS or base64
  std::map<uint16_t, uint64_t> records;     // by CPU
  uint64_t lost_in_rings = 0;
};

// Calls `take` with the bytes between zeros; and, if these are no frame, with those behind
// prefixes. In the order of the line.
template <typename Take>
void for_each_candidate(const Bytes& line, const Take& take) {
  const std::string all(line.begin(), line.end());
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find('\0', at), all.size());
    const std::string chunk = all.substr(at, end - at);
    at = end + 1;
    if (chunk.empty() || take(chunk)) continue;
    for (size_t prefix = chunk.find(wire::kTextPrefix); prefix != std::string::npos;
         prefix = chunk.find(wire::kTextPrefix, prefix + 1)) {
      const size_t begin = prefix + sizeof wire::kTextPrefix - 1;
      const size_t next = chunk.find(wire::kTextPrefix, begin);
      const size_t behind = std::min({chunk.find_first_not_of(digits, begin), next, chunk.size()});
      take(chunk.substr(begin, behind - begin));
    }
  }
}

class OneFrame final : public host::FrameSink {
 public:
  void on_frame(const host::Frame& whole) override {
    frame.type = static_cast<wire::FrameType>(whole.type);
    frame.sequence = whole.sequence;
    found = true;
    if (frame.type != wire::FrameType::kRecords) return;
    Bytes raw(whole.payload.begin(), whole.payload.end());
    if (whole.version == wire::kVersionOfPacked) {
      ASSERT_TRUE(host::uncode_records(whole.payload, host::ByteOrder::kLittle, raw));
    }
    frame.cpu = wire::load_u16(raw.data());
    frame.before = wire::load_u64(&raw[wire::Records::kRecordsBefore]);
    for (size_t at = wire::Records::kWords; at < raw.size();) {
      at += 8 * fxt::RecordHeader::SizeWords::in(wire::load_u64(&raw[at]));
      frame.numbers.push_back(wire::load_u64(&raw[at - 8]) >> 32);  // the last word's value
    }
  }
  void on_damaged(uint64_t /*input_offset*/) override {}
  void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override {}

  SentFrame frame;
  bool found = false;
};

// The sums of the archive's losses.
struct ReportedLosses {
  std::map<uint64_t, uint64_t> on_line;  // by CPU
  std::map<uint64_t, uint64_t> unknown;  // places
  uint64_t in_rings = 0;
};

ReportedLosses losses_in(const PlainArchive& archive) {
  ReportedLosses reported;
  for (const PlainRecord& record : archive.records) {
    if (record.type != 4 || record.category != "barefxt" || record.name != "drop_stats") continue;
    const uint64_t cpu = record.thread - 0x7f000000;
    const PlainArgument* records = record.argument("records");
    const bool on_line = record.argument("where")->text == "line";
    if (!on_line) {
      reported.in_rings += records != nullptr ? records->bits : 0;
    } else if (records != nullptr) {
      reported.on_line[cpu] += records->bits;
    } else {
      ++reported.unknown[cpu];
    }
  }
  return reported;
}

class LineFaultsTest : public SessionTest {
 protected:
  // Numbers from `base` on, on three CPUs in turns.
  static void write(uint32_t base, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 20) {
      run_on_cpu(i / 20 % 3);
      write_numbers(base + i, base + i + 20);
    }
    run_on_cpu(0);
  }

  static Sent as_sent(const Bytes& line, bool is_text) {
    Sent sent;
    sent.line = line;
    sent.is_text = is_text;
    for_each_candidate(line, [&](const std::string& bytes) {
      if (is_text && bytes.find(wire::kTextPrefix) != std::string::npos) return false;
      OneFrame sink;
      host::FrameScanner scanner(sink);
      const std::string framed = is_text ? wire::kTextPrefix + bytes : bytes;
      scanner.feed({reinterpret_cast<const uint8_t*>(framed.data()), framed.size()});
      scanner.finish();
      if (!sink.found) return false;
      sent.frames[bytes] = sink.frame;
      sent.records[sink.frame.cpu] += sink.frame.numbers.size();
      return true;
    });
    const Rebuilt rebuilt = rebuild(line);
    EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    sent.lost_in_rings = losses_in(decode_plainly(rebuilt.archive)).in_rings;
    return sent;
  }

  Sent dumped(barefxt_mode mode, unsigned segments, uint32_t base, uint32_t count,
              barefxt_dump_form form) {
    start(segments, ~0u, mode);
    write(base, count);
    barefxt_stop();
    return as_sent(dump(form), form == BAREFXT_DUMP_TEXT || form == BAREFXT_DUMP_TEXT_CODED);
  }

  Sent streamed(uint32_t base, uint32_t count, size_t room, barefxt_dump_form form) {
    start(3, ~0u, BAREFXT_MODE_STREAMING);
    Bytes line;
    Bytes buffer(room);
    const auto drain = [&] {
      while (const size_t bytes = barefxt_drain(buffer.data(), room, form))
        line.insert(line.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(bytes));
    };
    // The first half finds room, of the second some is dropped.
    for (uint32_t i = 0; i < count / 2; i += 60) {
      write(base + i, 60);
      drain();
    }
    write(base + count / 2, count / 2);
    drain();
    barefxt_stop();
    while (!barefxt_drain_is_over()) drain();
    return as_sent(line, form == BAREFXT_DUMP_TEXT || form == BAREFXT_DUMP_TEXT_CODED);
  }

  std::vector<Sent> captures() {
    return {
        dumped(BAREFXT_MODE_ONE_SHOT, 4, 100000, 360, BAREFXT_DUMP_BINARY),
        dumped(BAREFXT_MODE_ONE_SHOT, 8, 200000, 900, BAREFXT_DUMP_BINARY_CODED),
        dumped(BAREFXT_MODE_ONE_SHOT, 4, 300000, 360, BAREFXT_DUMP_TEXT),
        dumped(BAREFXT_MODE_CIRCULAR, 3, 400000, 1800, BAREFXT_DUMP_TEXT_CODED),
        dumped(BAREFXT_MODE_CIRCULAR, 3, 500000, 1500, BAREFXT_DUMP_BINARY),
        streamed(600000, 3600, 1100, BAREFXT_DUMP_BINARY_CODED),
        streamed(700000, 1200, BAREFXT_DRAIN_BYTES, BAREFXT_DUMP_TEXT),
    };
  }

  // Holds the archive of `line` against what was sent and is whole in it. `sent`: one or two.
  static void expect_truth(const Bytes& line, const std::vector<const Sent*>& sent) {
    // By capture, the numbers of frames that are there.
    std::map<const Sent*, std::map<uint32_t, const SentFrame*>> there;
    for_each_candidate(line, [&](const std::string& bytes) {
      for (const Sent* capture : sent) {
        const auto frame = capture->frames.find(bytes);
        if (frame == capture->frames.end()) continue;
        there[capture][frame->second.sequence] = &frame->second;
        return true;
      }
      return false;
    });

    std::multiset<uint64_t> numbers_there;
    std::map<uint64_t, uint64_t> lost;
    std::set<uint64_t> unknown;
    std::set<uint64_t> may_be_unknown;
    bool is_whole = true;
    bool has_all_ends = true;
    uint64_t lost_in_rings = 0;
    for (const auto& [capture, frames] : there) {
      bool has_end = false;
      bool has_hello = false;
      std::map<uint16_t, uint64_t> records;
      std::map<uint16_t, uint64_t> known;  // of these it is known that they were sent
      std::map<uint16_t, uint32_t> last;   // frame
      for (const auto& [sequence, frame] : frames) {
        has_end = has_end || frame->type == wire::FrameType::kEnd;
        has_hello = has_hello || frame->type == wire::FrameType::kHello;
        if (frame->type != wire::FrameType::kRecords) continue;
        numbers_there.insert(frame->numbers.begin(), frame->numbers.end());
        records[frame->cpu] += frame->numbers.size();
        known[frame->cpu] = std::max(known[frame->cpu], frame->before + frame->numbers.size());
        last[frame->cpu] = sequence;
      }
      is_whole = is_whole && frames.size() == capture->frames.size();
      has_all_ends = has_all_ends && has_end;
      lost_in_rings += capture->lost_in_rings;
      for (const auto& [cpu, all] : capture->records) {
        if (has_end) known[cpu] = all;
        lost[cpu] += known[cpu] - records[cpu];
        if (has_end) continue;
        // Without hello a CPU that has no frame is not known.
        if (known[cpu] < all && (has_hello || last.count(cpu) != 0)) unknown.insert(cpu);
        for (const auto& [bytes, frame] : capture->frames)
          if (frame.type != wire::FrameType::kEnd && frame.sequence >= last[cpu] &&
              frames.count(frame.sequence) == 0)
            may_be_unknown.insert(cpu);
      }
    }

    const Rebuilt rebuilt = rebuild(line);
    expect_sound(rebuilt);
    if (there.empty()) {
      EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kNothing);
      return;
    }
    if (is_whole) {
      EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
    }
    if (!has_all_ends) {
      EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete) << rebuilt.messages;
    }
    const PlainArchive archive = decode_plainly(rebuilt.archive);
    const std::vector<uint64_t> found = test::numbers(archive);
    EXPECT_TRUE(std::multiset<uint64_t>(found.begin(), found.end()) == numbers_there)
        << found.size() << " records, of " << numbers_there.size() << "\n"
        << rebuilt.messages;
    const ReportedLosses reported = losses_in(archive);
    for (const auto& [cpu, records] : lost) {
      const auto of_cpu = reported.on_line.find(cpu);
      EXPECT_EQ(of_cpu != reported.on_line.end() ? of_cpu->second : 0, records)
          << "cpu " << cpu << "\n"
          << rebuilt.messages;
      if (records != 0) {
        EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kIncomplete);
      }
    }
    for (const uint64_t cpu : unknown)
      EXPECT_EQ(reported.unknown.count(cpu), 1u) << "cpu " << cpu << "\n" << rebuilt.messages;
    for (const auto& [cpu, places] : reported.unknown)
      EXPECT_TRUE(cpu == 3 || may_be_unknown.count(cpu) != 0) << "cpu " << cpu << "\n"
                                                              << rebuilt.messages;
    if (has_all_ends) {
      EXPECT_EQ(reported.in_rings, lost_in_rings) << rebuilt.messages;
    } else {
      EXPECT_LE(reported.in_rings, lost_in_rings) << rebuilt.messages;
    }
  }
};

TEST_F(LineFaultsTest, WholeRecordsArriveAndLossesAreReportedWhateverTheLineDoes) {
  const std::vector<Sent> all = captures();
  ASSERT_FALSE(HasFailure());
  EXPECT_GT(all[3].lost_in_rings, 0u);
  EXPECT_GT(all[5].lost_in_rings, 0u);
  for (uint32_t seed = 0; seed < sampled(is_full_run() ? 10'000 : 2'500) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LineFaults faults(seed);
    const Sent& sent = all[faults.below(all.size())];
    Bytes line = sent.line;
    std::vector<const Sent*> captures = {&sent};
    if (faults.below(4) == 0) {
      const Sent& other = all[faults.below(all.size())];
      // The same one whole again is another boot's (boots_test).
      if (&other != &sent) {
        captures.push_back(&other);
        line.insert(line.end(), other.line.begin(), other.line.end());
      }
    }
    for (size_t strikes = faults.below(6); strikes > 0; --strikes)
      faults.strike(line, sent.is_text);
    expect_truth(line, captures);
  }
}

}  // namespace
}  // namespace barefxt::test::line_faults_test
