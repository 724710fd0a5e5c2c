// A damaged capture, converted, shows nothing that the sound capture does not.
//
// "Nothing invented" means:
//   - in Chrome's form and in tables (Parquet): each event is one of the sound capture's, whole;
//     a loss may take texts (`string#N`) and threads (`thread#N`)
//   - in Perfetto's form: each begin, end and point of a track is one of the sound capture's
//   - a thread's run on a CPU lies within one of its runs in the sound capture, and ends as that or
//     by a loss
//   - only what reports losses is added: `drop_stats`, full buffers, ends and switches at a loss
//
// "Nothing missing without a word" means: if `rebuild` reports a complete capture, each form is the
// sound capture's, byte by byte; otherwise it prints a message.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "build_kind.h"
#include "convert/converting.h"
#include "convert/plain_parquet.h"
#include "convert/shown_slices.h"
#include "hostile/mutations.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::damaged_convert_test {
namespace {

using json = nlohmann::ordered_json;  // arguments stay in their order

constexpr const char* kString = "string#";
constexpr const char* kThread = "thread#";
constexpr uint64_t kCpuTracks = 0x80000000;  // processes of them, in Chrome's form

bool is_lost(const std::string& text) {
  // Perfetto's labels are a category and a name.
  return text.find(kString) != std::string::npos || text.starts_with(kThread);
}

// Parts of a line of its own each, of which a loss may take some.
struct Shape {
  std::string key;                 // what no loss changes
  std::vector<std::string> texts;  // what one may take

