// Resets that lose the caches, with `clean_caches`: the next boot finds the trace, but for the last
// segment of each CPU and what was unfinished when its segment was left, and nothing that is torn
// or stale.
//
// A schedule is made from a seed: which writers record what, which come in between any two accesses
// of words that others change, which lines are evicted when, and when the reset comes.
// BAREFXT_FULL=1 in the environment: a million schedules, else 1,500, in parts that may run side by
// side. BAREFXT_SEED=N: that one.

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

#include <barefxt/fxt/event.h>
#include <barefxt/ring.h>
#include <barefxt/thread_entry.h>

#include "cache_model.h"
#include "machine.h"
#include "rebuild/rebuild_harness.h"
#include "thread_table.h"

extern "C" uint8_t barefxt_retained_start[];

namespace barefxt::test::write_back_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kCpus = Machine::kCpus;
constexpr uint32_t kProcess = 10;
constexpr uint32_t kObject = 20;
constexpr uint32_t kFirstThread = 11;
constexpr unsigned kThreads = 3;
constexpr unsigned kNamed = kThreads + 2;  // the process and the object, too
constexpr uint32_t kFirstOfShortLife = 1000;
constexpr uint32_t kEventBytes = 7 * 8;  // of write_event; no other event is as long

constexpr size_t kWordBytes = 8;
constexpr uint32_t kMaxEvents = 1 << 13;  // of a CPU in a session
constexpr uint32_t kLatestLeft = 64;

uint64_t check_of(uint64_t i, uint64_t thread) { return i * 0x9e3779b97f4a7c15 ^ thread << 40; }

// The judge reads here what a boot did before its reset. The journal bypasses the cache model.
struct Journal {
  uint64_t now;
  uint32_t written[kCpus];               // events, in this session
  uint64_t finished[kCpus][kMaxEvents];  // when each was; 0: not yet
  bool is_recording;                     // from when a start has returned until the next begins
  bool is_written_back;                  // a stop or barefxt_clean_for_reader has returned
  bool is_stopped;                       // and it was a stop
  // The segment that is open, and when each of the latest was left, by its number.
  bool has_open[kCpus];
  uint32_t open[kCpus];
  uint64_t left_at[kCpus][kLatestLeft];
  uint32_t events_before;  // in the rings, when the latest start began
  // `name` has the number of each current name, `next_name` that of the one being set; 0: none.
  uint32_t name[kNamed];
  uint32_t next_name[kNamed];
  uint32_t of_short_life;   // koid of the thread that is registered now; 0: none
  uint32_t cleaners;        // contexts within barefxt_clean_for_reader
  bool is_changing_a_name;  // somebody registers, renames or unregisters
};

struct Schedule {
  explicit Schedule(uint64_t seed) : random(seed) {
    static constexpr size_t kLines[] = {32, 64, 128};
    line_bytes = kLines[random() % 3];
    shift = random() % 16 * 8;
    segments = 4 + random() % 5;
    mode = static_cast<barefxt_mode>(random() % 3);
    is_plain = random() % 4 == 0;
    interrupts = random() % 2 == 0 ? 0 : 1 + random() % 30;
    static constexpr uint32_t kEvictions[] = {0, 3, 30, 300};
    evictions = kEvictions[random() % 4];
    lives = 1 + random() % 2;
  }
  // By the word: nothing comes in between, and these words are in memory as soon as they are
  // stored, others only when they are cleaned.
  void evict_by_word() {
    is_by_word = true;
    line_bytes = kWordBytes;
    shift = 0;
    mode = random() % 4 == 0 ? BAREFXT_MODE_STREAMING : BAREFXT_MODE_CIRCULAR;
    segments = 4;
    interrupts = evictions = 0;
    lives = 1;
    const uint64_t share = random() % 3;
    const auto choose = [&] {
      return share == 0 ? random() & random() : share == 1 ? random() : random() | random();
    };
    eager_of_header = choose();
    eager_of_entry = choose();
    has_eager_records = random() % 4 == 0;
  }
  // Nobody comes in between.
  bool is_undisturbed() const { return is_plain || is_by_word; }
  bool happens(uint32_t thousandths) { return random() % 1000 < thousandths; }

