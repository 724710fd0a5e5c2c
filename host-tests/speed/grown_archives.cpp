// Archives in which one thing grows, given to everything that reads archives.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <barefxt/host/archive_wakers.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/budget.h>
#include <barefxt/host/explain.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/selected_archive.h>
#include <barefxt/host/stats.h>

#include "archive/archive_provider.h"
#include "archive/memory_sink.h"
#include "cli/every_verb.h"
#include "grown.h"
#include "report/drawing.h"
#include "report/page.h"
#include "report/picture.h"

namespace barefxt::test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using host::ArchiveThread;
using host::ArchiveWriter;
using Fill = std::function<void(ArchiveWriter&, size_t index)>;

constexpr ArchiveThread kThread{.process = 7, .thread = 70};

constexpr size_t kRecordBytes = 64;

// `fill` writes about kRecordBytes each time.
std::vector<uint8_t> archive_of(size_t size, const Fill& fill) {
  MemorySink sink;
  ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000'000);
  writer.thread(1, 7, 70);
  writer.string(1, "one");
  for (size_t i = 0; i < size / kRecordBytes; ++i) fill(writer, i);
  if (!writer.flush().ok()) std::abort();
  return sink.bytes();
}

std::string numbered(const char* what, size_t index) { return what + std::to_string(index); }

void event(ArchiveWriter& writer, fxt::EventType type, size_t time, const ArchiveThread& thread,
           ArchiveText name, uint64_t trailing = 0) {
  (void)writer.event({.type = type,
                      .timestamp = time,
                      .thread = thread,
                      .category = ArchiveText::indexed(1),
                      .name = name,
                      .trailing_word = trailing},
                     {});
}

// The second half of such an archive has one record for each of the first, and could make each of
// them walk all of the first.
std::vector<uint8_t> archive_of_halves(size_t size, const Fill& first, const Fill& second) {
  const size_t half = size / (2 * kRecordBytes);
  return archive_of(
      size, [&](ArchiveWriter& to, size_t i) { i < half ? first(to, i) : second(to, i - half); });
}

void lint_it(const std::vector<uint8_t>& bytes) {
  host::Linter linter({}, [](const host::Finding&) {});
  host::Reader reader(bytes, {});
  while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
  linter.finish();
}

void find_wakers(const std::vector<uint8_t>& bytes) {
  host::ArchiveWakers wakers(bytes, {});
  host::Reader reader(bytes, {});
  while (const host::Record* record = reader.next())
    if (const auto* wakeup = std::get_if<host::ThreadWakeup>(&record->content))
      (void)wakers.next(record->provider, *wakeup, record->offset);
}

void sum_up(const std::vector<uint8_t>& bytes) {
  host::Source source = host::Source::of(bytes, "in memory");
  if (!host::collect_statistics(source, host::Form{}).ok()) std::abort();
}

void explain_it(const std::vector<uint8_t>& bytes) {
  host::Source source = host::Source::of(bytes, "in memory");
  if (!host::explain(source, host::Form{}, {.selection = {.threads = {"*"}}}).ok()) std::abort();
}