  bool may_have_become(const Shape& left) const {
    return std::ranges::equal(texts, left.texts, [](const auto& whole, const auto& rest) {
      return whole == rest || is_lost(rest);
    });
  }
};

using Shapes = std::vector<Shape>;

// Returns the first of `some` that is none of `all`, each of which counts once.
std::string first_invented(const Shapes& some, const Shapes& all) {
  std::map<std::string, Shapes> left;
  for (const Shape& one : all) left[one.key].push_back(one);
  Shapes others = some;
  // Those that lost nothing first, so that no other takes their place.
  for (const bool is_whole : {true, false})
    std::erase_if(others, [&](const Shape& one) {
      Shapes& same = left[one.key];
      const auto found = std::ranges::find_if(same, [&](const Shape& sound) {
        return is_whole ? sound.texts == one.texts : sound.may_have_become(one);
      });
      if (found == same.end()) return false;
      same.erase(found);
      return true;
    });
  return others.empty() ? ""
                        : others.front().key + " " + ::testing::PrintToString(others.front().texts);
}

// A thread on a CPU; the thread is kThread where a loss took the thread.
struct Run {
  std::string cpu;
  std::string thread;
  uint64_t from;
  uint64_t to;
  std::string until;  // how it ended, where the form has that
};

std::string first_invented(const std::vector<Run>& some, const std::vector<Run>& all) {
  for (const Run& run : some)
    if (std::ranges::none_of(all, [&](const Run& sound) {
          return sound.cpu == run.cpu && (sound.thread == run.thread || run.thread == kThread) &&
                 sound.from <= run.from && run.to <= sound.to &&
                 (run.until.empty() || run.until == "loss" ||
                  (run.until == sound.until && run.to == sound.to));
        }))
      return "thread " + run.thread + " from " + std::to_string(run.from) + " to " +
             std::to_string(run.to) + " on CPU " + run.cpu;
  return {};
}

std::string thread_of(uint64_t koid) {
  return host::is_unknown_thread(koid) ? kThread : std::to_string(koid);
}

struct Seen {
  Shapes events;
  std::vector<std::pair<uint64_t, std::string>> ends;  // time and thread, of durations
  std::set<uint64_t> losses;                           // their begins
  std::vector<Run> runs;
};

uint64_t nanoseconds(const json& microseconds) {
  return static_cast<uint64_t>(microseconds.get<double>() * 1000 + 0.5);
}

// Chrome's form. Wakeups and runs are called by the thread's name.
Seen chrome(const std::string& text) {
  Seen seen;
  const json all = json::parse(text);
  // CPUs' tracks are numbered as they come, and have names.
  std::map<std::pair<uint64_t, uint64_t>, std::string> tracks;
  for (const json& event : all.at("traceEvents"))
    if (event.at("name") == "thread_name" && event.at("pid") >= kCpuTracks)
      tracks[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
  for (json event : all.at("traceEvents")) {
    const std::string category = event.value("cat", "");
    if (event.at("ph") == "M" || category == "barefxt") continue;
    if (event.at("args").contains("barefxt_added")) continue;
    if (event.at("ph") == "X" && category == "sched") {
      const uint64_t from = nanoseconds(event.at("ts"));
      seen.runs.push_back(
          {tracks.at({event.at("pid"), event.at("tid")}), thread_of(event.at("args").at("thread")),
           from, from + nanoseconds(event.at("dur")), event.at("args").value("until", "")});
      continue;
    }
    Shape shape;
    const auto take = [&](json& object, const char* member) {
      if (!object.contains(member)) return;
      const json& value = object.at(member);
      const bool is_unknown = value.is_number_unsigned() && host::is_unknown_thread(value);
      shape.texts.push_back(is_unknown          ? kThread
                            : value.is_string() ? value.get<std::string>()
                                                : value.dump());
      object.erase(member);
    };
    // Chrome binds flows to durations and wants them to begin: what is lost around a step changes
    // its time and its kind.
    if (std::string("stf").find(event.at("ph").get<std::string>()) != std::string::npos) {
      event["ph"] = "flow";
      event["args"] = json::object();
      event.erase("bp");
      event.erase("ts");
    }
    if (category == "sched") {
      event.erase("name");
      if (!event.at("args").contains("waker")) event["args"]["waker"] = kThread;
      take(event["args"], "waker");
    }
    if (const auto track = tracks.find({event.at("pid"), event.at("tid")}); track != tracks.end())
      event["tid"] = track->second;
    for (const char* member : {"cat", "name", "pid", "tid"}) take(event, member);
    // Arguments' names may be lost as well: they keep their order of values only in the text.
    json values = json::array();
    for (const auto& [name, value] : event.at("args").items()) {
      shape.texts.push_back(name);
      values.push_back(value);
    }
    event["args"] = values.size();
    shape.key = event.dump();
    seen.events.push_back(std::move(shape));
  }
  return seen;
}

// Rows of a table, without those that report losses.
Shapes table(const std::string& file) {
  const std::set<std::string> lost_with_names = {
      "thread_name", "incoming_name", "category", "name",          "argument",
      "arguments",   "message",       "idle",     "incoming_idle", "process"};
  // Elsewhere the CPU is that of a name.
  const std::set<std::string> on_cpu = {"context_switch", "thread_wakeup"};
  Shapes shapes;
  for (const PlainParquet::Row& row : PlainParquet(file).rows) {
    if (!row.contains("time")) continue;
    const auto text = [&](const char* column) {
      const auto found = row.find(column);
      return found == row.end() ? std::string() : found->second.text;
    };
    if (text("category") == "barefxt" ||
        text("arguments").find("barefxt_added") != std::string::npos)
      continue;
    Shape shape;
    for (const auto& [column, value] : row) {
      if (column == "record" || column == "known" || lost_with_names.contains(column)) continue;
      if (column == "cpu" && !on_cpu.contains(text("kind"))) continue;
      if (column == "thread" || column == "incoming" || column == "waker") {
        shape.texts.push_back(thread_of(value.bits));
        continue;
      }
      shape.key +=
          column + "=" + (value.text.empty() ? std::to_string(value.bits) : value.text) + " ";
    }
    for (const char* column : {"category", "name"})
      if (row.contains(column)) shape.texts.push_back(text(column));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Seen perfetto(const std::string& trace) {
  Seen seen;
  const Shown shown = shown_of_perfetto(trace);
  for (const ShownSlice& slice : shown.slices) {
    const SliceMark& begin = slice.begin;
    if (begin.label == "barefxt drop_stats") seen.losses.insert(begin.time);
    if (slice.is_added || begin.label.starts_with("barefxt ")) continue;
    const std::string thread = thread_of(begin.thread);
    seen.events.push_back({"begin " + std::to_string(begin.time), {thread, begin.label}});
    if (slice.has_end && shown.marks.contains(slice.end))
      seen.ends.emplace_back(slice.end.time, thread);
  }
  // A run that a loss cuts at once may be the sound capture's last, which has no end. A thread that
  // a loss took may be idle, which has no runs.
  for (const ShownRow& row : shown.rows)
    if (row.from < row.to && !host::is_unknown_thread(row.thread))
      seen.runs.push_back({std::to_string(row.cpu), thread_of(row.thread), row.from, row.to, ""});
  return seen;
}

// Returns the first end that neither the sound capture has nor a loss makes. There, an end may be
// one of a duration whose begin was lost on the target.
std::string first_invented_end(const Seen& some, const std::string& sound) {
  std::set<std::pair<uint64_t, std::string>> all;
  for (const SliceMark& mark : shown_of_perfetto(sound).marks)
    if (mark.is_end) all.insert({{mark.time, thread_of(mark.thread)}, {mark.time, kThread}});
  for (const auto& end : some.ends)
    if (!all.contains(end) && !some.losses.contains(end.first))
      return end.second + " at " + std::to_string(end.first);
  return {};
}

// A run that is open at the end is not shown. A loss there gives it an end. `track`: what the form
// puts ahead of a CPU's number.
std::vector<Run> open_runs(const Bytes& archive, const std::string& track) {
  std::map<uint64_t, Run> last;  // of each CPU
  uint64_t nanoseconds_a_tick = 1;
  for (const PlainRecord& record : decode_plainly(archive).records) {
    if (record.type == 1) nanoseconds_a_tick = 1'000'000'000 / record.value;
    if (record.type != 8 || record.subtype > 1) continue;
    last[record.cpu] = {track + std::to_string(record.cpu), thread_of(record.other_thread),
                        record.timestamp * nanoseconds_a_tick, ~uint64_t{0}, ""};
  }
  std::vector<Run> runs;
  for (const auto& [cpu, run] : last) runs.push_back(run);
  return runs;
}

struct Forms {
  Rebuilt rebuilt;
  std::string chrome;
  std::string perfetto;
  std::string parquet;

  explicit Forms(const Bytes& capture) : rebuilt(rebuild(capture)) {
    if (rebuilt.archive.empty()) return;
    const std::string archive(rebuilt.archive.begin(), rebuilt.archive.end());
    chrome = to_chrome(archive).bytes;
    perfetto = to_perfetto(archive).bytes;
    parquet = to_parquet(archive).bytes;
  }
};

TEST(DamagedConvert, ShowsNothingThatTheSoundCaptureDoesNot) {
  std::mt19937_64 random(20261129);
  const size_t cases = is_full_run() ? 300 : 3;
  for (const SoundInput& input : sound_inputs()) {
    // In captures made by hand, switches contradict each other: a loss can hide that.
    if (input.kind != InputKind::kCapture || input.name.find(".raw") == std::string::npos) continue;
    const Forms whole(input.bytes);
    Seen in_perfetto = perfetto(whole.perfetto);
    Seen in_chrome = chrome(whole.chrome);
    std::ranges::move(open_runs(whole.rebuilt.archive, "CPU "), std::back_inserter(in_chrome.runs));
    std::ranges::move(open_runs(whole.rebuilt.archive, ""), std::back_inserter(in_perfetto.runs));
    const Shapes in_table = table(whole.parquet);
    EXPECT_FALSE(in_chrome.events.empty());
    EXPECT_FALSE(in_perfetto.events.empty());
    EXPECT_FALSE(in_table.empty());
    for (size_t i = 0; i < cases; ++i) {
      SCOPED_TRACE(input.name + ", case " + std::to_string(i));
      const Forms left(damaged(input.bytes, random));
      if (left.rebuilt.verdict == host::RebuildVerdict::kComplete) {
        EXPECT_TRUE(left.chrome == whole.chrome && left.perfetto == whole.perfetto &&
                    left.parquet == whole.parquet);
      } else {
        EXPECT_NE(left.rebuilt.messages, "");
      }
      // Without hello, times are in ticks: `rebuild` reports that, and no time can be compared.
      if (left.rebuilt.archive.empty() || left.rebuilt.reports("the clock's rate is unknown"))
        continue;
      const Seen of_chrome = chrome(left.chrome);
      ASSERT_EQ(first_invented(of_chrome.events, in_chrome.events), "") << left.rebuilt.messages;
      ASSERT_EQ(first_invented(of_chrome.runs, in_chrome.runs), "") << left.rebuilt.messages;
      const Seen of_perfetto = perfetto(left.perfetto);
      ASSERT_EQ(first_invented(of_perfetto.events, in_perfetto.events), "")
          << left.rebuilt.messages;
      ASSERT_EQ(first_invented_end(of_perfetto, whole.perfetto), "") << left.rebuilt.messages;
      ASSERT_EQ(first_invented(of_perfetto.runs, in_perfetto.runs), "") << left.rebuilt.messages;
      ASSERT_EQ(first_invented(table(left.parquet), in_table), "") << left.rebuilt.messages;
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_convert_test
