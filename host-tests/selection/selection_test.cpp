// --from, --to, --thread, --cpu, --category and --name mean the same for every verb: what each
// prints, finds, draws, counts and converts is held against the definition, written once more over
// `print --json`.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <set>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "hostile/shell.h"
#include "plain_selection.h"
#include "print/printing.h"
#include "properties/random_archive.h"
#include "report/drawing.h"
#include "stats/everything.h"

namespace barefxt::test::selection_test {
namespace {

using Json = nlohmann::json;

class SelectionCommand : public Shell {
 public:
  SelectionCommand() { SetUp(); }
  ~SelectionCommand() override { TearDown(); }
  SelectionCommand(const SelectionCommand&) = delete;
  SelectionCommand& operator=(const SelectionCommand&) = delete;
  void TestBody() override {}
  using Shell::printed;
  using Shell::read;
  using Shell::run;
  using Shell::write;
};

std::string bytes_in(const std::string& base64) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : base64) {
    static const std::string kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t digit = kDigits.find(c);
    if (digit == std::string::npos) break;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count);
  }
  return bytes;
}

// A kernel of two CPUs and four threads, some of them named late; everything that has a category
// has one of two, and one of three names.
std::string small_kernel(const std::vector<uint32_t>& choices) {
  using fxt::EventType;
  MemoryArchive writer(1'000'000);
  const auto name_all = [&] {
    name_thread(writer, 20, 7, "cpu-0");
    name_thread(writer, 21, 7, "cpu-1");
    name_thread(writer, 1, 5, "control");
    name_thread(writer, 2, 5, "log");
  };
  const bool is_late = !choices.empty() && choices[0] % 2 == 1;
  if (!is_late) name_all();
  uint64_t time = 0;
  uint64_t running[2] = {1, 2};
  for (const uint32_t choice : choices) {
    time += choice % 7;
    const unsigned cpu = choice / 7 % 2;
    const uint64_t thread = 1 + choice / 14 % 4;
    static const char* const kCategories[] = {"lock", "bus"};
    static const char* const kNames[] = {"send", "sent", "x"};
    const char* const category = kCategories[choice / 56 % 2];
    const char* const name = kNames[choice / 112 % 3];
    const auto event = [&](EventType type, uint64_t of, uint64_t begin, uint64_t trailing,
                           std::span<const host::ArchiveArgument> arguments = {}) {
      add_event(writer, type, begin, {0, 5, of}, category, name, trailing, arguments);
    };
    switch (choice / 336 % 12) {
      case 0:
      case 1:
        add_switch(writer, time, cpu, {5, running[cpu], 1}, fxt::ThreadState::kBlocked,
                   {5, thread, 2});
        running[cpu] = thread;
        break;
      case 2:
        (void)writer.thread_wakeup(
            {.timestamp = time, .cpu = static_cast<uint16_t>(cpu), .thread = thread}, {});
        break;
      case 3:
        event(EventType::kDurationBegin, thread, time, 0);
        break;
      case 4:
        event(EventType::kDurationEnd, thread, time, 0);
        break;
      case 5:
        event(EventType::kDurationComplete, thread, time - std::min<uint64_t>(time, 5), time);
        break;
      case 6:
        event(EventType::kInstant, thread, time, 0);
        break;
      case 7: {
        const auto value =
            host::ArchiveArgument::uint64(host::ArchiveText::spelled_out("v"), choice % 100);
        event(EventType::kCounter, thread, time, 1, {&value, 1});
        break;
      }
      case 8:
        event(choice % 2 == 0 ? EventType::kAsyncBegin : EventType::kAsyncEnd, thread, time,
              choice % 3);
        break;
      case 9:
        event(choice % 2 == 0 ? EventType::kFlowBegin : EventType::kFlowEnd, thread, time,
              choice % 3);
        break;
      case 10:
        event(EventType::kDurationComplete, 20 + cpu, time, time);
        break;
      default:
        (void)writer.log(time, {0, 5, thread}, "words");
    }
  }
  if (is_late) name_all();
  return writer.text();
}

PlainSelection any_selection(uint64_t last) {
  const auto some = [](auto choices) {
    auto chosen = *rc::gen::container<decltype(choices)>(rc::gen::elementOf(choices));
    if (chosen.size() > 2) chosen.resize(2);
    if (*rc::gen::inRange(0, 3) > 0) chosen.clear();
    return chosen;
  };
  PlainSelection selection;
  if (*rc::gen::arbitrary<bool>()) selection.from = *rc::gen::inRange<uint64_t>(0, last + 1);
  if (*rc::gen::arbitrary<bool>())
    selection.to = *rc::gen::inRange<uint64_t>(selection.from.value_or(0), last + 2);
  selection.threads = some(std::vector<std::string>{"control", "*o*", "3", "cpu-1", "nobody"});
  selection.cpus = some(std::vector<unsigned>{0, 1, 2});
  selection.categories = some(std::vector<std::string>{"lock", "b*", "none"});
  selection.names = some(std::vector<std::string>{"send", "s*", "x"});
  return selection;
}