  std::mt19937_64 random;
  size_t line_bytes;
  size_t shift;  // of the rings' memory, from a line's begin
  uint32_t segments;
  barefxt_mode mode;
  bool is_plain;  // nothing but events, by writers that interrupt no other
  uint32_t interrupts;
  uint32_t evictions;
  unsigned lives;
  bool is_by_word = false;
  uint64_t eager_of_header = 0;  // a bit for each word
  uint64_t eager_of_entry = 0;
  bool has_eager_records = false;
  bool ends_in_cleaning = false;  // of a header or an entry: the reset mostly comes there
  // Until the reset: accesses; and cleanings until that is only a few accesses away. 0: not
  // counted.
  uint32_t accesses_left = 0;
  uint32_t cleanings_left = 0;
};

// These belong to the boot that runs. Only one runs at a time.
Schedule* schedule;
CacheModel* cache;
Journal* journal;
bool is_recorder;
unsigned depth;
barefxt_thread threads[kThreads];

bool is_event(const SegmentWalker::Record& record) {
  return (*record.words & 0xf) == 4 && record.bytes == kEventBytes;
}

void write_event() {
  const auto cpu = static_cast<uint32_t>(schedule->random() % kCpus);
  const uint32_t before = barefxt_host_cpu;
  barefxt_host_cpu = cpu;
  const unsigned thread = schedule->random() % kThreads;
  const uint32_t i = journal->written[cpu]++;
  const uint32_t koid = kFirstThread + thread;
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &threads[thread], BAREFXT_TEXT("n"), 0,
                BAREFXT_ARG_U32("cpu", cpu), BAREFXT_ARG_U32("i", i), BAREFXT_ARG_U32("t", koid),
                BAREFXT_ARG_U64("check", check_of(i, koid)));
  journal->finished[cpu][i] = journal->now;
  barefxt_host_cpu = before;
}

// Evicts any line, or one of the latest cleaning, or behind it, where the order of evictions
// matters.
const uint8_t* latest;
size_t latest_bytes;
void evict_one() {
  const uint64_t which = schedule->random() % 3;
  if (latest == nullptr || which == 0)
    cache->evict_one(schedule->random);
  else
    cache->clean(latest + schedule->random() % (which == 1 ? latest_bytes : kSegmentBytes), 1);
}

void clean_for_reader() {
  ++journal->cleaners;
  barefxt_clean_for_reader();
  --journal->cleaners;
}

void evict_words(const void* start, size_t bytes, uint64_t which) {
  for (size_t at = 0; at < bytes; at += kWordBytes, which >>= 1)
    if (which % 2 != 0) cache->clean(static_cast<const uint8_t*>(start) + at, kWordBytes);
}
void evict_chosen_words() {
  for (const barefxt::Ring& ring : rings) {
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      const SegmentHeader& segment = ring.segment(slot);
      evict_words(&segment, kSegmentHeaderBytes, schedule->eager_of_header);
      if (schedule->has_eager_records)
        cache->clean(&segment + 1, kSegmentBytes - kSegmentHeaderBytes);
    }
  }
  for (const ThreadEntry& entry : thread_table)
    evict_words(&entry, sizeof entry, schedule->eager_of_entry);
}

// Its own accesses of shared words are no points.
bool is_noting;
void note_what_was_left() {
  is_noting = true;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    const barefxt::Ring& ring = rings[cpu];
    const PositionWord position = ring.position.load_relaxed();
    if (Position::is_closed(position)) continue;
    const uint32_t open = ring.open_segment(position).sequence;
    if (journal->has_open[cpu] && open == journal->open[cpu]) continue;
    if (journal->has_open[cpu])
      journal->left_at[cpu][journal->open[cpu] % kLatestLeft] = journal->now;
    journal->has_open[cpu] = true;
    journal->open[cpu] = open;
  }
  is_noting = false;
}

