// Each fault that the doctor knows, in a capture made with that fault. Sound captures give no
// finding.
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>

#include "contains.h"
#include "doctored.h"
#include "sound_capture.h"

namespace barefxt::test::doctor_doctor_test {
namespace {

constexpr unsigned kTimeWord = 1;

// ---- Sound ----

TEST(Doctor, FindsNothingInASoundCapture) {
  for (const unsigned mode : {1u, 2u, 3u}) {
    TestCapture capture = sound_capture();
    capture.mode = mode;
    EXPECT_EQ(doctor(capture).text(), "");
    EXPECT_EQ(doctor(text_form(capture.frames())).text(), "");
  }
}

TEST(Doctor, FindsNothingInCapturesOfTheDemo) {
  for (const char* name : {"cortex-m3-circular.v1.raw", "cortex-m3-demo.v2.raw"}) {
    std::ifstream file(BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/" + std::string(name),
                       std::ios::binary);
    const Bytes bytes(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(bytes.empty());
    EXPECT_EQ(doctor(bytes).text(), "") << name;
  }
}

TEST(Doctor, ListsSoManyCapturesAndCountsTheRest) {
  constexpr size_t kMore = 3;
  Bytes input;
  TestCapture capture = sound_capture();
  capture.pieces.resize(2);
  for (size_t i = 0; i < host::Doctor::kMaxShown + kMore; ++i) {
    capture.id = static_cast<uint32_t>(1 + i);
    const Bytes one = binary_form(capture.frames());
    input.insert(input.end(), one.begin(), one.end());
  }
  size_t found = 0;
  host::Doctor work([](const std::string&) {}, [&](const host::Diagnosis&) { ++found; });
  EXPECT_TRUE(work.feed(input).ok());
  EXPECT_TRUE(work.end_input("input").ok());
  EXPECT_TRUE(work.examine().ok());
  EXPECT_EQ(work.captures().size(), host::Doctor::kMaxShown);
  EXPECT_EQ(work.more_captures(), kMore);
}

TEST(Doctor, TakesNoFlightRecorderForTooSmall) {
  TestCapture capture = sound_capture();
  capture.mode = 2;
  capture.records_lost_in_all = {500, 300};
  EXPECT_EQ(doctor(capture).text(), "");
}

TEST(Doctor, PassesOverWhatIsOpenAtTheEdges) {
  // Recording begins within an interrupt and ends within two.
  TestCapture capture = sound_capture();
  auto& first = capture.pieces.front().records;
  first.insert(first.begin(), duration_edge(3, kSoundStart, 5, 4, 5));
  auto& last = capture.pieces[capture.pieces.size() - 2].records;
  const uint64_t time = last.back()[kTimeWord];
  last.push_back(duration_edge(2, time, 5, 4, 5));
  last.push_back(duration_edge(2, time, 5, 4, 6));
  EXPECT_EQ(doctor(capture).text(), "");
}

TEST(Doctor, ExplainsNothingByWhatWasLostInBetween) {
  // Behind a loss another thread runs, in another interrupt.
  TestCapture capture = sound_capture();
  capture.mode = 2;
  auto& records = capture.pieces[4].records;
  records.erase(records.begin(), records.begin() + 4);
  for (TestPiece& piece : capture.pieces)
    if (piece.cpu == 0 && piece.segment >= 2) piece.records_lost = 4, piece.bytes_lost = 72;
  EXPECT_EQ(doctor(capture).text(), "");
}

// ---- The clock ----

TEST(Doctor, NamesAClockThatStandsStill) {
  const TestCapture capture = sound_capture([](uint16_t, std::vector<Words>& round) {
    for (Words& record : round) record[kTimeWord] = kSoundStart;
  });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "clock-stands-still clock-stands-still");
  EXPECT_TRUE(doctored.reports("cpu 1: all 224 records bear the time 1000"));
}

TEST(Doctor, NamesAClockThatIsCoarse) {
  const TestCapture capture = sound_capture([](uint16_t, std::vector<Words>& round) {
    for (Words& record : round) record[kTimeWord] = record[kTimeWord] / 1000 * 1000;
  });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "clock-coarse clock-coarse");