uint64_t last_time(const PlainArchiveLines& lines) {
  uint64_t last = 0;
  for (const Json& record : lines.records())
    if (record.contains("timestamp"))
      last = std::max(
          {last, record["timestamp"].get<uint64_t>(), record.value("end_timestamp", uint64_t{0})});
  return std::min(last, uint64_t{1} << 50);
}

// Both the archives of a kernel, and anything that the format allows.
std::string any_archive() {
  if (*rc::gen::inRange(0, 3) > 0)
    return small_kernel(*rc::gen::arbitrary<std::vector<uint32_t>>());
  const PlainForm form{*rc::gen::arbitrary<bool>(), false};
  return random_archive(*rc::gen::arbitrary<std::vector<Numbers>>(), form).bytes(form);
}

// A folder with an archive `in.fxt` and its lines.
struct Trial : SelectionCommand {
  Trial() {
    write("in.fxt", any_archive());
    run("BAREFXT print in.fxt --json --raw");
    lines.emplace(printed());
    selection = any_selection(last_time(*lines));
    RC_LOG() << selection.options() << "\n" << printed() << "\n";
  }

  std::optional<PlainArchiveLines> lines;
  PlainSelection selection;
};

// A case takes several processes: of RapidCheck's, small ones and large ones, every 16th is tried.
bool is_due() {
  static unsigned cases = 0;
  return cases++ % 16 == 0;
}

RC_GTEST_PROP(Selection, PrintShowsWhatIsChosen, ()) {
  if (!is_due()) return;
  Trial trial;
  std::string expected;
  for (size_t i = 0; i < trial.lines->records().size(); ++i)
    if (trial.lines->keeps(i, trial.selection))
      expected += trial.lines->records()[i]["offset"].dump() + "\n";
  RC_ASSERT(trial.run("BAREFXT print in.fxt --json" + trial.selection.options()) == 0);
  std::string shown;
  std::istringstream stream(trial.printed());
  for (std::string line; std::getline(stream, line);)
    shown += Json::parse(line)["offset"].dump() + "\n";
  RC_ASSERT(shown == expected);
  RC_ASSERT(trial.run("BAREFXT print in.fxt" + trial.selection.options()) == 0);
  const std::string text = trial.printed();
  RC_ASSERT(std::ranges::count(text, '\n') == std::ranges::count(expected, '\n'));
}

RC_GTEST_PROP(Selection, LintFindsFaultsOfWhatIsChosen, ()) {
  if (!is_due()) return;
  Trial trial;
  std::set<uint64_t> kept;
  for (size_t i = 0; i < trial.lines->records().size(); ++i)
    if (trial.lines->keeps(i, trial.selection))
      kept.insert(trial.lines->records()[i]["offset"].get<uint64_t>());
  const auto findings = [&](const std::string& options) {
    trial.run("BAREFXT lint in.fxt --json" + options);
    std::multiset<std::string> lines;
    std::istringstream stream(trial.printed());
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    return lines;
  };
  std::multiset<std::string> expected = findings("");
  std::erase_if(expected, [&](const std::string& line) {
    return !kept.contains(Json::parse(line)["offset"].get<uint64_t>());
  });
  const bool warns = std::ranges::any_of(
      expected, [](const std::string& line) { return Json::parse(line)["severity"] == "warning"; });
  const std::string options = trial.selection.options();
  if (options.empty()) return;
  RC_ASSERT(findings(options) == expected);
  RC_ASSERT(trial.run("BAREFXT lint in.fxt" + options) == (warns ? 1 : 0));
}

RC_GTEST_PROP(Selection, ConvertWritesWhatIsChosenAndWhatItNeeds, ()) {
  if (!is_due()) return;
  Trial trial;
  std::string chosen;
  for (size_t i = 0; i < trial.lines->records().size(); ++i)
    if (trial.lines->converts(i, trial.selection))
      chosen += bytes_in(trial.lines->records()[i]["raw"]);
  trial.write("chosen.fxt", chosen);
  const auto format =
      *rc::gen::elementOf(std::vector<std::string>{"fxt", "perfetto", "chrome-json", "parquet"});
  const int status =
      trial.run("BAREFXT convert in.fxt --to " + format + " -o a" + trial.selection.options());
  RC_ASSERT(trial.run("BAREFXT convert chosen.fxt --to " + format + " -o b") == status);
  RC_ASSERT(trial.read("a") == trial.read("b"));
}

