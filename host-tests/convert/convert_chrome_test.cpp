// Archives as Chrome's trace event JSON, looked at as a viewer does.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "converting.h"
#include "goldens/goldens.h"
#include "heap/heap_trace.h"

namespace barefxt::test::convert_chrome_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveEvent;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::Change;
using nlohmann::json;
using U = uint64_t;

// Events on thread 11 of process 10. The clock has 1 tick a nanosecond by default.
class Trace {
 public:
  explicit Trace(ArchiveWriter& writer) : writer_(writer) {}
  Trace& add(EventType type, U time, const char* name, U trailing = 0, U thread = 11) {
    EXPECT_TRUE(add_event(writer_, type, time, {0, 10, thread}, "c", name, trailing));
    return *this;
  }
  Trace& begin(U time, const char* name, U thread = 11) {
    return add(EventType::kDurationBegin, time, name, 0, thread);
  }
  Trace& end(U time, U thread = 11) { return add(EventType::kDurationEnd, time, "", 0, thread); }
  Trace& complete(U time, U until, const char* name, U thread = 11) {
    return add(EventType::kDurationComplete, time, name, until, thread);
  }

 private:
  ArchiveWriter& writer_;
};

json events_of(const Converted& converted) { return json::parse(converted.bytes)["traceEvents"]; }

json events_of(const std::function<void(Trace&)>& write) {
  return events_of(to_chrome(written([&](ArchiveWriter& writer) {
    Trace trace(writer);
    write(trace);
  })));
}

std::vector<json> with_phase(const json& events, const std::string& phases) {
  std::vector<json> found;
  for (const json& event : events)
    if (phases.find(event["ph"].get<std::string>()) != std::string::npos) found.push_back(event);
  return found;
}

json named(const json& events, const std::string& name) {
  for (const json& event : events)
    if (event["name"] == name && event["ph"] != "M") return event;
  return nullptr;
}

// Events of one time keep their order.
std::vector<json> in_order_of_time(const json& events) {
  std::multimap<double, json> sorted;
  for (const json& event : events) sorted.emplace(event.value("ts", 0.0), event);
  std::vector<json> list;
  for (const auto& [time, event] : sorted) list.push_back(event);
  return list;
}

// Which slice a viewer binds each flow event to: it sorts all events by time, keeps a stack of
// slices per thread, and takes the innermost that is open.
std::vector<std::pair<std::string, std::string>> bindings(const json& events) {
  const std::vector<json> sorted = in_order_of_time(events);
  struct Slice {
    std::string name;
    double end;
  };
  std::map<std::pair<U, U>, std::vector<Slice>> stacks;
  std::vector<std::pair<std::string, std::string>> bound;
  for (const json& event : sorted) {
    const std::string phase = event["ph"];
    if (phase == "M") continue;
    const double time = event["ts"];
    auto& stack = stacks[{event["pid"].get<U>(), event["tid"].get<U>()}];
    while (!stack.empty() && stack.back().end <= time) stack.pop_back();
    if (phase == "B") stack.push_back({event["name"], std::numeric_limits<double>::infinity()});
    if (phase == "X") stack.push_back({event["name"], time + event["dur"].get<double>()});
    if (phase == "E" && !stack.empty()) stack.pop_back();
    if (phase == "s" || phase == "t" || phase == "f")
      bound.emplace_back(phase, stack.empty() ? "nothing" : stack.back().name);
  }
  return bound;
}

using Bindings = std::vector<std::pair<std::string, std::string>>;

TEST(ConvertChrome, EveryGoldenIsJson) {
  for (const Golden& golden : goldens()) {
    host::FormOverrides overrides;
    if (golden.old) overrides.dialect = host::Dialect::k2017;
    const Converted converted = to_chrome(little_endian(golden.pieces), overrides);
    const json parsed = json::parse(converted.bytes);
    EXPECT_TRUE(parsed["traceEvents"].is_array()) << golden.name;
    for (const json& event : parsed["traceEvents"]) {
      for (const char* key : {"ph", "pid", "name"}) EXPECT_TRUE(event.contains(key)) << event;
      EXPECT_TRUE(event["ph"] == "M" || event["ts"].is_number()) << event;
    }
  }
}

TEST(ConvertChrome, EveryDamagedGoldenIsJson) {
  for (const Golden& golden : goldens()) {
    const std::string good = little_endian(golden.pieces);
    for (size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x11);
      ASSERT_TRUE(json::accept(to_chrome(bad).bytes)) << golden.name << " at " << at;
    }
  }
}