  TestCapture slow = sound_capture();
  slow.ticks_per_second = 100;
  EXPECT_TRUE(doctor(slow).reports("at 100 ticks a second"));
}

// A counter of 16 bits, one CPU: each round takes a fifth of its period.
TestCapture capture_of_short_counter(uint64_t start) {
  uint64_t round_number = 0;
  TestCapture capture = sound_capture([&](uint16_t cpu, std::vector<Words>& round) {
    if (cpu != 0) return round.clear();
    for (Words& record : round)
      record[kTimeWord] = (start + round_number * 13000 + record[kTimeWord] % 100) % 65536;
    ++round_number;
  });
  capture.cpus = 1;
  std::erase_if(capture.pieces, [](const TestPiece& piece) { return piece.cpu != 0; });
  capture.start_ticks = start;
  capture.stop_ticks = (start + round_number * 13000) % 65536;
  return capture;
}

TEST(Doctor, NamesAClockThatWraps) {
  const Doctored doctored = doctor(capture_of_short_counter(100));
  EXPECT_EQ(doctored.names(), "clock-wraps");
  EXPECT_TRUE(doctored.reports("time begins anew 6 times"));
  EXPECT_TRUE(doctored.reports("a counter of 16 bits"));
  EXPECT_TRUE(doctored.reports("BAREFXT_PORT_COUNTER_BITS 16"));
}

TEST(Doctor, NamesAClockThatWrappedBetweenTheLastRecordAndTheStop) {
  TestCapture capture = capture_of_short_counter(100);
  capture.pieces.resize(1);
  capture.pieces[0].records.resize(size_t{7} * 5);
  capture.stop_ticks = 20;
  EXPECT_EQ(doctor(capture).names(), "clock-wraps");
}

TEST(Doctor, NamesAClockThatGoesBack) {
  TestCapture capture = sound_capture();
  auto& records = capture.pieces[2].records;
  for (size_t i = 20; i < records.size(); ++i) records[i][kTimeWord] -= 300;
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "clock-goes-back");
  EXPECT_TRUE(doctored.reports("cpu 0: time goes back 1 time, "));
}

TEST(Doctor, KnowsACounterWhoseHalvesAreReadApart) {
  TestCapture capture = sound_capture();
  capture.pieces[2].records[20][kTimeWord] += uint64_t{1} << 32;
  EXPECT_TRUE(doctor(capture).reports("read the halves of a long counter"));
}

TEST(Doctor, NamesAClockThatLeaps) {
  TestCapture capture = sound_capture();
  for (TestPiece& piece : capture.pieces)
    if (piece.segment >= 2)
      for (Words& record : piece.records) record[kTimeWord] += 1 << 24;
  capture.stop_ticks += 1 << 24;
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "clock-leaps clock-leaps");
  EXPECT_TRUE(doctored.reports("a period of a counter of 24 bits"));
}

TEST(Doctor, NamesClocksThatAreApart) {
  // The port declares one counter for all CPUs, but that of CPU 1 was set later.
  TestCapture capture = sound_capture([](uint16_t cpu, std::vector<Words>& round) {
    for (Words& record : round)
      if (cpu == 1) record[kTimeWord] += 50'000;
  });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "clocks-apart");
  EXPECT_TRUE(doctored.reports("cpu 1: its records lie between"));
}

TEST(Doctor, NamesClocksThatWereNeverCompared) {
  TestCapture capture = sound_capture();
  capture.counter_flags = 3;
  capture.clocks = {{0, 0}, {0, ~uint64_t{0}}};
  EXPECT_EQ(doctor(capture).names(), "clocks-apart");
  capture.clocks = {{0, 0}, {5, 2}};
  EXPECT_EQ(doctor(capture).text(), "");
}

// ---- Switches and interrupts ----

TEST(Doctor, NamesMissingSwitches) {
  // The hook is not called where a thread comes in.
  const TestCapture without = sound_capture([](uint16_t, std::vector<Words>& round) {
    round.erase(round.begin() + 6);
    round.erase(round.begin());
  });
  EXPECT_EQ(doctor(without).names(), "no-switches");

  // Or only where the idle thread leaves.
  const TestCapture halved =
      sound_capture([](uint16_t, std::vector<Words>& round) { round.erase(round.begin() + 6); });
  const Doctored doctored = doctor(halved);
  EXPECT_EQ(doctored.names(), "switches-missing switches-missing");
  EXPECT_TRUE(doctored.reports("in 31 of 32 switches"));
}