// Rows of each table of `stats --json` that an option leaves out.
Json without_others(Json all, const PlainSelection& selection) {
  const auto has = [](const Json& text, const std::vector<std::string>& patterns) {
    const std::string plain = text.is_string() ? text.get<std::string>() : "";
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& one) {
             return plainly_matches(one, plain);
           });
  };
  const auto erase = [&](const char* table, const auto& keeps) {
    Json kept = Json::array();
    for (const Json& row : all[table])
      if (keeps(row)) kept.push_back(row);
    all[table] = kept;
  };
  const bool is_by_label = !selection.categories.empty() || !selection.names.empty();
  for (const char* table : {"durations", "counters", "flows", "contention", "priority_inversions"})
    erase(table, [&](const Json& row) {
      return has(row["category"], selection.categories) && has(row["name"], selection.names);
    });
  for (const char* table : {"threads", "cpus", "unannounced_interrupts"})
    erase(table, [&](const Json&) { return !is_by_label; });
  return all;
}

RC_GTEST_PROP(Selection, StatsCountWhatHasTheCategoryAndName, ()) {
  if (!is_due()) return;
  SelectionCommand shell;
  shell.write("in.fxt", small_kernel(*rc::gen::arbitrary<std::vector<uint32_t>>()));
  PlainSelection selection = any_selection(1000);
  selection.threads.clear();
  selection.cpus.clear();
  PlainSelection window = selection;
  window.categories.clear();
  window.names.clear();
  RC_LOG() << selection.options();
  RC_ASSERT(shell.run("BAREFXT stats in.fxt --json" + window.options()) == 0);
  const Json all = Json::parse(shell.printed());
  RC_ASSERT(shell.run("BAREFXT stats in.fxt --json" + selection.options()) == 0);
  const Json chosen = Json::parse(shell.printed());
  const Json expected = without_others(all, selection);
  for (const char* table : {"durations", "counters", "flows", "contention", "priority_inversions",
                            "threads", "cpus", "unannounced_interrupts", "interrupts"}) {
    if (table == std::string("interrupts")) continue;
    RC_LOG() << table << expected[table] << chosen[table];
    const bool is_same = chosen[table] == expected[table];
    RC_ASSERT(is_same);
  }
}

Json without_offsets(Json json) {
  if (json.is_object()) json.erase("max_offset");
  if (json.is_structured())
    for (Json& one : json) one = without_offsets(one);
  return json;
}

// Thread 2 comes in on CPU 1 at 30, and CPU 0 records only later that it has left. Returns for how
// long each thread ran between 50 and 100, in that part, or in the whole.
std::map<uint64_t, uint64_t> ran(uint64_t left_at, uint64_t blocked_at, bool in_part) {
  MemoryArchive writer(1'000'000);
  const auto change = [&](uint64_t time, unsigned cpu, uint64_t out, uint64_t in) {
    add_switch(writer, time, cpu, {5, out, 1}, fxt::ThreadState::kBlocked, {5, in, 2});
  };
  change(10, 0, 1, 2);
  change(20, 1, 3, 4);
  change(22, 2, 9, 1);  // so that the switches so far are not the last of these threads
  change(26, 2, 1, 3);
  change(30, 1, 4, 2);
  if (blocked_at != 0) change(blocked_at, 1, 2, 4);
  change(left_at, 0, 2, 6);
  change(90, 0, 6, 8);
  change(100, 1, blocked_at == 0 ? 2 : 4, 8);
  SelectionCommand shell;
  shell.write("in.fxt", writer.text());
  const std::string window = " --from 50ticks --to 100ticks";
  EXPECT_EQ(shell.run("BAREFXT convert in.fxt --to fxt -o part.fxt" + window), 0);
  EXPECT_EQ(
      shell.run(std::string("BAREFXT stats --json ") + (in_part ? "part" : "in") + ".fxt" + window),
      0);
  const Json statistics = Json::parse(shell.printed());
  std::map<uint64_t, uint64_t> all;
  for (const Json& thread : statistics["threads"]) all[thread["thread"]] = thread["running_ticks"];
  return all;
}

