// An interrupt at every instruction of every write path: see sweep/ for what happens at each. The
// kernel checks what its ring holds; here is what it has to show for it, and that no instruction
// was left out.
//
// With BAREFXT_FULL=1 in the environment that happens at every instruction of every image, in more
// places, which takes hours. Without, at every k-th of one image for each instruction set.

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "image_code.h"
#include "key_values.h"
#include "masked_windows.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

struct Sweep {
  std::vector<KeyValues> lines;                    // SWEEP
  std::vector<KeyValues> monitors;                 // MONITOR
  std::map<std::string, std::set<uint64_t>> hits;  // by path
  uint64_t boots = 0;                              // by resets
  bool complete = false;
};

// The kernel's word for how much of a sweep there is.
std::string extent() { return is_full_run() ? "full" : "short"; }

// Which instructions are interrupted: every one, or every so manyth. Prime, so that no loop's
// length is a multiple of it.
uint32_t every(const Image& image, const std::string& what) {
  if (is_full_run() || what == "monitor") return 1;
  // Emulated slowly.
  const bool is_slow = image.target == "m68k" || image.target == "cortex-m0";
  return is_slow ? 53 : 43;
}

Sweep run(const Image& image, const std::string& what, const std::string& kernel = {}) {
  Boot options = {.build = image.build,
                  .image = kernel,
                  .arguments = "mode=sweep sweep=" + what + " extent=" + extent() +
                               " every=" + std::to_string(every(image, what)),
                  .counting = true,
                  .keeps_code = what == "reset"};
  if (is_full_run()) options.timeout_seconds = 36000;
  const Booted booted = boot(options);
  const std::string console = read_file(booted.uart);
  EXPECT_EQ(booted.status, 0) << read_file(booted.file("qemu.log"));

  Sweep sweep;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (line == "SWEEP end") {
      sweep.complete = true;
    } else if (first == "SWEEP") {
      sweep.lines.push_back(read_key_values(words));
    } else if (first == "MONITOR") {
      sweep.monitors.push_back(read_key_values(words));
    } else if (first == "RESETS") {
      sweep.boots = number(read_key_values(words), "boots");
    } else if (first == "HIT") {
      const KeyValues fields = read_key_values(words);
      for (uint64_t at = number(fields, "from"); at < number(fields, "to"); ++at)
        sweep.hits[fields.at("path")].insert(at);
    } else {
      ADD_FAILURE() << line;
    }
  }
  EXPECT_TRUE(sweep.complete);
  return sweep;
}

void expect_sound(const Sweep& sweep) {
  EXPECT_FALSE(sweep.lines.empty());
  for (const KeyValues& line : sweep.lines) {
    EXPECT_EQ(line.at("result"), "ok") << shown(line);
    // From one interrupt to the next the CPU got on by exactly one instruction.
    EXPECT_EQ(line.at("skipped"), "0") << shown(line);
    EXPECT_EQ(number(line, "attempted"), number(line, "read") + number(line, "lost") +
                                             number(line, "drained") + number(line, "overwritten"))
        << shown(line);
    EXPECT_EQ(number(line, "attempted_bytes"),
              number(line, "read_bytes") + number(line, "lost_bytes") +
                  number(line, "drained_bytes") + number(line, "overwritten_bytes"))
        << shown(line);
  }
}

// ---- Coverage