// All that is known of CPUs and threads, then losses, which make it unknown.
std::vector<Grown> archives_of_halves() {
  const auto switches = [](ArchiveWriter& to, size_t i) {
    (void)to.context_switch(
        {.timestamp = i, .cpu = static_cast<uint16_t>(i), .outgoing = 2 * i, .incoming = 2 * i + 1},
        {});
  };
  const auto wakeup = [](ArchiveWriter& to, size_t i, size_t cpu) {
    (void)to.thread_wakeup({.timestamp = i, .cpu = static_cast<uint16_t>(cpu), .thread = i}, {});
  };
  // A thread waits for the end of another's turn, again and again.
  const auto late_runs = [](ArchiveWriter& to, size_t i) {
    const uint64_t thread = i % 2 + 1;
    (void)to.thread_wakeup({.timestamp = 10 * i, .cpu = 1, .thread = thread}, {});
    (void)to.context_switch(
        {.timestamp = 10 * i + 5, .cpu = 1, .outgoing = 3 - thread, .incoming = thread}, {});
  };
  const auto full_buffer = [](ArchiveWriter& to, size_t i) {
    to.provider_event(1, fxt::ProviderEvent::kBufferFull);
    event(to, fxt::EventType::kInstant, i, kThread, ArchiveText::indexed(1));
  };
  const auto interrupt = [](ArchiveWriter& to, size_t i) {
    event(to, fxt::EventType::kDurationComplete, 0,
          {.process = host::kCpusProcess, .thread = host::kFirstCpuThread + 1},
          ArchiveText::indexed(1), 1'000'000 + i);
  };
  const auto counter = [](ArchiveWriter& to, size_t i) {
    const std::array value = {ArchiveArgument::uint64(ArchiveText::indexed(1), i)};
    (void)to.event({.type = fxt::EventType::kCounter,
                    .timestamp = i,
                    .thread = kThread,
                    .category = ArchiveText::indexed(1),
                    .name = ArchiveText::indexed(1),
                    .trailing_word = i},
                   value);
  };
  const auto loss_of = [](ArchiveWriter& to, size_t i, const ArchiveThread& thread) {
    (void)to.event({.type = fxt::EventType::kDurationComplete,
                    .timestamp = 1'000'000 + 10 * i,
                    .thread = thread,
                    .category = ArchiveText::spelled_out("barefxt"),
                    .name = ArchiveText::spelled_out("drop_stats"),
                    .trailing_word = 1'000'005 + 10 * i},
                   {});
  };
  const auto loss = [loss_of](ArchiveWriter& to, size_t i) {
    loss_of(to, i, {.process = host::kCpusProcess, .thread = host::kFirstCpuThread});
  };
  const auto loss_of_all = [loss_of](ArchiveWriter& to, size_t i) { loss_of(to, i, kThread); };
  struct Halves {
    const char* name;
    Fill first;
    Fill second;
    void (*work)(const std::vector<uint8_t>&);
  };
  const Halves all_halves[] = {
      {"StatsCountersThenLosses", counter, loss, sum_up},
      {"StatsCpusThenLossesOfAll", switches, loss_of_all, sum_up},
      {"ExplainCpusThenLossesOfAll", switches, loss_of_all, explain_it},
      {"ExplainLatenciesThenInterrupts", late_runs, interrupt, explain_it},
      {"LintCpusThenFullBuffers", switches, full_buffer, lint_it},
      {"WakersCpusThenFullBuffers", [wakeup](ArchiveWriter& to, size_t i) { wakeup(to, i, i); },
       full_buffer, find_wakers},
      // CPU 0 waits for records of its own until all the others are read.
      {"WakersWakeupsThenInterrupts",
       [wakeup](ArchiveWriter& to, size_t i) { wakeup(to, i, i == 0 ? 0 : 1); }, interrupt,
       find_wakers}};
  std::vector<Grown> all;
  for (const Halves& halves : all_halves)
    all.push_back({halves.name, 40, false, [halves](size_t size) -> std::function<void()> {
                     const auto bytes = std::make_shared<const std::vector<uint8_t>>(
                         archive_of_halves(size, halves.first, halves.second));
                     return [bytes, work = halves.work] { work(*bytes); };
                   }});
  return all;
}

class Nowhere final : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t>) override { return {}; }
};

// The rest of use_everything(): a selection, the kinds of intervals to explain, a page, a picture.
void use_parts(host::Bytes archive) {
  const host::Form form{};
  host::Source source = host::Source::of(archive, "in memory");
  const host::Selection selection = {.threads = {"*1*", "*2*"}, .names = {"*a*b*", "*1"}};
  auto filter = host::RecordFilter::make(selection, source, form);
  host::Reader reader(archive, form);
  if (!filter.ok() || !host::selected_archive(source, form, filter.value(), reader).ok())
    std::abort();
  const auto budget = host::parse_budget("duration? max <= 1ticks\n", "budget");
  for (const host::ExplainOptions& options :
       {host::ExplainOptions{.slice = "*"}, host::ExplainOptions{.flow = "*"},
        host::ExplainOptions{.lock = "*"}, host::ExplainOptions{.budget = budget.value()}})
    if (!host::explain(source, form, options).ok()) std::abort();
  Nowhere nowhere;
  const auto drawing = report::draw(source, form, {});
  if (!drawing.ok()) std::abort();
  const report::Reasons reasons = report::find_reasons(source, form, {}, drawing.value());
  if (!report::write_page(drawing.value(), reasons, nowhere).ok()) std::abort();
  // Pixels of few lanes; which of all lanes they are is what grows. A build may lack it.
  (void)report::write_picture(drawing.value(), {.width = 100, .lanes = 10}, nowhere);
}

}  // namespace