TEST(ConvertChrome, EveryEventTypeHasItsPhase) {
  const json events = events_of([](Trace& trace) {
    trace.add(EventType::kInstant, 1, "instant");
    trace.begin(2, "begin");
    trace.end(3);
    trace.complete(4, 9, "complete");
    trace.add(EventType::kAsyncBegin, 5, "async", 0xabc);
    trace.add(EventType::kAsyncInstant, 6, "async", 0xabc);
    trace.add(EventType::kAsyncEnd, 7, "async", 0xabc);
  });
  std::string phases;
  for (const json& event : events) phases += event["ph"].get<std::string>();
  EXPECT_EQ(phases, "iBEXbne");
  const json instant = named(events, "instant");
  EXPECT_EQ(instant["s"], "t");
  EXPECT_EQ(instant["pid"], 10);
  EXPECT_EQ(instant["tid"], 11);
  EXPECT_EQ(instant["cat"], "c");
  EXPECT_EQ(named(events, "complete")["ts"], 0.004);
  EXPECT_EQ(named(events, "complete")["dur"], 0.005);
  for (const json& event : with_phase(events, "bne")) {
    EXPECT_EQ(event["id"], "0xabc");
    EXPECT_EQ(event["cat"], "c");
  }
}

TEST(ConvertChrome, MapsTheScopesOfInstants) {
  const auto scope = [](U word) {
    return events_of(to_chrome(little_endian({
        W(kMagic),
        W(U{4} << 0 | U{5} << 4 | U{0} << 16, 1, 10, 11, word),
    })))[0]["s"];
  };
  EXPECT_EQ(scope(0), "t");
  EXPECT_EQ(scope(1), "p");
  EXPECT_EQ(scope(2), "g");
  EXPECT_EQ(scope(3), "t");
  EXPECT_EQ(scope(~U{0}), "t");
}

// The text itself, since a parser's doubles would hide the last digits.
TEST(ConvertChrome, TimesAreExactInEveryClock) {
  const auto time_text = [](U ticks_per_second, U ticks) {
    const std::string bytes = to_chrome(written([&](ArchiveWriter& writer) {
                                writer.initialization(ticks_per_second);
                                EXPECT_TRUE(writer.event({.timestamp = ticks}, {}));
                              })).bytes;
    const size_t at = bytes.find("\"ts\":") + 5;
    return bytes.substr(at, bytes.find(',', at) - at);
  };
  EXPECT_EQ(time_text(1'000'000'000, 0), "0.000");
  EXPECT_EQ(time_text(1'000'000'000, 1), "0.001");
  EXPECT_EQ(time_text(1'000'000'000, 1'234'567), "1234.567");
  EXPECT_EQ(time_text(62'500'000, 1), "0.016");
  EXPECT_EQ(time_text(3, 1), "333333.333");
  EXPECT_EQ(time_text(3, 2), "666666.666");
  EXPECT_EQ(time_text(1'000'000'000, ~U{0}), "18446744073709551.615");
  EXPECT_EQ(time_text(1'000'000, ~U{0}), "18446744073709551615.000");
  EXPECT_EQ(time_text(1, ~U{0}), "18446744073709551615000000.000");
  EXPECT_EQ(time_text(0, 5), "0.005") << "a clock of 0 ticks/s is taken for one of 1 ns";
}

TEST(ConvertChrome, ADurationEndsExactlyWhereTheNextBegins) {
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    writer.initialization(3'000'000);
    Trace(writer).complete(1, 2, "one").complete(2, 3, "two");
  }));
  EXPECT_TRUE(contains(converted.bytes, "\"ts\":0.333,"));
  EXPECT_TRUE(contains(converted.bytes, "\"dur\":0.333,"));
  EXPECT_TRUE(contains(converted.bytes, "\"ts\":0.666,"));
  EXPECT_TRUE(contains(converted.bytes, "\"dur\":0.334,"));
}

TEST(ConvertChrome, CountersAreASeriesPerArgumentUnderNameAndId) {
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    const std::vector<ArchiveArgument> arguments = {
        ArchiveArgument::uint32(text("used"), 3),
        ArchiveArgument::int64(text("free"), -4),
        ArchiveArgument::real(text("ratio"), 0.5),
        ArchiveArgument::uint64(text("large"), ~U{0}),
        ArchiveArgument::string(text("unit"), text("bytes")),
        ArchiveArgument::real(text("broken"), std::nan("")),
    };
    ArchiveEvent event = {.type = EventType::kCounter};
    event.name = text("heap");
    event.trailing_word = 255;
    EXPECT_TRUE(writer.event(event, arguments));
  }));
  const json counter = events_of(converted)[0];
  EXPECT_EQ(counter["ph"], "C");
  EXPECT_EQ(counter["id"], "0xff");
  EXPECT_EQ(counter["args"], json::parse(R"({"used":3,"free":-4,"ratio":0.5,
                                             "large":18446744073709551615})"));
  EXPECT_EQ(converted.changes.of(Change::kSeriesValue), 2u);
}

TEST(ConvertChrome, AStackHasTheNameOfItsThread) {
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.kernel_object(12, fxt::KernelObjectType::kThread, text("rx"), {}));
    const ArchiveArgument left = ArchiveArgument::uint32(text("left"), 128);
    for (const U koid : {U{12}, U{13}})
      EXPECT_TRUE(writer.event({.type = EventType::kCounter,
                                .category = text("stack"),
                                .name = text("stack"),
                                .trailing_word = koid},
                               {&left, 1}));
  }));
  const json events = events_of(converted);
  EXPECT_EQ(events[0]["id"], "rx 0xc");
  EXPECT_EQ(events[1]["id"], "0xd");
}

