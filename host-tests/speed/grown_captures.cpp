// Captures that repeat one pattern, for `rebuild` and `doctor`.
#include <memory>

#include <barefxt/host/doctor.h>
#include <barefxt/host/rebuild.h>

#include "grown.h"
#include "rebuild/capture_builder.h"
#include "top/live_trace.h"

namespace barefxt::test {
namespace {

class NullOutput final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t>) override { return {}; }
};

// Feeds in steps of 1 MiB, as the command does.
template <typename Feed>
void feed_all(const Bytes& input, const Feed& feed) {
  constexpr size_t kStep = size_t{1} << 20;
  for (size_t at = 0; at < input.size(); at += kStep)
    (void)feed(std::span(input).subspan(at, std::min(kStep, input.size() - at)));
}

void rebuild_it(const Bytes& input) {
  host::Rebuild rebuild([](const std::string&) {});
  feed_all(input, [&](auto bytes) { return rebuild.feed(bytes); });
  (void)rebuild.end_input("input");
  NullOutput nowhere;
  (void)rebuild.write(nowhere, host::ByteOrder::kLittle);
}

void examine_it(const Bytes& input) {
  host::Doctor doctor([](const std::string&) {}, [](const host::Diagnosis&) {});
  feed_all(input, [&](auto bytes) { return doctor.feed(bytes); });
  (void)doctor.end_input("input");
  (void)doctor.examine();
}

// Taken for what an ITM sends.
void rebuild_itm(const Bytes& input) {
  host::Rebuild rebuild([](const std::string&) {});
  rebuild.read_itm(host::ItmForm::kPlain);
  feed_all(input, [&](auto bytes) { return rebuild.feed(bytes); });
  (void)rebuild.end_input("input");
  NullOutput nowhere;
  (void)rebuild.write(nowhere, host::ByteOrder::kLittle);
}

// Several looks at a capture while it arrives, as `top` has them.
void watch_it(const Bytes& input) {
  host::Rebuild rebuild([](const std::string&) {});
  top::LiveTrace trace(rebuild, false);
  const size_t step = input.size() / 4 + 1;
  for (size_t at = 0; at < input.size(); at += step) {
    (void)rebuild.feed(std::span(input).subspan(at, std::min(step, input.size() - at)));
    trace.advance(false);
    (void)trace.figures();
  }
  (void)rebuild.end_input("input");
  trace.finish();
  (void)trace.figures();
}

Bytes text(const std::string& characters) { return {characters.begin(), characters.end()}; }