// A point at which lines are evicted, others come in, and the reset may come.
void pass() {
  if (schedule == nullptr || is_noting) return;
  if (is_recorder && journal->is_recording) note_what_was_left();
  if (schedule->is_by_word && is_recorder) evict_chosen_words();
  while (schedule->happens(schedule->evictions)) evict_one();
  if (!is_recorder) return;
  if (--schedule->accesses_left == 0) ::_exit(0);
  if (schedule->is_plain || depth == 2 || !schedule->happens(schedule->interrupts)) return;
  ++depth;
  for (uint64_t left = schedule->random() % 12; left != 0; --left) write_event();
  if (schedule->happens(100)) clean_for_reader();
  --depth;
}

// Line by line, as an instruction for each asks. They are in memory in any order, and the reset may
// come between two.
void clean(const void* start, size_t bytes) {
  if (is_recorder && schedule->ends_in_cleaning && bytes <= kSegmentHeaderBytes &&
      schedule->happens(15))
    schedule->accesses_left =
        static_cast<uint32_t>(1 + schedule->random() % (bytes / kWordBytes + 1));
  pass();
  std::vector<size_t> lines;
  for (size_t at = 0; at < bytes; at += schedule->line_bytes) lines.push_back(at);
  std::shuffle(lines.begin(), lines.end(), schedule->random);
  for (const size_t at : lines) {
    cache->clean(static_cast<const uint8_t*>(start) + at,
                 std::min(bytes - at, schedule->line_bytes));
    while (schedule->happens(schedule->evictions / 8)) evict_one();
    if (is_recorder && --schedule->accesses_left == 0) ::_exit(0);
  }
  latest = static_cast<const uint8_t*>(start);
  latest_bytes = bytes;
  if (schedule->cleanings_left != 0 && --schedule->cleanings_left == 0)
    schedule->accesses_left = static_cast<uint32_t>(1 + schedule->random() % 32);
  pass();
}

uint64_t tick() {
  pass();
  return ++journal->now;
}

std::string name_of(uint32_t number) { return number == 0 ? "" : "name-" + std::to_string(number); }

// Gives the process, the object or a thread another name, or its first.
void give_name(unsigned which) {
  const uint32_t number = std::max(journal->name[which], journal->next_name[which]) + 1;
  journal->next_name[which] = number;
  journal->is_changing_a_name = true;
  const std::string name = name_of(number);
  const bool is_first = journal->name[which] == 0;
  if (which == kThreads)
    barefxt_process_register(kProcess, name.c_str());
  else if (which > kThreads)
    barefxt_object_register(kObject, BAREFXT_OBJECT_TIMER, name.c_str());
  else if (is_first)
    barefxt_thread_register(&threads[which], kProcess, kFirstThread + which, name.c_str(), 5);
  else
    barefxt_thread_rename(&threads[which], name.c_str());
  journal->name[which] = number;
  journal->is_changing_a_name = false;
}

void register_all() {
  for (unsigned which = 0; which < kNamed; ++which) {
    journal->name[which] = journal->next_name[which] = 0;
    give_name(which);
  }
}

// One thread goes, and another comes.
void change_short_life() {
  static barefxt_thread thread;
  static uint32_t koid = kFirstOfShortLife;
  journal->of_short_life = 0;
  journal->is_changing_a_name = true;
  if (thread.koid != 0) barefxt_thread_unregister(&thread);
  barefxt_thread_register(&thread, kProcess, ++koid, "of short life", 1);
  journal->is_changing_a_name = false;
  // Beyond the table a name is in the ring.
  if (thread.reference != 0) journal->of_short_life = koid;
}

uint32_t events_in(const SegmentHeader& segment) {
  uint32_t events = 0;
  if (!holds_records(state_of(segment)) || !is_of(segment, barefxt_descriptor.capture)) return 0;
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  while (walker.next(record))
    if (record.finished && is_event(record)) ++events;
  return events;
}