TEST(ConvertChrome, TheLiveBytesOfAHeapAreOneCounter) {
  std::vector<std::string> counted;
  for (const json& event : with_phase(events_of(to_chrome(heap_of_four_changes())), "C")) {
    EXPECT_EQ(event["name"], "live heap");
    EXPECT_EQ(event["pid"], HeapTrace::kProcess);
    counted.push_back(event["ts"].dump() + " " + event["args"]["bytes"].dump());
  }
  EXPECT_EQ(counted,
            (std::vector<std::string>{"1000.0 100", "2000.0 150", "3000.0 350", "4000.0 50"}));
}

TEST(ConvertChrome, ArgumentsOfEveryType) {
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    const U exact = U{1} << 53;
    const std::vector<ArchiveArgument> arguments = {
        ArchiveArgument::null(text("null")),
        ArchiveArgument::int32(text("int32"), -4),
        ArchiveArgument::int64(text("exact"), -static_cast<int64_t>(exact)),
        ArchiveArgument::int64(text("beyond"), -static_cast<int64_t>(exact) - 1),
        ArchiveArgument::int64(text("least"), std::numeric_limits<int64_t>::min()),
        ArchiveArgument::uint64(text("large"), exact + 1),
        ArchiveArgument::real(text("inf"), std::numeric_limits<double>::infinity()),
        ArchiveArgument::real(text("nan"), std::nan("")),
        ArchiveArgument::string(text("string"), text("a\x80\"\n")),
        ArchiveArgument::pointer(text("pointer"), 0xbeef),
        ArchiveArgument::koid(text("koid"), 10),
        ArchiveArgument::boolean(text("bool"), true),
        ArchiveArgument::blob(text("blob"), "xyz"),
        ArchiveArgument::uint32(text("twice"), 1),
        ArchiveArgument::uint32(text("twice"), 2),
    };
    EXPECT_TRUE(writer.event({.timestamp = 1}, arguments));
  }));
  EXPECT_EQ(events_of(converted)[0]["args"],
            json::parse(R"({"null":null,"int32":-4,"exact":-9007199254740992,
                "beyond":"-9007199254740993","least":"-9223372036854775808",
                "large":"9007199254740993","inf":"inf","nan":"nan",
                "string":"a\ufffd\"\n","pointer":"0xbeef","koid":10,"bool":true,"blob":"eHl6",
                "twice":1,"twice#2":2})"));
}

TEST(ConvertChrome, NamesProcessesAndThreads) {
  const json events = events_of(to_chrome(written([](ArchiveWriter& writer) {
    using Kind = fxt::KernelObjectType;
    const ArchiveArgument process = ArchiveArgument::koid(text("process"), 10);
    EXPECT_TRUE(writer.kernel_object(10, Kind::kProcess, text("kernel"), {}));
    EXPECT_TRUE(writer.kernel_object(11, Kind::kThread, text("worker"), {&process, 1}));
    EXPECT_TRUE(writer.kernel_object(12, Kind::kThread, text("elsewhere"), {}));
    Trace(writer).begin(1, "x", 11).begin(1, "x", 12);
    EXPECT_TRUE(writer.kernel_object(11, Kind::kThread, text("renamed"), {&process, 1}));
  })));
  std::vector<std::string> names;
  for (const json& event : with_phase(events, "M"))
    names.push_back(event["name"].get<std::string>() + " " +
                    (event.contains("tid") ? event["tid"].dump() : event["pid"].dump()) + " " +
                    event["args"]["name"].get<std::string>());
  EXPECT_EQ(names,
            (std::vector<std::string>{"process_name 10 kernel", "thread_name 11 worker",
                                      "thread_name 12 elsewhere", "thread_name 11 renamed"}));
}