Bytes repeated(const Bytes& piece, size_t size) {
  Bytes all;
  while (all.size() < size) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

Bytes joined(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Frames of a real capture, each without its last third.
Bytes cut_frames() {
  Bytes all;
  for (const Bytes& frame : two_cpu_capture().frames()) {
    const Bytes coded = binary_form({frame});
    all.insert(all.end(), coded.begin(),
               coded.begin() + static_cast<ptrdiff_t>(coded.size() * 2 / 3));
    all.push_back(0);
  }
  return all;
}

// Calls of one thread that nest, then exits of another function. One word each: type 13, exit or
// not, the function, 20 bits of time; the first of a segment is of two words, with the thread.
Bytes nested_calls(size_t size) {
  constexpr size_t kCallsOfSegment = 500;
  constexpr uint64_t kCall = 13 | uint64_t{1} << 19;
  constexpr uint64_t kExit = 1 << 16;
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  const size_t calls = size / 8;
  for (size_t i = 0; i < calls; ++i) {
    const uint64_t call = kCall | (i < calls / 2 ? uint64_t{7} << 20 : kExit | uint64_t{8} << 20);
    const bool is_first = i % kCallsOfSegment == 0;
    if (is_first)
      capture.pieces.push_back(
          {.cpu = 0, .segment = static_cast<uint32_t>(i / kCallsOfSegment), .records = {}});
    capture.pieces.back().records.push_back(
        is_first ? Words{call | 2 << 4 | uint64_t{1} << 44, 1000 + i}
                 : Words{call | 1 << 4 | ((1000 + i) & 0xfffff) << 44});
  }
  return binary_form(capture.frames());
}

// Segments of one CPU whose numbers fall, with a record each or without one.
Bytes falling(size_t size, bool has_records) {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  const auto pieces = static_cast<uint32_t>(size / 64);
  for (uint32_t i = 0; i < pieces; ++i) {
    std::vector<Words> records;
    if (has_records) records.push_back(instant(1000 + 10 * uint64_t{i}, 1, 1, 2, 3, i));
    capture.pieces.push_back({.cpu = 0, .segment = pieces - i, .records = records});
  }
  return binary_form(capture.frames());
}

// One capture whose tables and segments grow.
Bytes capture_of(size_t size, const std::function<void(TestCapture&, size_t)>& fill) {
  TestCapture capture = two_cpu_capture(1, 1);
  fill(capture, size);
  return binary_form(capture.frames());
}

}  // namespace

std::vector<Grown> grown_captures() {
  // A quarter of those that are kept apart.
  constexpr size_t kCpus = 1024;
  constexpr size_t kBytesOfCpu = 256;
  constexpr size_t kBytesOfBareCpu = 64;
  using Make = std::function<Bytes(size_t)>;
  const auto all_of = [](Bytes piece) {
    return Make([piece = std::move(piece)](size_t size) { return repeated(piece, size); });
  };
  const auto behind = [](const Bytes& before, const Bytes& piece) {
    return Make([=](size_t size) { return joined(before, repeated(piece, size)); });
  };
  const Bytes whole = binary_form(two_cpu_capture().frames());
  const Bytes data_frame = binary_form({two_cpu_capture().frames()[4]});
  const std::pair<const char*, Make> patterns[] = {
      {"Zeros", all_of({0})},
      {"ZerosBehindACapture", behind(whole, {0})},
      {"ZerosBehindATornChunk", behind(text("torn"), {0})},
      {"Ones", all_of({1})},
      {"Bytes0xff", all_of({0xff})},
      {"LineFeeds", all_of(text("\n"))},
      {"OneLetter", all_of(text("A"))},
      {"OneByteBetweenZeros", all_of({1, 0})},
      {"OneByteBetweenManyZeros", all_of(joined({'x'}, Bytes(1000, 0)))},
      {"OneFrame", all_of(data_frame)},
      {"OneCapture", all_of(whole)},
      {"CutFrames", all_of(cut_frames())},
      {"FramesWithoutZeros", all_of(Bytes(data_frame.begin() + 1, data_frame.end() - 1))},
      {"Base64WithoutEnd", behind(text("barefxt:"), text("QUJD"))},
      {"Prefixes", all_of(text("barefxt:"))},
      {"PrefixesAndNoDigits", all_of(text("barefxt:!"))},
      {"CutTextFrames", all_of(text("barefxt:QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo\n"))},
      {"Strings",
       [](size_t size) {
         return capture_of(size, [](TestCapture& capture, size_t bytes) {
           while (capture.strings.size() < std::min<size_t>(bytes / 16, 30000))
             capture.strings.push_back("string " + std::to_string(capture.strings.size()));
         });
       }},
      {"Threads",
       [](size_t size) {
         return capture_of(size, [](TestCapture& capture, size_t bytes) {
           for (uint32_t i = 0; i < bytes / 32; ++i)
             capture.threads.push_back({.index = 0,
                                        .koid = 1000 + i,
                                        .process = 1,
                                        .name = "thread " + std::to_string(i)});
         });
       }},
      {"ThreadsOfOneName",
       [](size_t size) {
         return capture_of(size, [](TestCapture& capture, size_t bytes) {
           for (uint32_t i = 0; i < bytes / 32; ++i)
             capture.threads.push_back(
                 {.index = 0, .koid = 1000 + i, .process = 1, .name = "same"});
         });
       }},
      {"NestedCalls", nested_calls},
      // Each with records between those of all others.
      {"Cpus",
       [](size_t size) {
         TestCapture capture = two_cpu_capture(0);
         capture.cpus = static_cast<unsigned>(size / kBytesOfCpu);
         for (unsigned cpu = 0; cpu < capture.cpus; ++cpu) {
           std::vector<Words> records;
           for (uint64_t i = 0; i < 4; ++i)
             records.push_back(instant(1000 + 5000 * i + cpu, 1, 1, 2, 3, cpu));
           capture.pieces.push_back(
               {.cpu = static_cast<uint16_t>(cpu), .segment = 0, .records = records});
         }
         return binary_form(capture.frames());
       }},
      // Losses of each behind its last record are unknown until the line ends.
      {"CpusWithoutEnd",
       [](size_t size) {
         TestCapture capture = two_cpu_capture(0);
         capture.cpus = static_cast<unsigned>(size / kBytesOfBareCpu);
         std::vector<Bytes> frames = capture.frames();
         frames.pop_back();
         return binary_form(frames);
       }},
      // Newest first.
      {"FallingSegments", [](size_t size) { return falling(size, true); }},
      {"FallingEmptySegments", [](size_t size) { return falling(size, false); }},
      // One between any two records.
      {"Losses",
       [](size_t size) {
         TestCapture capture = two_cpu_capture(0);
         for (uint32_t i = 0; i < size / 192; ++i)
           capture.pieces.push_back({.segment = i,
                                     .records = {instant(1000 + 10 * uint64_t{i}, 1, 1, 2, 3, i)},
                                     .records_lost = i});
         return binary_form(capture.frames());
       }},
      {"Segments",
       [](size_t size) {
         const auto pieces = static_cast<unsigned>(std::max<size_t>(1, size / 512));
         return binary_form(two_cpu_capture(pieces, 4).frames());
       }},
  };
  std::vector<Grown> all;
  for (const auto& [name, make] : patterns) {
    const auto add = [&all, of_size = make](const std::string& title, void (*use)(const Bytes&)) {
      // Patterns must be longer than the longest frame, 33 KiB; tables are one frame. Calls of the
      // largest short input nest as deep as they are followed, 4096.
      const bool is_table =
          title.find("Threads") != std::string::npos || title.find("Strings") != std::string::npos;
      const bool is_watched_always = title.find("Falling") != std::string::npos ||
                                     title.find("WatchCpus") == 0 || title == "WatchSegments" ||
                                     title == "WatchThreads" || title == "WatchLosses";
      const bool only_full = (use == examine_it && title != "DoctorZeros") ||
                             (use == watch_it && !is_watched_always) ||
                             (use == rebuild_itm && title != "ItmOnes") ||
                             title == "RebuildOneByteBetweenZeros" || title == "RebuildLineFeeds";
      const bool is_nested = title.find("NestedCalls") != std::string::npos;
      // 256 losses, which are as many records as are read ahead of one.
      const bool is_lossy = title.find("Losses") != std::string::npos;
      all.push_back({title,
                     is_table    ? 1U
                     : is_nested ? 5U
                     : is_lossy  ? 4U
                                 : 16U,
                     only_full, [of_size, use](size_t size) -> std::function<void()> {
                       auto input = std::make_shared<const Bytes>(of_size(size));
                       return [input, use] { use(*input); };
                     }});
      const bool has_bare_cpus = title.find("CpusWithoutEnd") != std::string::npos;
      const bool has_cpus = title.find("Cpus") != std::string::npos;
      if (has_cpus) all.back().most = kCpus * (has_bare_cpus ? kBytesOfBareCpu : kBytesOfCpu);
    };
    add(std::string("Rebuild") + name, rebuild_it);
    add(std::string("Doctor") + name, examine_it);
    add(std::string("Watch") + name, watch_it);
    add(std::string("Itm") + name, rebuild_itm);
  }
  return all;
}

}  // namespace barefxt::test