void begin_session(const std::function<barefxt_error()>& begin) {
  journal->is_recording = journal->is_written_back = journal->is_stopped = false;
  journal->events_before = 0;
  for (const barefxt::Ring& ring : rings)
    for (uint32_t slot = 0; slot < ring.segments; ++slot)
      journal->events_before += events_in(ring.segment(slot));
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    std::fill_n(journal->finished[cpu], journal->written[cpu], 0);
    journal->written[cpu] = 0;
    journal->has_open[cpu] = false;
  }
  if (begin() == BAREFXT_OK) journal->is_recording = true;
}

void drain() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  for (int i = 0; i < 8 && barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY) != 0; ++i)
    journal->now += 100;
}

// All that was recorded has been written back. The reset often comes now.
void be_written_back() {
  journal->is_written_back = true;
  if (schedule->happens(500))
    schedule->accesses_left = static_cast<uint32_t>(1 + schedule->random() % 20);
  for (int i = 0; i < 20; ++i) barefxt_ticks();
  if (schedule->is_plain || !schedule->is_by_word || !journal->is_stopped) return;
  for (int i = 0; i < 4; ++i) {
    give_name(schedule->random() % kNamed);
    change_short_life();
  }
}

// Until the reset.
void record(const barefxt_config& config) {
  Schedule& plan = *schedule;
  plan.accesses_left =
      static_cast<uint32_t>(1 + plan.random() % (uint64_t{200} << plan.random() % 7));
  if (plan.happens(500)) plan.cleanings_left = static_cast<uint32_t>(1 + plan.random() % 200);
  if (plan.is_by_word) {
    const bool is_counted = plan.random() % 4 == 0;
    plan.accesses_left = is_counted ? static_cast<uint32_t>(1 + plan.random() % 6000) : UINT32_MAX;
    plan.cleanings_left = 0;
    plan.ends_in_cleaning = !is_counted;
  }
  is_recorder = true;
  register_all();
  begin_session([&] { return barefxt_start(&config); });
  while (true) {
    write_event();
    if (plan.mode == BAREFXT_MODE_STREAMING && plan.happens(30)) drain();
    if (plan.happens(20)) {
      clean_for_reader();
      be_written_back();
      journal->is_written_back = false;
    }
    if (plan.happens(6)) {
      switch (plan.random() % 3) {
        case 0:
          barefxt_stop();
          break;
        case 1:
          barefxt_crash();
          break;
        default:
          barefxt_trigger(plan.random() % 2);
          while (barefxt_running()) write_event();
      }
      journal->is_stopped = true;
      be_written_back();
      begin_session([&] { return barefxt_start(&config); });
    }
    if (plan.is_plain) continue;
    if (plan.happens(150)) give_name(plan.random() % kNamed);
    if (plan.happens(plan.is_by_word ? 200 : 30)) change_short_life();
    if (plan.happens(5)) barefxt_snapshot();
    if (plan.happens(10)) barefxt_snapshot_release();
    if (plan.happens(2)) begin_session([] { return barefxt_rewind(); });
  }
}

struct Event {
  uint64_t time;
  uint64_t i;
  bool is_behind_other;  // a record that is unfinished, or no such event
};
// Holds one segment as the CPU saw it at the reset.
struct Segment {
  uint32_t sequence = 0;
  std::vector<Event> events;  // the finished ones
  bool is_held = false;
};
struct Ring {
  std::vector<Segment> segments;  // in the order of their opening
  uint32_t last = 0;              // the number of the one that the position lies in
  uint64_t lost = 0;
  uint32_t crossers = 0;
};