std::vector<Grown> grown_archives() {
  using Type = fxt::EventType;
  const ArchiveText one = ArchiveText::indexed(1);
  const std::pair<const char*, Fill> fills[] = {
      {"OneName", [=](ArchiveWriter& to, size_t i) { event(to, Type::kInstant, i, kThread, one); }},
      {"ManyNames",
       [](ArchiveWriter& to, size_t i) {
         const std::string name = numbered("name ", i);
         event(to, Type::kInstant, i, kThread, ArchiveText::spelled_out(name));
       }},
      {"ManySlices",
       [](ArchiveWriter& to, size_t i) {
         const std::string name = numbered("slice ", i);
         event(to, Type::kDurationComplete, i, kThread, ArchiveText::spelled_out(name), i + 1);
       }},
      {"DeepNesting",
       [=](ArchiveWriter& to, size_t i) { event(to, Type::kDurationBegin, i, kThread, one); }},
      {"EndsWithoutBegins",
       [=](ArchiveWriter& to, size_t i) { event(to, Type::kDurationEnd, i, kThread, one); }},
      {"CompletesThatOverlap",
       [=](ArchiveWriter& to, size_t i) {
         event(to, Type::kDurationComplete, i, kThread, one, i + 1'000'000);
       }},
      {"OpenAsyncs",
       [=](ArchiveWriter& to, size_t i) { event(to, Type::kAsyncBegin, i, kThread, one, i); }},
      {"AsyncsOfOneIdThatEndAsOthers",
       [](ArchiveWriter& to, size_t i) {
         const bool is_end = i % 1024 >= 512;
         const std::string name = numbered(is_end ? "end " : "begin ", i);
         event(to, is_end ? Type::kAsyncEnd : Type::kAsyncBegin, i, kThread,
               ArchiveText::spelled_out(name), 1);
       }},
      {"OpenFlows",
       [=](ArchiveWriter& to, size_t i) { event(to, Type::kFlowBegin, i, kThread, one, i); }},
      {"OneFlow",
       [=](ArchiveWriter& to, size_t i) { event(to, Type::kFlowStep, i, kThread, one, 1); }},
      {"TimeThatRunsBackwards",
       [=](ArchiveWriter& to, size_t i) {
         event(to, Type::kInstant, 1'000'000'000 - i, kThread, one);
       }},
      {"Counters",
       [](ArchiveWriter& to, size_t i) {
         const std::array value = {ArchiveArgument::uint64(ArchiveText::indexed(1), i)};
         (void)to.event({.type = Type::kCounter,
                         .timestamp = i,
                         .thread = kThread,
                         .category = ArchiveText::indexed(1),
                         .name = ArchiveText::indexed(1),
                         .trailing_word = i},
                        value);
       }},
      {"ManyThreads",
       [=](ArchiveWriter& to, size_t i) {
         event(to, Type::kInstant, i, {.process = i, .thread = i + 1'000'000}, one);
       }},
      {"ThreadsOfOneName",
       [=](ArchiveWriter& to, size_t i) {
         (void)to.kernel_object(i + 1000, fxt::KernelObjectType::kThread,
                                ArchiveText::spelled_out("same"), {});
       }},
      {"Switches",
       [](ArchiveWriter& to, size_t i) {
         to.legacy_context_switch({.timestamp = i,
                                   .cpu = 0,
                                   .outgoing = {.process = 7, .thread = i},
                                   .incoming = {.process = 7, .thread = i + 1}});
       }},
      {"ThreadsOnEachCpu",
       [](ArchiveWriter& to, size_t i) {
         (void)to.context_switch({.timestamp = i,
                                  .cpu = static_cast<uint16_t>(i / 2),
                                  .outgoing = i % 2,
                                  .incoming = 1 - i % 2},
                                 {});
       }},
      {"Providers",
       [](ArchiveWriter& to, size_t i) { to.provider_info(static_cast<uint32_t>(i), "provider"); }},
      {"StringsRegisteredAgain",
       [](ArchiveWriter& to, size_t i) {
         to.string(static_cast<unsigned>(i % 30'000 + 1), numbered("text ", i));
       }},
      {"Blobs",
       [](ArchiveWriter& to, size_t i) {
         const std::string name = numbered("blob ", i);
         to.blob(ArchiveText::spelled_out(name), fxt::BlobType::kData, "payload");
       }},
      {"Objects",
       [](ArchiveWriter& to, size_t i) {
         const std::string name = numbered("object ", i);
         (void)to.userspace_object(i, kThread, ArchiveText::spelled_out(name), {});
       }},
      {"Logs", [](ArchiveWriter& to, size_t i) { to.log(i, kThread, "the same message"); }},
  };
  std::vector<Grown> all;
  const auto add = [&](const std::string& name,
                       const std::function<std::vector<uint8_t>(size_t)>& make) {
    constexpr std::string_view kInShortRuns[] = {
        "ArchiveBytes0xff",  "ArchiveDeepNesting",      "ArchiveManyNames", "ArchiveManyThreads",
        "ArchiveOpenAsyncs", "ArchiveThreadsOnEachCpu", "ArchiveZeros"};
    const bool only_full = std::ranges::find(kInShortRuns, name) == std::end(kInShortRuns);
    // Some 1,000, 2,000 and 4,000 names, CPUs or depths in short runs.
    const size_t scale = only_full || name == "ArchiveZeros" || name == "ArchiveBytes0xff" ? 1 : 16;
    all.push_back({name, scale, only_full, [make](size_t size) -> std::function<void()> {
                     auto bytes = std::make_shared<const std::vector<uint8_t>>(make(size));
                     return [bytes] {
                       if (!use_everything(*bytes).empty()) std::abort();
                     };
                   }});
  };
  for (const auto& [name, fill] : fills) {
    const auto make = [records = fill](size_t size) { return archive_of(size, records); };
    add(std::string("Archive") + name, make);
    all.back().each = kRecordBytes;
    const std::string title = std::string("Parts") + name;
    const bool only_full = title != "PartsManyNames" && title != "PartsManyThreads" &&
                           title != "PartsOpenFlows" && title != "PartsOpenAsyncs";
    all.push_back({title, 16, only_full, [make](size_t size) -> std::function<void()> {
                     auto bytes = std::make_shared<const std::vector<uint8_t>>(make(size));
                     // Loads what is loaded once, such as fonts.
                     static const bool is_warm = (use_parts(make(640)), true);
                     (void)is_warm;
                     return [bytes] { use_parts(*bytes); };
                   }});
    all.back().each = kRecordBytes;
  }
  // Archives that cannot be read behind their beginning.
  const std::vector<uint8_t> sound = archive_of(
      640, [=](ArchiveWriter& to, size_t i) { event(to, Type::kInstant, i, kThread, one); });
  for (const auto& [name, piece] :
       std::initializer_list<std::pair<const char*, std::vector<uint8_t>>>{
           {"Zeros", {0}},
           {"Bytes0xff", {0xff}},
           {"Ones", {1}},
           {"ZerosAndOnes", {0, 0, 0, 0, 0, 0, 0, 1}},
           {"HeadersThatReachBeyondTheEnd", {0xf4, 0xff, 0, 0, 0, 0, 0, 0}},
           {"ShortHeaders", {0x14, 0, 0, 0, 0, 0, 0, 0}}})
    add(std::string("Archive") + name, [repeated = piece, sound](size_t size) {
      std::vector<uint8_t> bytes = sound;
      while (bytes.size() < size) bytes.insert(bytes.end(), repeated.begin(), repeated.end());
      return bytes;
    });
  // Durations that nest, then ends of another name, for statistics alone. Those of the largest
  // short input nest nearly as deep as they are followed, 4096.
  all.push_back({"StatsEndsOfOthersAtDepth", 40, false, [](size_t size) {
                   const size_t depth = size / 128;
                   auto bytes = std::make_shared<const std::vector<uint8_t>>(
                       archive_of(size, [depth](ArchiveWriter& to, size_t i) {
                         to.string(2, "other");
                         event(to, i < depth ? Type::kDurationBegin : Type::kDurationEnd, i,
                               kThread, ArchiveText::indexed(i < depth ? 1 : 2));
                       }));
                   return [bytes] {
                     host::Source source = host::Source::of(*bytes, "in memory");
                     const auto statistics = host::collect_statistics(source, host::Form{});
                     if (!statistics.ok() || statistics.value().unmatched_ends == 0) std::abort();
                   };
                 }});
  add("ArchiveTornWithEachRecord", [sound](size_t size) {
    std::vector<uint8_t> bytes;
    for (size_t cut = 1; bytes.size() < size; ++cut)
      bytes.insert(bytes.end(), sound.begin(), sound.end() - static_cast<ptrdiff_t>(cut % 64));
    return bytes;
  });
  for (Grown& grown : archives_of_halves()) all.push_back(std::move(grown));
  return all;
}

}  // namespace barefxt::test