// Instructions that no interrupt of these sweeps comes to, and why.
enum class Where : uint8_t {
  kInline,  // the line, or what was inlined into it
  kItself,  // the line alone
  kAlone,   // the line, not inlined: in all the runtime only where a compiler names a wrong one
  // The compiler gives the code no line, in a file that it names: with a text, if that is in the
  // line that it was inlined into.
  kNoLine,
};
struct Exception {
  const char* file;
  const char* text;  // in the line; empty: all of the file
  Where where;
  const char* why;
};
constexpr Exception kExceptions[] = {
    // Before anything is reserved: how much of what the caller gave fits a record. No ring is
    // touched.
    {"argument_list.h", "", Where::kInline, "arguments that do not fit a segment together"},
    {"argument.cpp", "", Where::kInline, "arguments cut to fit a segment together"},
    {"event_c.cpp", "list.bytes()", Where::kItself, "their size, after they were cut"},
    {"scheduling_arguments.cpp", "list.bytes()", Where::kItself, "their size, after they were cut"},
    {"atomic.h", "", Where::kNoLine, "arguments that do not fit a segment together"},
    {"text.cpp", "", Where::kInline, "a text that is empty, or cut"},
    {"cut_text.h", "", Where::kInline, "a text that is cut is counted"},
    {"utf8.h", "", Where::kInline, "a text cut where a character begins"},
    {"blob.cpp", "return left < kMaxChunkBytes", Where::kItself, "a blob with several lost pieces"},
    {"blob.cpp", "if (payload_bytes > kSegmentBytes)", Where::kItself,
     "a blob larger than a segment"},
    {"session.cpp", "", Where::kInline, "categories, which the path off sets; no write path"},
    {"scheduling.cpp", "if (!names_none)", Where::kInline,
     "a thread stored late, which no interrupt makes here: ring_threads_test has it"},
    // Conditions that the compiler cannot prove.
    {"record_writer.h", "reservation_.words[wrapping_words_] = header", Where::kInline,
     "most functions never wrap a record"},
    {"record_writer.h", "RingRecordType::kTimed, words() + wrapping_words_", Where::kInline,
     "most functions never wrap a record"},
    {"record_writer.h", "at_ = write_stream(", Where::kItself, "an inline text is never empty"},
    {"record_writer.h", "stream(text.bytes,", Where::kItself, "an inline text is never empty"},
    {"segment.h", "(at_ < end_ || known_end_ != 0)) ++bare_", Where::kItself,
     "a segment that ends in a place without a placeholder, met by who interrupted its writer"},
    {"segment.h", "while (at_ < end_) {", Where::kItself, "zeros committed, see below"},
    {"stream.h", "for (uint32_t done = 0", Where::kItself,
     "a log of no bytes, which kernels do not record"},
    {"stream.h", "", Where::kNoLine, "a stream of no bytes: the way past the loop"},
    {"log.cpp", "record.stream(message, kept)", Where::kNoLine,
     "a log of no bytes: the way past the loop"},
    {"blob.cpp", "write_chunk(name, blob_type, at, chunk)", Where::kNoLine,
     "a piece of no bytes: the way past the loop"},
    {"blob.cpp", "", Where::kNoLine, "the size of a third piece"},
    {"blob.cpp", "large_blob_bytes(category, name, bytes)", Where::kNoLine,
     "the size of a blob larger than a segment, before anything is reserved"},
    {"argument.h", "return fxt::ArgumentHeader::make(type, words, {}) +", Where::kItself,
     "a text that is empty"},
    {"argument.h", "(fxt::Word{name} << fxt::ArgumentHeader::Name::kFirst) +", Where::kItself,
     "a text that is empty"},
    {"reference.h", "kInline | (bytes & kMaxStringIndex)", Where::kItself, "a text that is empty"},
    {"record_writer.h", "  }", Where::kItself, "the way back behind a text that is empty"},
    {"event.h", "return write_event_slowly<owner, now>(header, words...)", Where::kItself,
     "operands moved for the call; of an inline thread's events there is one of each kind of call"},
    {"scheduling.cpp", "if (inline_incoming)", Where::kItself, "neither thread is inline"},
    {"ring.cpp", "  Claim claim;", Where::kItself, "a ring has more than one segment"},
    {"ring.cpp", "const Claim claim = claim_segment", Where::kItself, "no such state"},
    {"ring.cpp", "claim.another_writer_claims = true", Where::kItself,
     "a copy for who finds another writer in the middle: that is who interrupts it"},
    {"ring.cpp", "if (!claim.found) continue", Where::kItself, "the end of that copy"},
    {"ring.cpp", "for (unsigned i = 0; i < kMaxTries; ++i)", Where::kItself,
     "the way out behind the last of as many swaps that failed"},
    {"atomic.h", "__atomic_compare_exchange_n(&value_, &expected, desired, true", Where::kItself,
     "CLREX where another value was found: who comes there was interrupted already"},
    {"segment.h", "", Where::kNoLine, "zeros committed, see below"},
    {"ring.cpp", "SegmentHeader& fresh = ring.segment(claim.slot)", Where::kInline,
     "a copy behind the end of the loop, where nothing was found"},
    {"ring.cpp", "if (seen == SegmentState::kClaimed", Where::kItself, "no such state"},
    {"segment_header.h", "state == SegmentState::kHeldLeaving", Where::kItself,
     "a look at a segment that is held meanwhile, met by a third"},
    {"ring.cpp", "for (uint32_t i = 1; i < ring.segments; ++i)", Where::kItself,
     "a ring has more than one segment"},
    {"ring.cpp", "  return claim;", Where::kItself, "a ring has more than one segment"},
    {"ring.cpp", "", Where::kNoLine, "a ring has more than one segment"},
    {"ring.cpp", "claim.found = overwrite(", Where::kNoLine, "a segment without a record"},
    {"ring.cpp", "if (!content.is_whole", Where::kItself, "a segment without a record"},
    {"ring.cpp", "clear_records(segment)", Where::kItself, "a segment without a record"},
    {"segment.h", "i < end / fxt::kWordBytes; ++i", Where::kItself, "a segment without a record"},
    {"segment.h", "while (at_ < end_) {", Where::kItself, "a segment without a record"},
    {"segment.h", "if (content.unfinished.records != 0)", Where::kItself,
     "a copy for a segment without a record, or without an end"},
    {"segment.h", "clear_words(segment, kSegmentHeaderBytes", Where::kNoLine,
     "a segment without a record"},
    {"segment.h", "for (uint32_t again = first", Where::kItself, "zeros committed, see below"},
    {"segment.h", "is_zero(word_at(again))", Where::kItself, "zeros committed, see below"},
    {"segment.h", "while (walker.next(record))", Where::kNoLine, "zeros committed, see below"},
    {"ring.cpp", "content = look_through(segment)", Where::kNoLine, "zeros committed, see below"},
    // A word that a look passed over as zero is a record by now: only a second interrupt could come
    // there, after one that commits in that very moment. RingTest goes through that on the host.
    //
    // Two CPUs: the oldest segment is overwritten, or held, between the look at its state and the
    // swap of it. On one CPU an interrupt has left it in the same state again when it returns.
    {"ring.cpp", "swap_state(segment, SegmentState::kLive, SegmentState::kLeaving)", Where::kInline,
     "another CPU took the segment"},
    {"ring.cpp", "swap_state(segment, SegmentState::kLeaving, then)", Where::kInline,
     "another CPU holds the segment"},
    {"ring.cpp", "SegmentState::kHeldLeaving, SegmentState::kHeld)) return false", Where::kInline,
     "another CPU holds the segment"},
    {"ring.cpp", "&this_ring() != ring) continue", Where::kItself, "the writer migrates"},
};
// m68k's code alone: GCC looks there at a segment's states one by one, which share their code
// elsewhere, and at a name's reference, for which there is no branch elsewhere.
constexpr Exception kExceptionsOfM68k[] = {
    {"reference.h", "return is_inline() ? value & kMaxStringIndex : 0", Where::kItself,
     "a text that is empty"},
    {"ring.cpp", "holds_records(seen) && segment.end.load_acquire() == 0", Where::kInline,
     "the end of a segment that is held while it is left or prepared, looked at by a third"},
    {"ring.cpp", "claim.found = overwrite(ring, position, segment, crosser)", Where::kItself,
     "another CPU holds the segment"},
    {"atomic.h", "return __atomic_fetch_add(&value_, value", Where::kAlone,
     "no such state: behind a loop, a segment found within it; the line is another's"},
};

