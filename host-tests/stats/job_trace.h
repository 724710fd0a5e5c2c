// An archive with jobs, at a million ticks a second, that a test writes record by record.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test {

class JobTrace {
 public:
  static constexpr uint64_t kIdle = 9;
  static constexpr uint64_t kPseudo = 20;
  using Type = fxt::EventType;
  using State = fxt::ThreadState;
  using Arguments = std::vector<host::ArchiveArgument>;

  static Arguments terms(uint64_t period_us, uint64_t deadline_us = 0) {
    return {host::ArchiveArgument::uint64(text("period_ns"), period_us * 1000),
            host::ArchiveArgument::uint64(text("deadline_ns"), deadline_us * 1000)};
  }
  static Arguments overrun(uint64_t period_us) {
    Arguments all = terms(period_us);
    all.push_back(host::ArchiveArgument::boolean(text("overrun"), true));
    return all;
  }

  void event(Type type, uint64_t time, uint64_t thread, const std::string& name,
             const Arguments& arguments = {}) {
    add(time, [=](host::ArchiveWriter& writer) {
      add_event(writer, type, time, {0, 5, thread}, "job", name, thread, arguments);
    });
  }
  void begin(uint64_t time, uint64_t thread, const std::string& name, const Arguments& arguments) {
    event(Type::kDurationBegin, time, thread, name, arguments);
  }
  void end(uint64_t time, uint64_t thread, const std::string& name) {
    event(Type::kDurationEnd, time, thread, name);
  }
  void wake(uint64_t time, uint64_t thread) {
    add(time, [=](host::ArchiveWriter& writer) {
      (void)writer.thread_wakeup({.timestamp = time, .cpu = 0, .thread = thread}, {});
    });
  }
  void change(uint64_t time, uint64_t out, State state, uint64_t in) {
    add(time, [=](host::ArchiveWriter& writer) {
      add_switch(writer, time, 0, {5, out, 1}, state, {5, in, 1});
    });
  }
  // From idle to the thread, and back when it blocks.
  void run(uint64_t from, uint64_t to, uint64_t thread) {
    change(from, kIdle, State::kNew, thread);
    change(to, thread, State::kBlocked, kIdle);
  }
  // Nothing that was recorded between is kept.
  void lose(uint64_t from, uint64_t to) {
    std::erase_if(records_, [&](const Record& one) { return one.time > from && one.time < to; });
    add(to, [=](host::ArchiveWriter& writer) {
      add_event(writer, Type::kDurationComplete, from, {0, 7, kPseudo}, "barefxt", "drop_stats",
                to);
    });
  }
  // A record of no job, so that the trace lasts until then.
  void until(uint64_t time) {
    add(time, [=](host::ArchiveWriter& writer) { writer.log(time, {0, 7, kPseudo}, "end"); });
  }

  std::string archive() {
    records_.sort([](const Record& a, const Record& b) { return a.time < b.time; });
    MemoryArchive writer(1'000'000);
    name_thread(writer, kIdle, 0, "idle/0");
    name_thread(writer, kPseudo, 7, "cpu-0");
    name_thread(writer, 1, 5, "sensor");
    name_thread(writer, 2, 5, "motor, left");
    for (const Record& one : records_) one.write(writer);
    return writer.text();
  }

 private:
  struct Record {
    uint64_t time;
    std::function<void(host::ArchiveWriter&)> write;
  };
  void add(uint64_t time, std::function<void(host::ArchiveWriter&)> write) {
    records_.push_back({time, std::move(write)});
  }

  std::list<Record> records_;  // whose sort keeps those of one time in their order
};

}  // namespace barefxt::test