TEST(ConvertChrome, ThreadsThatRunAreSlicesOfTheirCpu) {
  const json events = events_of(to_chrome(written([](ArchiveWriter& writer) {
    const ArchiveArgument process = ArchiveArgument::koid(text("process"), 10);
    EXPECT_TRUE(
        writer.kernel_object(11, fxt::KernelObjectType::kThread, text("worker"), {&process, 1}));
    const auto inline_thread = [](U koid) {
      return ArchiveThread{.index = 0, .process = 10, .thread = koid};
    };
    using State = fxt::ThreadState;
    writer.legacy_context_switch(
        {1000, 3, State::kBlocked, inline_thread(9), inline_thread(11), 1, 7});
    EXPECT_TRUE(writer.thread_wakeup({1500, 3, 11}, {}));
    writer.legacy_context_switch(
        {2000, 3, State::kBlocked, inline_thread(11), inline_thread(12), 7, 8});
    EXPECT_TRUE(writer.context_switch({2500, 3, State::kDead, 12, 11}, {}));
    EXPECT_TRUE(writer.thread_wakeup({4000, 3, 12}, {}));
  })));
  const std::vector<json> slices = with_phase(events, "X");
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0]["name"], "worker");
  EXPECT_EQ(slices[0]["ts"], 1.0);
  EXPECT_EQ(slices[0]["dur"], 1.0);
  EXPECT_EQ(slices[0]["args"], json::parse(R"({"thread":11,"priority":7,"until":"blocked"})"));
  EXPECT_EQ(slices[1]["name"], "thread 12");
  EXPECT_EQ(slices[1]["args"]["until"], "dead");
  EXPECT_EQ(slices[2]["ts"], 2.5);
  EXPECT_EQ(slices[2]["dur"], 1.5) << "until the last that is known of the CPU";
  EXPECT_EQ(named(events, "wakeup of worker")["ts"], 1.5);
  EXPECT_EQ(named(events, "wakeup of worker")["tid"], slices[0]["tid"]);
  std::vector<std::string> rows;
  for (const json& event : with_phase(events, "M"))
    if (event["pid"] == slices[0]["pid"] && event["args"].contains("name"))
      rows.push_back(event["args"]["name"]);
  EXPECT_EQ(rows, (std::vector<std::string>{"CPUs", "CPU 3"}));
}

TEST(ConvertChrome, LogsAndFullBuffersAreInstants) {
  const json events = events_of(to_chrome(written([](ArchiveWriter& writer) {
    writer.provider_info(7, "p");
    Trace(writer).begin(1000, "x");
    writer.log(2000, {.index = 0, .process = 10, .thread = 11}, "hello");
    writer.provider_event(7, 0);
  })));
  EXPECT_EQ(named(events, "log")["args"]["message"], "hello");
  EXPECT_EQ(named(events, "log")["ts"], 2.0);
  EXPECT_EQ(named(events, "buffer full")["s"], "g");
  EXPECT_EQ(named(events, "buffer full")["args"]["provider"], 7);
}

TEST(ConvertChrome, FullBuffersAreAtTheTimeOfTheirLoss) {
  const json events = events_of(to_chrome(written([](ArchiveWriter& writer) {
    writer.provider_info(7, "p");
    writer.provider_event(7, 0);
    Trace(writer).begin(5000, "first");
    writer.provider_event(7, 0);
    add_event(writer, EventType::kDurationComplete, 8000, {0, 10, 11}, "barefxt", "drop_stats",
              9000);
    writer.provider_event(7, 0);
  })));
  std::vector<double> times;
  for (const json& event : events)
    if (event["name"] == "buffer full") times.push_back(event["ts"]);
  EXPECT_EQ(times, (std::vector<double>{5.0, 8.0, 8.0}));
}