// Masked swaps end in jumps, which GCC makes of its own.
constexpr Exception kExceptionsOfRv32NoA[] = {
    {"ring.cpp", "if (!end_look(segment, SegmentState::kClaimed))", Where::kInline,
     "a segment that is held at the first of two looks and let go at the second, by a third"},
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <size_t kCount>
bool is_among(const Exception (&exceptions)[kCount], const std::vector<SourceLine>& lines) {
  bool itself = true;
  for (const SourceLine& line : lines) {
    // If the compiler names no line, the line that it was inlined into counts.
    for (const Exception& exception : exceptions) {
      if (exception.where == Where::kNoLine &&
          (lines.front().line != 0 || (lines.size() == 1) != (*exception.text == '\0')))
        continue;
      if (exception.where == Where::kAlone && lines.size() != 1) continue;
      if ((itself || exception.where == Where::kInline) &&
          ends_with(line.file, std::string("/") + exception.file) &&
          line.text.find(exception.text) != std::string::npos)
        return true;
    }
    if (line.line != 0) itself = false;
  }
  return false;
}

bool is_excepted(const Image& image, const std::vector<SourceLine>& lines) {
  return is_among(kExceptions, lines) ||
         (image.target == "m68k" && is_among(kExceptionsOfM68k, lines)) ||
         (image.target == "rv32-no-a" && is_among(kExceptionsOfRv32NoA, lines));
}

// The functions that records are written by, as far as they are not inlined. All that these call is
// found by being hit.
constexpr const char* kWritePaths[] = {"barefxt_context_switch",
                                       "barefxt_context_switch_with",
                                       "barefxt_thread_wakeup",
                                       "barefxt_thread_wakeup_with",
                                       "barefxt_write_event",
                                       "barefxt_event",
                                       "barefxt_log",
                                       "barefxt_blob",
                                       "barefxt_large_blob",
                                       "barefxt_large_blob_event",
                                       "barefxt_kernel_object",
                                       "barefxt_userspace_object",
                                       "barefxt_profiler_module",
                                       "barefxt_profiler_mmap",
                                       "barefxt_profiler_backtrace"};

struct Coverage {
  size_t instructions = 0;  // of the runtime's functions that were hit, without padding
  size_t hit = 0;
};

Coverage coverage_of(const std::vector<Function>& functions, const std::set<uint64_t>& hits,
                     std::vector<uint64_t>* missed = nullptr,
                     std::set<std::string>* touched = nullptr) {
  Coverage coverage;
  for (const Function& function : functions) {
    if (!is_of_runtime(function.name)) continue;
    size_t hit = 0;
    size_t all = 0;
    std::vector<uint64_t> not_hit;
    for (const Instruction& instruction : function.instructions) {
      const bool is_hit = hits.count(instruction.address) != 0;
      if (instruction.is_padding && !is_hit) continue;
      ++all;
      if (is_hit)
        ++hit;
      else
        not_hit.push_back(instruction.address);
    }
    if (hit == 0) continue;
    coverage.instructions += all;
    coverage.hit += hit;
    if (touched != nullptr) touched->insert(function.name);
    if (missed != nullptr) missed->insert(missed->end(), not_hit.begin(), not_hit.end());
  }
  return coverage;
}

std::map<std::string, Coverage> coverage_by_path(const Sweep& sweep,
                                                 const std::vector<Function>& functions) {
  std::map<std::string, Coverage> coverage;
  for (const auto& [path, hits] : sweep.hits) coverage[path] = coverage_of(functions, hits);
  return coverage;
}

// ---- Parts of a report

// Prints a line for each path and mode, with the instructions if they are known.
void print(const Image& image, const std::string& what, const Sweep& sweep,
           const std::map<std::string, Coverage>& coverage) {
  constexpr const char* kCounts[] = {"interrupts",    "attempted",   "attempted_bytes",  "read",
                                     "read_bytes",    "lost",        "lost_bytes",       "drained",
                                     "drained_bytes", "overwritten", "overwritten_bytes"};
  std::map<std::pair<std::string, std::string>, std::map<std::string, uint64_t>> sums;
  for (const KeyValues& line : sweep.lines)
    for (const char* count : kCounts)
      sums[{line.at("path"), line.at("mode")}][count] += number(line, count);
  for (const auto& [names, sum] : sums) {
    const auto& [path, mode] = names;
    std::string text = "SWEEP target=" + image.target + " compiler=" + image.compiler +
                       " sweep=" + what + " path=" + path + " mode=" + mode + " extent=" + extent();
    const auto covered = coverage.find(path);
    if (covered != coverage.end())
      text += " instructions=" + std::to_string(covered->second.instructions) +
              " hit=" + std::to_string(covered->second.hit);
    for (const char* count : kCounts)
      text += std::string(" ") + count + "=" + std::to_string(sum.at(count));
    std::printf("%s\n", text.c_str());
  }
}

using MonitorTest = ::testing::TestWithParam<Image>;

class SweepTest : public ::testing::TestWithParam<Image> {
 protected:
  void expect_sound_run(const std::string& what) {
    const Sweep sweep = run(GetParam(), what);
    expect_sound(sweep);
    print(GetParam(), what, sweep, {});
  }
};

TEST_P(SweepTest, AnInterruptAtAnyInstructionOfAWriteLeavesTheRingWhole) {
  const Sweep sweep = run(GetParam(), "once");
  expect_sound(sweep);

  const std::string image = image_path(GetParam().build);
  const std::vector<Function> functions = functions_of(image);
  std::map<std::string, Coverage> coverage = coverage_by_path(sweep, functions);
  std::set<uint64_t> all_hits;
  for (const auto& [path, hits] : sweep.hits) all_hits.insert(hits.begin(), hits.end());
  std::vector<uint64_t> missed;
  std::set<std::string> touched;
  coverage["all"] = coverage_of(functions, all_hits, &missed, &touched);
  for (const char* function : kWritePaths) EXPECT_EQ(touched.count(function), 1u) << function;

  // No interrupt comes where it is masked: right behind that, instead.
  const MaskedWindows masked = masked_windows_of(functions);
  for (const uint64_t address : all_hits)
    EXPECT_EQ(masked.instructions.count(address), 0u) << "interrupted: " << std::hex << address;
  const auto is_masked = [&masked](uint64_t address) {
    return masked.instructions.count(address) != 0;
  };
  missed.erase(std::remove_if(missed.begin(), missed.end(), is_masked), missed.end());

  // If an experiment leaves out instructions, others come to many of them.
  const bool is_thorough = every(GetParam(), "once") == 1;
  EXPECT_GT(5 * coverage["all"].hit, 2 * coverage["all"].instructions);
  if (!is_thorough) missed.clear();
  const auto lines = lines_of(image, missed);
  size_t excepted = 0;
  for (size_t i = 0; i < missed.size(); ++i) {
    if (is_excepted(GetParam(), lines[i])) {
      ++excepted;
      continue;
    }
    std::ostringstream where;
    for (const SourceLine& line : lines[i])
      where << "\n  " << line.file.substr(line.file.rfind('/') + 1) << ":" << line.line << " "
            << line.text;
    ADD_FAILURE() << "never interrupted: " << std::hex << missed[i] << where.str();
  }
  print(GetParam(), "once", sweep, coverage);
  const std::string never = is_thorough ? " never=" + std::to_string(excepted) : std::string();
  std::printf(
      "SWEEP target=%s compiler=%s sweep=once path=all mode=all extent=%s instructions=%zu "
      "hit=%zu%s\n",
      GetParam().target.c_str(), GetParam().compiler.c_str(), extent().c_str(),
      coverage["all"].instructions, coverage["all"].hit, never.c_str());
}

TEST_P(SweepTest, AnInterruptInTheInterruptLeavesItWhole) { expect_sound_run("twice"); }

TEST_P(SweepTest, ASessionStartedInTheMiddleOfAWriteIsWhole) { expect_sound_run("restart"); }

TEST_P(SweepTest, AThreadSwitchedToInTheMiddleOfItsOwnWriteLeavesItWhole) {
  expect_sound_run("switch");
}

// And all of that is recovered at the next boot.
TEST_P(SweepTest, AResetAtAnyInstructionOfAWriteLosesNothingCommitted) {
  const Sweep sweep = run(GetParam(), "reset");
  expect_sound(sweep);
  uint64_t resets = 0;
  for (const KeyValues& line : sweep.lines) resets += number(line, "interrupts");
  EXPECT_EQ(resets, sweep.boots);
  EXPECT_GT(resets * every(GetParam(), "reset"), 500u);
  print(GetParam(), "reset", sweep,
        coverage_by_path(sweep, functions_of(image_path(GetParam().build))));
}

TEST_P(MonitorTest, ASwitchThatLeavesTheExclusiveMonitorSetIsFoundOut) {
  const Sweep sweep = run(GetParam(), "monitor");
  ASSERT_EQ(sweep.monitors.size(), 4u);
  EXPECT_EQ(sweep.monitors[0].at("cleared"), "1") << shown(sweep.monitors[0]);
  EXPECT_EQ(sweep.monitors[1].at("cleared"), "0") << shown(sweep.monitors[1]);
  // A path of two records, in one place at which the one thread swaps by the other's load.
  EXPECT_EQ(sweep.monitors[2].at("attempted"), "2") << shown(sweep.monitors[2]);
  EXPECT_EQ(sweep.monitors[2].at("read"), "2") << shown(sweep.monitors[2]);
  EXPECT_EQ(sweep.monitors[3].at("attempted"), "2") << shown(sweep.monitors[3]);
  EXPECT_EQ(sweep.monitors[3].at("read"), "1") << shown(sweep.monitors[3]);
  ASSERT_EQ(sweep.lines.size(), 2u);
  EXPECT_EQ(sweep.lines[0].at("action"), "switch_by_call");
  EXPECT_EQ(sweep.lines[0].at("result"), "ok") << shown(sweep.lines[0]);
  EXPECT_EQ(sweep.lines[1].at("action"), "switch_without_clrex");
  // The same where an interrupt leads to the switch: but not where a swap is one instruction, and
  // has no monitor, nor where a trap clears that by itself: as on M-profile, and as QEMU does on
  // RISC-V at every change of mode (riscv_cpu_set_mode), though other CPUs need not.
  const std::string& target = GetParam().target;
  const bool is_seen = target != "aarch64-lse" && target.compare(0, 2, "rv") != 0 &&
                       target.compare(0, 8, "cortex-m") != 0;
  EXPECT_EQ(sweep.lines[1].at("result"), is_seen ? "not_accounted_for" : "ok")
      << shown(sweep.lines[1]);
}

// Machines that have exclusive loads and stores.
std::vector<Image> images_with_exclusives() {
  std::vector<Image> images = all_images();
  const auto has_none = [](const Image& image) {
    return image.target == "x86_64" || image.target == "rv32-no-a" || image.target == "m68k" ||
           image.target == "cortex-m0";
  };
  images.erase(std::remove_if(images.begin(), images.end(), has_none), images.end());
  return images;
}

BAREFXT_TEST_IMAGES(MonitorTest, Portion::kAll, images_with_exclusives());
BAREFXT_TEST_IMAGES(SweepTest, Portion::kAll);

// A runtime that reads the address of a CPU's ring has another undisturbed path, and the rest
// alike.
class RingRegisterSweepTest : public ::testing::TestWithParam<Image> {};

TEST_P(RingRegisterSweepTest, AnInterruptAtAnyInstructionOfAWriteLeavesTheRingWhole) {
  std::vector<std::string> sweeps = {"once", "restart"};
  if (is_full_run()) sweeps.insert(sweeps.end(), {"twice", "switch"});
  for (const std::string& what : sweeps) {
    const Sweep sweep = run(GetParam(), what, kRingRegisterImage);
    expect_sound(sweep);
    if (sweep.hits.empty()) continue;
    std::set<uint64_t> all_hits;
    for (const auto& [path, hits] : sweep.hits) all_hits.insert(hits.begin(), hits.end());
    std::set<std::string> touched;
    const Coverage coverage =
        coverage_of(functions_of(image_path(GetParam().build, kRingRegisterImage)), all_hits,
                    nullptr, &touched);
    for (const char* function : kWritePaths) EXPECT_EQ(touched.count(function), 1u) << function;
    EXPECT_GT(5 * coverage.hit, 2 * coverage.instructions);
  }
}

BAREFXT_TEST_IMAGES(RingRegisterSweepTest, Portion::kAll, images_with_ring_register());

}  // namespace
}  // namespace barefxt::test