TEST(Selection, APartKnowsOfAThreadThatCameInAheadOfTheRecordOfItsLeaving) {
  for (const bool in_part : {false, true}) {
    EXPECT_EQ(ran(35, 0, in_part)[2], 50U) << in_part;
    EXPECT_EQ(ran(60, 0, in_part)[2], 50U) << in_part;
    EXPECT_EQ(ran(38, 34, in_part)[4], 50U) << in_part;
    EXPECT_EQ(ran(38, 34, in_part)[6], 40U) << in_part;
    EXPECT_EQ(ran(60, 34, in_part)[6], 30U) << in_part;
  }
}

// Reading the part that was cut out gives the same as reading that part of the whole.
RC_GTEST_PROP(Selection, APartHasTheStateOfTheWhole, ()) {
  if (!is_due()) return;
  SelectionCommand shell;
  const std::string archive = small_kernel(*rc::gen::arbitrary<std::vector<uint32_t>>());
  shell.write("in.fxt", archive);
  PlainSelection window;
  window.from = *rc::gen::inRange<uint64_t>(0, 100);
  window.to = *rc::gen::inRange<uint64_t>(*window.from, 200);
  RC_LOG() << window.options();
  RC_ASSERT(shell.run("BAREFXT convert in.fxt --to fxt -o part.fxt" + window.options()) == 0);
  const auto stats = [&](const std::string& file) {
    RC_ASSERT(shell.run("BAREFXT stats --json " + file + window.options()) == 0);
    return Json::parse(shell.printed());
  };
  const Json part = stats("part.fxt");
  // Time goes on behind the part's last record, for the whole alone.
  window.to = part["last"].get<uint64_t>();
  if (*window.to < *window.from) return;
  const Json whole = stats("in.fxt");
  for (const char* table : {"counters", "flows"}) {
    RC_LOG() << table << whole[table] << part[table];
    const bool is_same = without_offsets(part[table]) == without_offsets(whole[table]);
    RC_ASSERT(is_same);
  }
  // A thread that did nothing before --from or since is not known of.
  std::map<uint64_t, Json> of_whole;
  for (const Json& thread : whole["threads"]) of_whole[thread["thread"]] = thread;
  for (const Json& thread : part["threads"]) {
    const Json& expected = of_whole[thread["thread"]];
    for (const char* key : {"running_ticks", "runnable_ticks", "blocked_ticks"}) {
      RC_LOG() << key << thread << expected << "\n";
      const bool is_same = thread[key] == expected[key];
      RC_ASSERT(is_same);
    }
  }
}

// The report draws the same: each item of the whole drawing that is chosen, and no other.
RC_GTEST_PROP(Selection, ReportDrawsWhatIsChosen, (const std::vector<uint32_t>& choices)) {
  using report::Drawing;
  using report::Item;
  using report::ItemKind;
  using report::LaneKind;
  const std::string archive = small_kernel(choices);
  const auto draw = [&](const host::Selection& selection) {
    host::StatisticsOptions options;
    options.selection = selection;
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    auto drawing = report::draw(source, host::Form{}, options);
    RC_ASSERT(drawing.ok());
    return std::move(drawing.value());
  };
  const PlainSelection plain = any_selection(200);
  host::Selection chosen;
  chosen.threads = plain.threads;
  chosen.cpus = plain.cpus;
  chosen.categories = plain.categories;
  chosen.names = plain.names;
  RC_LOG() << plain.options();
  const Drawing all = draw({});
  const auto has_text = [](const std::vector<std::string>& patterns, const std::string& text) {
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& one) {
             return plainly_matches(one, text);
           });
  };
  // Arrows and spans are of two records; counters and spans have lanes of no thread.
  const auto is_one_of_a_thread = [](const Drawing& drawing, const Item& item) {
    return drawing.lanes[item.lane].kind == LaneKind::kThread && item.kind != ItemKind::kArrow;
  };
  const auto keeps = [&](const Item& item) {
    const report::Lane& lane = all.lanes[item.lane];
    if (!chosen.threads.empty() && !has_text(chosen.threads, lane.name) &&
        std::ranges::count(chosen.threads, std::to_string(lane.id)) == 0)
      return false;
    const bool is_scheduling = item.kind == ItemKind::kRun || item.kind == ItemKind::kState ||
                               item.kind == ItemKind::kWakeup || item.kind == ItemKind::kLog;
    if (chosen.is_by_label()) {
      const host::ProbeName& label = all.labels[item.label];
      if (is_scheduling || !has_text(chosen.categories, label.category) ||
          !has_text(chosen.names, label.name))
        return false;
    }
    if (chosen.cpus.empty() || item.kind == ItemKind::kWakeup) return true;
    if (item.kind == ItemKind::kRun)
      return chosen.has_cpu(static_cast<unsigned>(all.lanes[item.other].id));
    return (lane.name == "cpu-0" && chosen.has_cpu(0)) ||
           (lane.name == "cpu-1" && chosen.has_cpu(1));
  };
  const auto list = [&](const Drawing& drawing, const auto& is_shown) {
    std::multiset<std::string> items;
    for (const Item& item : drawing.items) {
      const report::Lane& lane = drawing.lanes[item.lane];
      // A wakeup's CPU is in its text alone.
      if (!is_one_of_a_thread(drawing, item) || !is_shown(item) ||
          (item.kind == ItemKind::kWakeup && !chosen.cpus.empty()))
        continue;
      const host::ProbeName& label = drawing.labels[item.label];
      items.insert(std::to_string(static_cast<int>(item.kind)) + " " + lane.name + " " +
                   std::to_string(lane.id) + " " + label.category + " " + label.name + " " +
                   std::to_string(item.begin) + " " + std::to_string(item.end));
    }
    return items;
  };
  RC_ASSERT(list(draw(chosen), [](const Item&) { return true; }) == list(all, keeps));
}