TEST(ConvertChrome, CountsWhatHasNoPlace) {
  const Converted converted = to_chrome(little_endian(golden("blobs and objects").pieces));
  EXPECT_GT(converted.changes.of(Change::kNoPlaceInFormat), 0u);
  EXPECT_FALSE(converted.changes.lost());
  const host::ChangeCounts events =
      to_chrome(little_endian(golden("every event type, indexed").pieces)).changes;
  EXPECT_EQ(events.of(Change::kUnknownEvent), 1u);
  EXPECT_EQ(events.of(Change::kNamelessString), 2u);
  EXPECT_TRUE(events.lost());
}

TEST(ConvertChrome, ProvidersKeepTheirClocksThreadsAndIdsApart) {
  const json events = events_of(to_chrome(written([](ArchiveWriter& writer) {
    writer.provider_info(1, "one");
    writer.initialization(1000);
    Trace(writer).add(EventType::kAsyncBegin, 1, "first", 5);
    writer.provider_info(2, "two");
    writer.initialization(1'000'000);
    Trace(writer).add(EventType::kAsyncBegin, 1, "second", 5);
    Trace(writer).add(EventType::kInstant, 1, "large", 5, U{1} << 40);
  })));
  const json first = named(events, "first");
  const json second = named(events, "second");
  EXPECT_EQ(first["ts"], 1000.0);
  EXPECT_EQ(second["ts"], 1.0);
  EXPECT_EQ(first["pid"], 10);
  EXPECT_EQ(first["tid"], 11);
  EXPECT_NE(second["pid"], first["pid"]);
  EXPECT_NE(second["tid"], first["tid"]);
  EXPECT_NE(second["id"], first["id"]);
  EXPECT_LT(named(events, "large")["tid"].get<U>(), U{1} << 32) << "viewers cut at 32 bits";
  std::vector<json> labels;
  for (const json& event : with_phase(events, "M"))
    if (event["name"] == "process_labels") labels.push_back(event);
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0]["pid"], second["pid"]);
  EXPECT_EQ(labels[0]["args"]["labels"], "two");
}

// The events of a flow from the duration `from` of thread 11 to `to` of thread 12.
std::vector<json> flow_of(const std::function<void(Trace&)>& write, const Bindings& wanted) {
  const json events = events_of(write);
  EXPECT_EQ(bindings(events), wanted);
  return in_order_of_time(with_phase(events, "stf"));
}

TEST(ConvertChromeFlows, LeaveAtTheEndAndEnterAtTheBegin) {
  for (const bool complete : {false, true}) {
    const auto flow = flow_of(
        [&](Trace& trace) {
          if (!complete) trace.begin(1000, "from");
          trace.add(EventType::kFlowBegin, 1500, "flow", 7);
          complete ? trace.complete(1000, 2000, "from") : trace.end(2000);
          if (!complete) trace.begin(3000, "through", 12);
          trace.add(EventType::kFlowStep, 3500, "flow", 7, 12);
          complete ? trace.complete(3000, 4000, "through", 12) : trace.end(4000, 12);
          if (!complete) trace.begin(5000, "to", 13);
          trace.add(EventType::kFlowEnd, 5500, "flow", 7, 13);
          complete ? trace.complete(5000, 6000, "to", 13) : trace.end(6000, 13);
        },
        {{"s", "from"}, {"t", "through"}, {"f", "to"}});
    ASSERT_EQ(flow.size(), 3u);
    EXPECT_EQ(flow[0]["ts"], 1.999) << "a nanosecond before the end, where it is still open";
    EXPECT_EQ(flow[1]["ts"], 3.0);
    EXPECT_EQ(flow[2]["ts"], 5.0);
    for (const json& event : flow) {
      EXPECT_EQ(event["bp"], "e");
      EXPECT_EQ(event["id"], "0x7");
      EXPECT_EQ(event["cat"], "c");
    }
  }
}

TEST(ConvertChromeFlows, BindToCompleteEventsThatStandAheadOfWhatTheyEnclose) {
  const auto flow = flow_of(
      [](Trace& trace) {
        trace.complete(1000, 2000, "outer").complete(1200, 1800, "from");
        trace.add(EventType::kFlowBegin, 1500, "flow", 7);
        trace.complete(3000, 4000, "to", 12);
        trace.add(EventType::kFlowEnd, 3500, "flow", 7, 12);
      },
      {{"s", "from"}, {"f", "to"}});
  EXPECT_EQ(flow[0]["ts"], 1.799);
  EXPECT_EQ(flow[1]["ts"], 3.0);
}