class Judge {
 public:
  Judge(const Schedule& plan, const Machine& machine, const barefxt_config& config,
        const Journal& until_reset)
      : plan_(plan), journal_(until_reset) {
    auto& descriptor = machine.retained(barefxt_descriptor);
    was_starting_ = descriptor.magic[0] == 0;
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      const barefxt::Ring& ring = machine.retained(rings[cpu]);
      rings_[cpu].lost = ring.records_lost.value();
      rings_[cpu].crossers = ring.crossers.load_relaxed();
      const auto offset =
          static_cast<uint32_t>(ring.position.load_relaxed() & Position::kOffsetMask);
      rings_[cpu].last = segment_in(config, cpu * plan.segments + offset / kSegmentBytes).sequence;
      for (uint32_t slot = 0; slot < plan.segments; ++slot)
        look_at(segment_in(config, cpu * plan.segments + slot), descriptor.capture,
                rings_[cpu].segments);
      std::sort(rings_[cpu].segments.begin(), rings_[cpu].segments.end(),
                [](const Segment& a, const Segment& b) { return a.sequence < b.sequence; });
    }
  }

  // Returns the first problem in what the next boot found; empty: none.
  std::string judge(barefxt_recovery found, const std::vector<uint8_t>& sent) {
    if (found == BAREFXT_RECOVERED_NOTHING) return journal_.is_recording ? "nothing was found" : "";
    const Rebuilt rebuilt = rebuild(sent);
    if (rebuilt.verdict == host::RebuildVerdict::kNothing) return "nothing was rebuilt";
    archive_ = decode_plainly(rebuilt.archive);
    if (!archive_.problems.empty()) return archive_.problem_text();
    for (const PlainRecord& event : archive_.events("drop_stats"))
      if (event.argument("bytes")->bits > kMaxEvents * uint64_t{kCpus} * kSegmentBytes)
        return "more bytes are lost than were recorded";
    std::string problem = judge_events();
    if (problem.empty() && journal_.is_recording) {
      problem = judge_losses(found);
      if (problem.empty()) problem = judge_names();
      if (problem.empty() && plan_.is_plain) problem = judge_counts();
    }
    // The next boot finds the previous session, since the starting one is not valid yet.
    if (problem.empty() && was_starting_ && found == BAREFXT_RECOVERED_WHOLE &&
        plan_.mode != BAREFXT_MODE_STREAMING &&
        found_[0].size() + found_[1].size() != journal_.events_before)
      problem = "a whole trace that lacks events, at a start";
    return problem.empty() ? problem : problem + "\n" + rebuilt.messages;
  }

 private:
  static SegmentHeader& segment_in(const barefxt_config& config, uint32_t number) {
    return *reinterpret_cast<SegmentHeader*>(static_cast<uint8_t*>(config.memory) +
                                             number * size_t{kSegmentBytes});
  }
  static void look_at(const SegmentHeader& segment, uint32_t capture, std::vector<Segment>& to) {
    if (!holds_records(state_of(segment)) || !is_of(segment, capture)) return;
    Segment found;
    found.sequence = segment.sequence;
    found.is_held = is_held(state_of(segment));
    SegmentWalker walker(segment);
    SegmentWalker::Record record;
    bool is_behind_other = false;
    while (walker.next(record)) {
      if (record.finished && is_event(record))
        found.events.push_back({record.words[1], record.words[3] >> 32,
                                is_behind_other || walker.bare_reservations() != 0});
      else
        is_behind_other = true;
    }
    // One that was prepared and is not published has another's number, and nothing in it.
    if (!found.events.empty()) to.push_back(found);
  }

  // Nothing torn, nothing twice.
  std::string judge_events() {
    for (const PlainRecord& event : archive_.events("n")) {
      const auto* cpu = event.argument("cpu");
      const auto* i = event.argument("i");
      const auto* thread = event.argument("t");
      const auto* check = event.argument("check");
      if (cpu == nullptr || i == nullptr || thread == nullptr || check == nullptr ||
          cpu->bits >= kCpus || check->bits != check_of(i->bits, thread->bits))
        return "a torn event at " + std::to_string(event.timestamp);
      if (event.thread != thread->bits && journal_.is_recording)
        return "an event of thread " + std::to_string(event.thread) + ", not " +
               std::to_string(thread->bits);
      if (!found_[cpu->bits].insert(event.timestamp).second) return "an event that is there twice";
      numbers_[cpu->bits].insert(static_cast<uint32_t>(i->bits));
    }
    return "";
  }

  // At most the last segment of a ring is lost, and of others events that were finished when the
  // segment had been left.
  std::string judge_losses(barefxt_recovery found) {
    bool is_all = true;
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      for (const Segment& segment : rings_[cpu].segments) {
        for (const Event& event : segment.events) {
          if (found_[cpu].count(event.time) != 0) continue;
          is_all = false;
          // The drain has sent it, and may be giving it back.
          if (plan_.mode == BAREFXT_MODE_STREAMING && segment.is_held) continue;
          if (segment.sequence == rings_[cpu].last || was_finished_late(cpu, segment, event))
            continue;
          return "event " + std::to_string(event.i) + " in segment " +
                 std::to_string(segment.sequence) + " of CPU " + std::to_string(cpu) +
                 " is lost, and the last is " + std::to_string(rings_[cpu].last);
        }
      }
    }
    if (!is_all && found == BAREFXT_RECOVERED_WHOLE) return "events are missing from a whole trace";
    const bool holds_some = std::any_of(std::begin(rings_), std::end(rings_), [](const Ring& ring) {
      return std::any_of(ring.segments.begin(), ring.segments.end(),
                         [](const Segment& segment) { return segment.is_held; });
    });
    if (journal_.is_stopped && plan_.is_undisturbed() && !holds_some &&
        found != BAREFXT_RECOVERED_WHOLE)
      return "not whole, though it was stopped";
    if (!is_all && journal_.is_written_back && plan_.is_plain)
      return "events are missing that were written back";
    return "";
  }

  // After its segment was left, and each of the few that were opened next. (The last events that
  // these have are of before that.)
  bool was_finished_late(unsigned cpu, const Segment& segment, const Event& event) const {
    constexpr uint32_t kLooksBack = 8;
    uint64_t finished = journal_.finished[cpu][event.i];
    if (finished == 0) return true;
    if (finished < journal_.left_at[cpu][segment.sequence % kLatestLeft]) return false;
    if (event.is_behind_other) return true;
    for (const Event& ahead : segment.events) {
      if (ahead.time >= event.time) break;
      if (journal_.finished[cpu][ahead.i] == 0) return true;
      finished = std::max(finished, journal_.finished[cpu][ahead.i]);
    }
    const std::vector<Segment>& all = rings_[cpu].segments;
    return std::none_of(all.begin(), all.end(), [&](const Segment& left) {
      // A writer that has left it, and is interrupted, has looked at no other yet.
      const bool has_looked = (rings_[cpu].crossers == 0 && journal_.cleaners == 0) ||
                              (plan_.is_plain && left.sequence + 1 != rings_[cpu].last);
      return has_looked && left.sequence != rings_[cpu].last &&
             left.sequence - segment.sequence < kLooksBack && left.events.back().time > finished;
    });
  }

  std::string judge_names() const {
    bool is_found = journal_.of_short_life == 0;
    for (const PlainRecord& object : archive_.of_type(7))
      is_found = is_found || object.value == journal_.of_short_life;
    if (!is_found) return std::to_string(journal_.of_short_life) + " has no name";
    for (unsigned which = 0; which < kNamed; ++which) {
      const uint32_t koid = which < kThreads    ? kFirstThread + which
                            : which == kThreads ? kProcess
                                                : kObject;
      const bool changes = journal_.next_name[which] != journal_.name[which];
      bool is_named = false;
      for (const PlainRecord& object : archive_.of_type(7)) {
        if (object.value != koid || object.name.rfind("name-", 0) != 0) continue;
        is_named = true;
        if (object.name != name_of(journal_.name[which]) &&
            (!changes || object.name != name_of(journal_.next_name[which])))
          return std::to_string(koid) + " is called " + object.name + ", not " +
                 name_of(journal_.name[which]);
      }
      if (!is_named && !changes) return std::to_string(koid) + " has lost its name";
    }
    return "";
  }

  // By each CPU's own numbers.
  std::string judge_counts() const {
    uint64_t overwritten = 0;
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      if (numbers_[cpu].empty()) {
        if (plan_.mode == BAREFXT_MODE_CIRCULAR) return "";
        continue;
      }
      const uint32_t first = *numbers_[cpu].begin();
      const uint32_t last = *numbers_[cpu].rbegin();
      // A full stream drops records, and goes on when the drain has made room.
      const uint64_t dropped = plan_.mode == BAREFXT_MODE_STREAMING ? rings_[cpu].lost : 0;
      if (last - first + 1 > numbers_[cpu].size() + dropped)
        return "a hole in CPU " + std::to_string(cpu);
      if (plan_.mode == BAREFXT_MODE_CIRCULAR) overwritten += first;
    }
    if (plan_.mode == BAREFXT_MODE_STREAMING) return "";
    uint64_t counted = 0;
    for (const PlainRecord& event : archive_.events("drop_stats"))
      counted += event.argument("records")->bits;
    if (plan_.mode == BAREFXT_MODE_CIRCULAR)
      return counted == overwritten
                 ? ""
                 : std::to_string(counted) + " overwritten, not " + std::to_string(overwritten);
    const uint64_t lost = rings_[0].lost + rings_[1].lost;
    return counted <= lost && counted + 1 >= lost
               ? ""
               : std::to_string(counted) + " lost, not " + std::to_string(lost);
  }

  const Schedule& plan_;
  const Journal& journal_;
  Ring rings_[kCpus];
  bool was_starting_ = false;
  PlainArchive archive_;
  std::set<uint64_t> found_[kCpus];
  std::set<uint32_t> numbers_[kCpus];
};