TEST(Doctor, AsksForNoSwitchesWithoutThreads) {
  TestCapture capture = sound_capture([](uint16_t, std::vector<Words>& round) {
    round.erase(round.begin() + 6);
    round.erase(round.begin(), round.begin() + 2);
  });
  std::erase_if(capture.threads, [](const TestThread& thread) { return thread.kind == 2; });
  EXPECT_EQ(doctor(capture).text(), "");
}

TEST(Doctor, NamesTwoCpusWithOneNumber) {
  // Both write into the ring of CPU 0, each its own chain of switches.
  TestCapture capture = sound_capture();
  TestCapture merged = capture;
  merged.pieces.clear();
  for (size_t i = 0; i < capture.pieces.size(); i += 2) {
    TestPiece piece = capture.pieces[i];
    const auto& others = capture.pieces[i + 1].records;
    piece.records.insert(piece.records.end(), others.begin(), others.end());
    std::sort(
        piece.records.begin(), piece.records.end(),
        [](const Words& left, const Words& right) { return left[kTimeWord] < right[kTimeWord]; });
    merged.pieces.push_back(piece);
  }
  const Doctored doctored = doctor(merged);
  EXPECT_EQ(doctored.names(), "cpu-silent two-cpus-one-number");
  EXPECT_TRUE(doctored.reports("cpu 0: in 12"));
}

TEST(Doctor, NamesInterruptsThatAreNeverLeft) {
  const TestCapture capture =
      sound_capture([](uint16_t, std::vector<Words>& round) { round.erase(round.begin() + 5); });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "interrupts-unbalanced interrupts-unbalanced");
  EXPECT_TRUE(doctored.reports("never left, the first called `timer`"));
}

TEST(Doctor, NamesAnInterruptThatWasLeftTooEarlyOnce) {
  TestCapture capture = sound_capture();
  auto& records = capture.pieces[2].records;
  records.erase(records.begin() + 4);  // the inner one's end
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "interrupts-unbalanced");
  EXPECT_TRUE(
      doctored.reports("cpu 0: 1 interrupt entered and never left, the first called `uart`"));
}

TEST(Doctor, NamesInterruptsThatAreNeverEntered) {
  const TestCapture capture =
      sound_capture([](uint16_t, std::vector<Words>& round) { round.erase(round.begin() + 3); });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "interrupts-unbalanced interrupts-unbalanced");
  EXPECT_TRUE(doctored.reports("left and never entered, the first called `uart`"));
}

// ---- CPUs ----

TEST(Doctor, NamesACpuThatIsSilent) {
  TestCapture capture = sound_capture();
  std::erase_if(capture.pieces, [](const TestPiece& piece) { return piece.cpu == 1; });
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "cpu-silent");
  EXPECT_TRUE(doctored.reports("cpu 1: it recorded nothing"));
}

TEST(Doctor, NamesACpuBeyondThoseOfTheStart) {
  // It has no ring: it drops all that it would record.
  TestCapture capture = sound_capture();
  std::erase_if(capture.pieces, [](const TestPiece& piece) { return piece.cpu == 1; });
  capture.records_lost_in_all = {0, 40};
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "cpu-not-counted") << doctored.text();
  EXPECT_TRUE(doctored.reports("cpu 1: it has no ring")) << doctored.text();
  EXPECT_TRUE(doctored.reports("40 records dropped")) << doctored.text();
}

TEST(Doctor, NamesASessionWithoutRecords) {
  TestCapture capture = sound_capture();
  capture.pieces.clear();
  EXPECT_EQ(doctor(capture).names(), "no-records");
}

// ---- Room ----

