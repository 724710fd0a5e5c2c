// A whole XRay log, thread by thread: the pieces of each thread's recording in the order of time,
// its calls made to nest.
//
// Invariants of what a thread reads as: every exit ends the call that was entered last, so readers
// that keep a stack accept it. An exit without its entry is left out. Inner calls without an exit
// end with the outer one. A tail exit names the function that leaves, whether the log does (LLVM)
// or names the function that finally returns (the specification). Each is counted. Calls without an
// exit stay open. Memory grows only with the log's threads and the depth of their calls. The limits
// of open calls that are followed are kDeepest per thread, and kMaxOpen for all threads read at
// once. Calls beyond pass unchanged, with their exits, and are counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <barefxt/host/nesting_stacks.h>
#include <barefxt/host/spooled_array.h>
#include <barefxt/host/status.h>
#include <barefxt/host/xray_reader.h>

namespace barefxt::host {

// The content of the first event in our blocks, followed by up to seven zeros. The target has no
// such event: readers that visit threads one after another take their earliest time from it.
inline constexpr std::string_view kXrayStartMarker{"barefxt\0", 8};

struct XrayRepairs {
  uint64_t orphan_exits = 0;   // left out: their call began before the recording, or was not seen
  uint64_t added_exits = 0;    // of calls inside one that ended
  uint64_t renamed_exits = 0;  // tail exits with the specification's function
  uint64_t unfollowed_calls = 0;  // beyond the limits of open ones

  void add(const XrayRepairs& other) {
    orphan_exits += other.orphan_exits;
    added_exits += other.added_exits;
    renamed_exits += other.renamed_exits;
    unfollowed_calls += other.unfollowed_calls;
  }
};

class XrayLog {
 public:
  struct Thread {
    XrayThreadId id;
    XrayWallClock wall_clock;
    uint16_t first_cpu = 0;
    size_t first_stretch = 0;
    size_t stretches = 0;
  };
  // A stretch of the log that is one thread's without a break.
  struct Stretch {
    XrayThreadId id;
    uint64_t first_tsc;
    XrayReader::Place place;
  };

  static constexpr size_t kMaxThreads = 65536;

  // Hears where reading stands, so that memory of what is behind can be used otherwise.
  using ReleaseBefore = std::function<void(uint64_t offset)>;
  // `bytes` must outlive it.
  static Result<std::unique_ptr<XrayLog>> open(Bytes bytes, const std::string& name,
                                               ReleaseBefore release_before = {});

  // At its end; what it met on its way is the whole log's.
  const XrayReader& reader() const { return reader_; }
  const XrayHeader& header() const { return reader_.header(); }
  // In the order of their ids.
  const std::vector<Thread>& threads() const { return threads_; }
  uint64_t calls() const { return calls_; }
  uint64_t events() const { return events_; }
  // Threads beyond the first kMaxThreads, whose records are left out.
  uint64_t threads_left_out() const { return threads_left_out_; }
  // The earliest of all records; 0 if there is none.
  uint64_t first_tsc() const { return first_tsc_; }

  void release_before(uint64_t offset) const {
    if (release_before_) release_before_(offset);
  }
  std::span<const Stretch> stretches_of(const Thread& thread) const {
    return stretches_.all().subspan(thread.first_stretch, thread.stretches);
  }

 private:
  XrayLog(const XrayReader& reader, ReleaseBefore release_before)
      : reader_(reader), release_before_(std::move(release_before)) {}
  Status index();

  XrayReader reader_;
  ReleaseBefore release_before_;
  SpooledArray<Stretch> stretches_;
  std::vector<Thread> threads_;
  uint64_t threads_left_out_ = 0;
  uint64_t calls_ = 0;
  uint64_t events_ = 0;
  uint64_t first_tsc_ = 0;
};

struct XrayOpenCall {
  uint32_t key;    // the function
  uint32_t chain;  // the first of those that became this one by tail calls
};

class XrayThreadReader {
 public:
  using OpenCalls = NestingStacks<XrayOpenCall>;
  static constexpr size_t kDeepest = 65536;
  static constexpr size_t kMaxOpen = size_t{1} << 20;

  // `open` is of all threads that are read at once. It must outlive them.
  XrayThreadReader(const XrayLog& log, const XrayLog::Thread& thread, OpenCalls& open);

  // The next call or event, null at the end. It holds until the next call.
  const XrayRecord* next();
  const XrayRepairs& repairs() const { return repairs_; }

 private:
  const XrayRecord* read();
  const XrayRecord* entered(const XrayRecord& record);
  const XrayRecord* left(const XrayRecord& record);

  const XrayLog* log_;
  XrayReader reader_;
  std::span<const XrayLog::Stretch> stretches_;
  size_t stretch_ = 0;
  bool in_stretch_ = false;
  OpenCalls& open_;
  OpenCalls::Stack calls_;
  uint64_t deeper_ = 0;                // open calls than are followed
  std::optional<uint32_t> tail_call_;  // the chain that the next entry belongs to
  XrayRecord exit_;                    // that is being written
  XrayRecord waiting_;                 // until the calls in it have ended
  size_t to_end_ = 0;                  // calls; the last is the waiting exit's
  XrayRepairs repairs_;
};

}  // namespace barefxt::host