constexpr unsigned kParts = 8;

class WriteBackTest : public ::testing::TestWithParam<unsigned> {
 protected:
  WriteBackTest() {
    void* shared =
        ::mmap(nullptr, sizeof(Journal), PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
    EXPECT_NE(shared, MAP_FAILED);
    journal_ = new (shared) Journal;
  }
  ~WriteBackTest() override { ::munmap(journal_, sizeof(Journal)); }

  barefxt_config config(const Schedule& plan) const {
    barefxt_config config = machine_.config(0, plan.mode);
    config.memory = machine_.ring_memory(0) + plan.shift;
    config.bytes = plan.segments * kCpus * size_t{kSegmentBytes};
    config.clean_caches = true;
    config.partial_after_ticks = 1000;
    return config;
  }

  void run_all(bool by_word) {
    if (const char* const one = std::getenv("BAREFXT_SEED")) {
      const std::string problem = run(std::strtoull(one, nullptr, 10), by_word);
      EXPECT_TRUE(problem.empty()) << problem;
      return;
    }
    const uint64_t full = by_word ? 100'000 : 1'000'000;
    const uint64_t schedules = std::getenv("BAREFXT_FULL") == nullptr ? 1'500 : full;
    for (uint64_t seed = 1 + GetParam(); seed <= schedules; seed += kParts) {
      const std::string problem = run(seed, by_word);
      ASSERT_TRUE(problem.empty()) << problem << "\nBAREFXT_SEED=" << seed;
    }
  }

  // Empty: as promised.
  std::string run(uint64_t seed, bool by_word = false) {
    *journal_ = Journal{};
    Schedule plan(seed);
    if (by_word) plan.evict_by_word();
    CacheModel model(plan.line_bytes);
    model.add(machine_.retained_pages(), barefxt_retained_start, Machine::retained_bytes());
    model.add(machine_.ring_memory(0), machine_.ring_memory(0), Machine::kRingBytes / 2);
    model.fill(plan.random);
    const barefxt_config config = this->config(plan);
    std::optional<Judge> judge;
    for (unsigned life = 0; life <= plan.lives; ++life) {
      plan.random.seed(seed * 16 + life);
      if (life != 0) judge.emplace(plan, machine_, config, judged_ = *journal_);
      machine_.sent();
      machine_.reported();
      const bool is_last = life == plan.lives;
      if (!machine_.boot([&] { boot(plan, model, config, is_last); })) return "a boot died";
      const std::vector<uint64_t> reported = machine_.reported();
      if (reported.empty()) return "a boot did not recover";
      const auto found = static_cast<barefxt_recovery>(reported.at(0));
      if (life == 0) {
        if (found != BAREFXT_RECOVERED_NOTHING) return "a trace after power-on";
        continue;
      }
      if (judged_.is_recording && reported.at(3) != 0) return "a mark that counts as losses";
      if (judged_.is_recording && reported.at(1) != 0)
        return "an entry is neither the old nor the new";
      if (judged_.is_recording && reported.at(2) > (judged_.is_changing_a_name ? 1 : 0))
        return "an entry that is renamed for ever";
      const std::string problem = judge->judge(found, machine_.sent());
      if (!problem.empty()) return problem + " (life " + std::to_string(life) + ")";
    }
    return "";
  }

  void boot(Schedule& plan, CacheModel& model, const barefxt_config& config, bool is_last) {
    model.reset();
    schedule = &plan;
    cache = &model;
    journal = journal_;
    journal->is_recording = journal->is_written_back = journal->is_stopped = false;
    journal->of_short_life = 0;
    journal->cleaners = 0;
    journal->is_changing_a_name = false;
    barefxt_host_clean_cache = &clean;
    barefxt_host_counter = &tick;
    uint64_t unsound = 0;
    uint64_t renamed = 0;
    for (const ThreadEntry& entry : thread_table) {
      if (is_renamed(state_in(entry.state.load_relaxed())))
        ++renamed;
      else if (is_named(entry) && entry.checksum != entry_checksum(entry))
        ++unsound;
    }
    uint64_t marked = 0;
    for (uint32_t i = 0; i < plan.segments * kCpus; ++i) {
      const auto& segment = *reinterpret_cast<const SegmentHeader*>(
          static_cast<const uint8_t*>(config.memory) + i * size_t{kSegmentBytes});
      if (state_of(segment) == SegmentState::kClaimed &&
          (segment.overwritten_with_content.bytes > UINT32_MAX ||
           segment.overwritten_with_content.records > UINT32_MAX))
        ++marked;
    }
    machine_.report(barefxt_recover());
    machine_.report(unsound);
    machine_.report(renamed);
    machine_.report(marked);
    const barefxt_writer line = machine_.line();
    barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY);
    barefxt_recovered_release();
    if (!is_last) record(config);
  }