class SelectionOptions : public Shell {};

TEST_F(SelectionOptions, EveryVerbRefusesTheSame) {
  write("in.fxt", archive_of_everything());
  write("rules", std::string("never thread \"nobody\" runs\n"));
  for (const std::string verb :
       {"print in.fxt", "lint in.fxt", "stats in.fxt", "report in.fxt -o out", "explain in.fxt",
        "convert in.fxt --to fxt -o out", "profile in.fxt", "check --allow-unknown rules in.fxt"}) {
    for (const std::string wrong : {"--from soon", "--to 5x", "--from -1", "--from 5 --to 1",
                                    "--cpu x", "--cpu 65536", "--thread ''"})
      EXPECT_EQ(run("BAREFXT " + verb + " " + wrong), 2) << verb << " " << wrong;
    EXPECT_EQ(run("BAREFXT " + verb + " --from 1ms --to 2ms --thread 'c*' --cpu 0"), 0)
        << verb << messages();
  }
}

// A selection of nothing is said, and is no failure; what cannot be read still is one.
TEST_F(SelectionOptions, StatusIsAboutTheWholeFile) {
  const std::string archive = archive_of_everything();
  write("in.fxt", archive);
  write("cut.fxt", archive.substr(0, archive.size() - 8));
  for (const std::string verb : {"print", "lint", "report -o out", "convert --to fxt -o out",
                                 "convert --to perfetto -o out"}) {
    EXPECT_EQ(run("BAREFXT " + verb + " in.fxt --thread nobody"), 0) << messages();
    EXPECT_TRUE(contains(messages(), "choose no record")) << verb;
    if (verb == "lint") continue;  // its status is about what it shows
    EXPECT_EQ(run("BAREFXT " + verb + " cut.fxt --thread control"), 3) << verb;
  }
  EXPECT_EQ(run("BAREFXT stats cut.fxt --thread control"), 3);
  EXPECT_EQ(run("BAREFXT report cut.fxt --thread control -o out"), 3);
  EXPECT_EQ(run("BAREFXT profile in.fxt --thread nobody"), 0);
  EXPECT_TRUE(contains(messages(), "choose no sample"));
  EXPECT_EQ(run("BAREFXT explain in.fxt --thread nobody"), 0);
  EXPECT_TRUE(contains(messages(), "no such interval"));
  EXPECT_EQ(run("BAREFXT stats " BAREFXT_SOURCE_DIR
                "/host-tests/goldens/captures/cortex-m3-circular.v1.raw --from 1000s"),
            0);
  EXPECT_TRUE(contains(messages(), "--from and --to select nothing"));
  EXPECT_EQ(run("BAREFXT stats in.fxt --category nothing"), 0);
  EXPECT_TRUE(contains(messages(), "--category"));
}

TEST_F(SelectionOptions, ConvertHasTheFormatAndTheTimeInOneOption) {
  write("in.fxt", archive_of_everything());
  EXPECT_EQ(run("BAREFXT convert in.fxt --to fxt --to 1ms -o a"), 0) << messages();
  EXPECT_EQ(run("BAREFXT convert in.fxt --to 1ms --to fxt -o b"), 0);
  EXPECT_EQ(read("a"), read("b"));
  for (const std::string wrong :
       {"--to fxt --to perfetto", "--to 1ms", "--to pictures", "--to fxt --to 1 --to 2"})
    EXPECT_EQ(run("BAREFXT convert in.fxt -o c " + wrong), 2) << wrong;
}

}  // namespace
}  // namespace barefxt::test::selection_test