TEST(Doctor, NamesARingThatIsTooSmallAndTheSizeThatSuffices) {
  TestCapture capture = sound_capture();
  capture.records_lost_in_all = {1000, 10};
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "ring-too-small");
  EXPECT_TRUE(doctored.reports("1010 records (24240 bytes) dropped"));
  // 24000 bytes and the 3840 that came: eight segments, and one to spare.
  EXPECT_TRUE(doctored.reports("give barefxt_start 73728 bytes of memory (36864 bytes for each"))
      << doctored.text();
}

TEST(Doctor, AdvisesToDrainAStreamMoreOften) {
  TestCapture capture = sound_capture();
  capture.mode = 3;
  capture.records_lost_in_all = {1000, 0};
  const Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "ring-too-small");
  EXPECT_TRUE(doctored.reports("drain more often"));
}

TEST(Doctor, NamesRecordsThatWereNeverFinished) {
  TestCapture capture = sound_capture();
  capture.unfinished_records = 2;
  EXPECT_EQ(doctor(capture).names(), "unfinished-records");
}

// ---- Names ----

TEST(Doctor, NamesThreadsWithoutNames) {
  TestCapture capture = sound_capture();
  capture.threads[1].name.clear();
  Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "threads-nameless");
  EXPECT_TRUE(doctored.reports("1 thread without a name, the first with the koid 11"));

  capture = sound_capture();
  capture.threads.erase(capture.threads.begin() + 2);
  EXPECT_EQ(doctor(capture).names(), "threads-nameless");
}

TEST(Doctor, NamesThreadsThatWereNeverRegistered) {
  TestCapture capture = sound_capture();
  Words& record = capture.pieces[0].records[1];
  record[0] = (record[0] & ~uint64_t{0xff000ff0}) | uint64_t{5} << 4;
  record.insert(record.begin() + 2, {0, 0});
  Doctored doctored = doctor(capture);
  EXPECT_EQ(doctored.names(), "threads-nameless");
  EXPECT_TRUE(doctored.reports("1 record of threads that were never registered"));
  // One without an entry in the table and without a name in the ring.
  record[3] = 77;
  EXPECT_TRUE(doctor(capture).reports("the first with the koid 77"));
  // And one that the ring names: a kernel object of the type 2, its name in line.
  capture.pieces[0].records.push_back(
      {uint64_t{7} | uint64_t{3} << 4 | uint64_t{2} << 16 | uint64_t{0x8002} << 24, 77,
       'a' | 'b' << 8});
  EXPECT_EQ(doctor(capture).text(), "");
}

TEST(Doctor, NamesAMissingTableOfStrings) {
  TestCapture capture = sound_capture();
  capture.strings.clear();
  const Doctored doctored = doctor(capture);
  EXPECT_TRUE(contains(doctored.names(), "strings-missing"));
  EXPECT_TRUE(doctored.reports("the image has no table"));
}

// ---- The line ----

Bytes without(Bytes bytes, const std::function<bool(uint8_t)>& is_dropped) {
  std::erase_if(bytes, is_dropped);
  return bytes;
}

TEST(Doctor, NamesAnInputInWhichNothingArrived) {
  EXPECT_EQ(doctor(Bytes{}).names(), "nothing-arrived");
}

TEST(Doctor, NamesConsoleTextWithoutATrace) {
  EXPECT_EQ(doctor(ByteBuilder().raw("boot\r\nready> \x1b[1mhello\r\n").bytes()).names(),
            "text-only");
}

TEST(Doctor, NamesLinesThatAreBroken) {
  // A terminal that wraps at 80 columns.
  const Bytes whole = text_form(sound_capture().frames());
  Bytes wrapped;
  size_t column = 0;
  for (const uint8_t byte : whole) {
    if (byte == '\n') column = 0;
    wrapped.push_back(byte);
    if (++column % 80 == 0) wrapped.push_back('\n');
  }
  const Doctored doctored = doctor(wrapped);
  EXPECT_TRUE(contains(doctored.names(), "frames-missing")) << doctored.text();
}