  Machine machine_;
  Journal* journal_;
  Journal judged_;
};

TEST_P(WriteBackTest, AResetLosesNoMoreThanTheLastSegment) { run_all(false); }

TEST_P(WriteBackTest, TheOrderOfStoresHoldsWhateverWordsAreInMemoryFirst) { run_all(true); }

using OneWriteBackTest = WriteBackTest;
// The first found a segment that a writer had given up to overwrite, the second one that was left
// while it was written back, the third one that was left right after that.
TEST_P(OneWriteBackTest, LosesNoMoreThanTheLastSegmentInSchedulesThatOnceDid) {
  const std::string problem = run(GetParam());
  EXPECT_TRUE(problem.empty()) << problem;
}
INSTANTIATE_TEST_SUITE_P(Once, OneWriteBackTest, ::testing::Values(415441u, 998146u, 362908u));

using OneByWordTest = WriteBackTest;
// A segment that is given back, with the state in memory ahead of the counts.
TEST_P(OneByWordTest, HasTheOrderOfStoresThatItOnceHadNot) {
  const std::string problem = run(GetParam(), true);
  EXPECT_TRUE(problem.empty()) << problem;
}
INSTANTIATE_TEST_SUITE_P(Once, OneByWordTest, ::testing::Values(32495u));

INSTANTIATE_TEST_SUITE_P(Parts, WriteBackTest, ::testing::Range(0u, kParts));

}  // namespace
}  // namespace barefxt::test::write_back_test

extern "C" void barefxt_at_access(void) { barefxt::test::write_back_test::pass(); }