TEST(ConvertChromeFlows, BindToTheInnermostOfDurationsOfBothKinds) {
  flow_of(
      [](Trace& trace) {
        trace.begin(1000, "outermost").begin(1100, "outer");
        trace.add(EventType::kFlowBegin, 1500, "flow", 7);
        trace.complete(1200, 1800, "from").end(1900).end(2000);
        trace.begin(3000, "to", 12);
        trace.complete(3100, 3200, "before", 12);
        trace.add(EventType::kFlowEnd, 3500, "flow", 7, 12);
        trace.complete(3600, 3700, "after", 12).end(4000, 12);
        trace.complete(2900, 4100, "around", 12);
      },
      {{"s", "from"}, {"f", "to"}});
}

TEST(ConvertChromeFlows, DoNotSlipIntoADurationThatBeginsOrEndsWithTheirs) {
  const auto flow = flow_of(
      [](Trace& trace) {
        trace.begin(1000, "from");
        trace.add(EventType::kFlowBegin, 1500, "flow", 7);
        trace.begin(1600, "last child").end(2000).end(2000);
        trace.begin(3000, "to", 12).begin(3000, "first child", 12).end(3100, 12);
        trace.add(EventType::kFlowEnd, 3500, "flow", 7, 12);
        trace.end(4000, 12);
      },
      {{"s", "from"}, {"f", "to"}});
  EXPECT_EQ(flow[0]["ts"], 1.5) << "at its own time, where it binds the same";
  EXPECT_EQ(flow[1]["ts"], 3.5);
}

TEST(ConvertChromeFlows, StayInOrderThoughTheDurationOutlivesTheArrival) {
  const auto flow = flow_of(
      [](Trace& trace) {
        trace.begin(1000, "from").begin(1200, "waiting", 12);
        trace.add(EventType::kFlowBegin, 1500, "flow", 7);
        trace.add(EventType::kFlowEnd, 1700, "flow", 7, 12);
        trace.end(1800, 12).end(2000);
      },
      {{"s", "from"}, {"f", "waiting"}});
  EXPECT_EQ(flow[0]["ph"], "s");
  EXPECT_EQ(flow[0]["ts"], 1.5);
  EXPECT_EQ(flow[1]["ts"], 1.7);
}

TEST(ConvertChromeFlows, AreMatchedByTheIdAlone) {
  const auto flow = flow_of(
      [](Trace& trace) {
        trace.begin(1000, "from").add(EventType::kFlowBegin, 1500, "sent", 7).end(2000);
        trace.begin(3000, "to").add(EventType::kFlowEnd, 3500, "received", 7).end(4000);
        trace.begin(5000, "from").add(EventType::kFlowBegin, 5500, "used again", 7).end(6000);
        trace.begin(7000, "to").add(EventType::kFlowEnd, 7500, "received", 7).end(8000);
      },
      {{"s", "from"}, {"f", "to"}, {"s", "from"}, {"f", "to"}});
  EXPECT_EQ(flow[1]["name"], "sent") << "viewers want the name, too";
  EXPECT_EQ(flow[3]["name"], "used again");
}

TEST(ConvertChromeFlows, WithoutADurationAreLeftOutAndCounted) {
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    Trace trace(writer);
    trace.add(EventType::kFlowBegin, 500, "flow", 7);
    trace.begin(1000, "never ended");
    trace.add(EventType::kFlowEnd, 1500, "flow", 7);
  }));
  EXPECT_EQ(converted.changes.of(Change::kUnplacedEvent), 1u);
  EXPECT_TRUE(converted.changes.lost());
  EXPECT_EQ(bindings(events_of(converted)), (Bindings{{"f", "never ended"}}));
}

TEST(ConvertChromeFlows, DoNotPileUp) {
  constexpr U kFlows = 66'000;
  const Converted converted = to_chrome(written([](ArchiveWriter& writer) {
    Trace trace(writer);
    for (U i = 0; i < kFlows; ++i) trace.add(EventType::kFlowBegin, i, "flow", i);
    trace.complete(0, kFlows, "around");
  }));
  // Those that still wait when the duration comes, and are near enough to its end.
  EXPECT_EQ(converted.changes.of(Change::kUnplacedEvent), kFlows - 65536);
  EXPECT_EQ(with_phase(events_of(converted), "s").size(), 65536u);
}

}  // namespace
}  // namespace barefxt::test::convert_chrome_test