TEST(Doctor, NamesGarbage) {
  // Bits received at another speed look like this.
  Bytes noise;
  uint32_t state = 1;
  for (int i = 0; i < 4000; ++i) {
    state = state * 1664525 + 1013904223;
    noise.push_back(static_cast<uint8_t>((state >> 24) | 0x80 >> (state >> 8 & 7)));
  }
  const Doctored doctored = doctor(noise);
  EXPECT_EQ(doctored.names(), "garbage");
  EXPECT_TRUE(doctored.reports("is the line's speed that of the target's UART"));

  for (uint8_t& byte : noise) byte &= 0x7f;
  EXPECT_TRUE(doctor(noise).reports("8 data bits"));
}

TEST(Doctor, NamesBytesInAnotherOrder) {
  for (const size_t group : {2u, 4u, 8u}) {
    Bytes bytes = binary_form(sound_capture().frames());
    bytes.resize(bytes.size() / group * group);
    for (size_t at = 0; at < bytes.size(); at += group)
      std::reverse(bytes.begin() + static_cast<ptrdiff_t>(at),
                   bytes.begin() + static_cast<ptrdiff_t>(at + group));
    const Doctored doctored = doctor(bytes);
    EXPECT_EQ(doctored.names(), "byte-order");
    EXPECT_TRUE(doctored.reports("each " + std::to_string(group) + " bytes"));
  }
}

TEST(Doctor, KnowsAnArchive) {
  EXPECT_EQ(doctor(words_to_bytes({0x0016547846040010})).names(), "archive");
  EXPECT_EQ(doctor(words_to_bytes({0x0016547846040010}, true)).names(), "archive");
}

TEST(Doctor, NamesFramesOfAnotherVersion) {
  EXPECT_EQ(doctor(binary_form({make_frame(1, 0, 1, 0, Bytes(50), 9)})).names(), "other-version");
}

TEST(Doctor, NamesMissingFrames) {
  std::vector<Bytes> frames = sound_capture().frames();
  frames.erase(frames.begin() + 5);
  const Doctored doctored = doctor(binary_form(frames));
  EXPECT_EQ(doctored.names(), "frames-missing");
  EXPECT_TRUE(doctored.reports("1 frame missing, and with them 56 records"));
}

TEST(Doctor, KnowsWhatATerminalDriverDoes) {
  // Enough for the counts of bytes to mean something: names with all byte values.
  TestCapture capture = sound_capture();
  for (int name = 0; name < 128; ++name) {
    std::string text;
    for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
    capture.strings.push_back(text);
  }
  const Bytes good = binary_form(capture.frames());
  ASSERT_EQ(doctor(good).text(), "");
  EXPECT_TRUE(doctor(without(good, [](uint8_t byte) {
                return byte == 0x11 || byte == 0x13;
              })).reports("flow control by XON and XOFF"));
  EXPECT_TRUE(doctor(without(good, [](uint8_t byte) {
                return byte == '\r';
              })).reports("no byte is a carriage return"));
  Bytes returned;
  for (const uint8_t byte : good) {
    if (byte == '\n') returned.push_back('\r');
    returned.push_back(byte);
  }
  EXPECT_TRUE(doctor(returned).reports("ahead of each line feed stands a carriage return"));
}

TEST(Doctor, NamesACaptureWithoutAnEnd) {
  std::vector<Bytes> frames = sound_capture().frames();
  frames.pop_back();
  EXPECT_EQ(doctor(binary_form(frames)).names(), "no-end");
  // A stream of a kernel that was not stopped.
  TestCapture stream = sound_capture();
  stream.mode = 3;
  frames = stream.frames();
  frames.resize(10);
  const Doctored doctored = doctor(binary_form(frames));
  EXPECT_EQ(doctored.names(), "no-end");
  EXPECT_TRUE(doctored.reports("call barefxt_stop"));
}

// ---- The page ----

TEST(Doctor, IsDocumentedCheckByCheck) {
  std::ifstream file(BAREFXT_SOURCE_DIR "/docs/how-to/troubleshooting.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  std::string expected;
  for (const host::DoctorCheck& check : host::doctor_checks())
    expected += "| `" + std::string(check.name) + "` | " + std::string(check.text) + " |\n";
  EXPECT_TRUE(contains(page, expected))
      << "docs/how-to/troubleshooting.md has another table than\n";
}

}  // namespace
}  // namespace barefxt::test::doctor_doctor_test
