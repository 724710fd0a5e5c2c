// Archives in the Common Trace Format, as babeltrace2 reads them.
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "cli/shell_line.h"
#include "converting.h"
#include "goldens/goldens.h"
#include "plain_ctf.h"

namespace barefxt::test::convert_ctf_test {
namespace {

namespace files = std::filesystem;
using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::Change;
using U = uint64_t;

class ConvertCtf : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = ::testing::TempDir() + "barefxt-ctf-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { files::remove_all(folder_); }

  host::ChangeCounts convert(const std::string& archive, host::FormOverrides overrides = {}) {
    files::remove_all(folder_ / "trace");
    files::create_directory(folder_ / "trace");
    host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
    host::CtfConverter converter([&](const std::string& file, std::string_view bytes) {
      std::ofstream(folder_ / "trace" / file, std::ios::binary | std::ios::app) << bytes;
      return host::Status();
    });
    while (const host::Record* record = reader.next()) converter.see(*record, reader.provider());
    EXPECT_TRUE(converter.finish().ok());
    return converter.changes();
  }

  // Returns the output of babeltrace2, a line for each event, after "[seconds] ". It must print
  // nothing else.
  std::vector<std::string> read() {
    const std::string complaints = folder_ / "complaints";
    const std::string command = "babeltrace2 --clock-seconds --no-delta '" +
                                (folder_ / "trace").string() + "' 2>'" + complaints + "'";
    const LineResult ran = run_line(command);
    EXPECT_EQ(ran.status, 0);
    std::ostringstream messages;
    messages << std::ifstream(complaints).rdbuf();
    EXPECT_EQ(messages.str(), "") << "babeltrace2 is to read it without complaint";
    std::vector<std::string> lines;
    std::istringstream stream(ran.output);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  std::vector<std::string> read_of(const std::function<void(ArchiveWriter&)>& write) {
    changes_ = convert(written(write));
    return read();
  }

  files::path folder_;
  host::ChangeCounts changes_;
};

TEST_F(ConvertCtf, BabeltraceReadsEveryGoldenWithoutComplaint) {
  for (const Golden& golden : goldens()) {
    host::FormOverrides overrides;
    if (golden.old) overrides.dialect = host::Dialect::k2017;
    const std::string archive = little_endian(golden.pieces);
    const host::ChangeCounts changes = convert(archive, overrides);
    const size_t events = read().size();
    EXPECT_EQ(events + changes.of(Change::kUnplacedEvent), ctf_events_in(archive, overrides))
        << golden.name;
    // The plain reader, by which the fuzzers judge, sees the same.
    std::ostringstream stream;
    stream << std::ifstream(folder_ / "trace" / "stream", std::ios::binary).rdbuf();
    const PlainCtf plain(stream.view());
    EXPECT_EQ(plain.problem, "") << golden.name;
    EXPECT_EQ(plain.events.size(), events) << golden.name;
  }
}

TEST_F(ConvertCtf, EventsWithAllTheirFields) {
  const auto lines = read_of([](ArchiveWriter& writer) {
    writer.provider_info(7, "kernel");
    add(writer, EventType::kInstant, 1, "instant", 0,
        {ArchiveArgument::int32(text("i"), -4), ArchiveArgument::uint64(text("u"), ~U{0}),
         ArchiveArgument::real(text("r"), 1.5), ArchiveArgument::string(text("s"), text("t")),
         ArchiveArgument::pointer(text("p"), 16), ArchiveArgument::koid(text("k"), 9),
         ArchiveArgument::boolean(text("b"), true), ArchiveArgument::null(text("z")),
         ArchiveArgument::blob(text("l"), "ab")});
    add(writer, EventType::kCounter, 2, "counter", 5, {ArchiveArgument::int64(text("n"), -1)});
    add(writer, EventType::kDurationBegin, 3, "begun");
    add(writer, EventType::kDurationEnd, 4, "begun");
    add(writer, EventType::kFlowBegin, 5, "flow", 6);
    EXPECT_TRUE(writer.context_switch({7, 300, fxt::ThreadState::kBlocked, 11, 12}, {}));
    EXPECT_TRUE(writer.thread_wakeup({8, 3, 11}, {}));
    writer.log(9, ArchiveThread{0, 10, 11}, "all is well");
    writer.provider_event(7, fxt::ProviderEvent::kBufferFull);
  });
  ASSERT_EQ(lines.size(), 9U);
  const std::string common = R"(process = 10, thread = 11, category = "c", name = )";
  EXPECT_EQ(
      lines[0],
      "[0.000000001] instant: { provider = 7 }, { " + common +
          R"("instant", scope = 0, argument_count = 9, arguments = [ )"
          R"([0] = { name = "i", type = ( "signed_number" : container = 1 ), value = { -4 } }, )"
          R"([1] = { name = "u", type = ( "unsigned_number" : container = 2 ), value = { 18446744073709551615 } }, )"
          R"([2] = { name = "r", type = ( "real" : container = 3 ), value = { 1.5 } }, )"
          R"([3] = { name = "s", type = ( "text" : container = 4 ), value = { "t" } }, )"
          R"([4] = { name = "p", type = ( "pointer" : container = 5 ), value = { 0x10 } }, )"
          R"([5] = { name = "k", type = ( "koid" : container = 6 ), value = { 9 } }, )"
          R"([6] = { name = "b", type = ( "truth" : container = 7 ), value = { 1 } }, )"
          R"([7] = { name = "z", type = ( "null" : container = 0 ), value = { { } } }, )"
          R"([8] = { name = "l", type = ( "bytes" : container = 8 ), value = { { count = 2, bytes = [ [0] = 97, [1] = 98 ] } } } ] })");
  EXPECT_TRUE(contains(lines[1], R"("counter", counter_id = 5, argument_count = 1)"));
  EXPECT_TRUE(contains(lines[1], "value = { -1 }"));
  EXPECT_EQ(lines[2], "[0.000000003] duration_begin: { provider = 7 }, { " + common +
                          R"("begun", argument_count = 0, arguments = [ ] })");
  EXPECT_EQ(lines[4], "[0.000000005] flow_begin: { provider = 7 }, { " + common +
                          R"("flow", correlation_id = 6, argument_count = 0, arguments = [ ] })");
  EXPECT_EQ(lines[5],
            "[0.000000007] context_switch: { provider = 7 }, { cpu = 300, outgoing_state = ( "
            "\"blocked\" : container = 3 ), outgoing = 11, incoming = 12, outgoing_priority = 0, "
            "incoming_priority = 0, argument_count = 0, arguments = [ ] }");
  EXPECT_EQ(lines[6],
            "[0.000000008] thread_wakeup: { provider = 7 }, { cpu = 3, thread = 11, "
            "argument_count = 0, arguments = [ ] }");
  EXPECT_EQ(lines[7],
            "[0.000000009] log: { provider = 7 }, { process = 10, thread = 11, message = \"all is "
            "well\" }");
  EXPECT_EQ(lines[8], "[0.000000009] buffer_full: { provider = 7 }, { of_provider = 7 }");
}

TEST_F(ConvertCtf, FullBuffersAreAtTheTimeOfTheirLoss) {
  const auto lines = read_of([](ArchiveWriter& writer) {
    writer.provider_info(7, "kernel");
    writer.provider_event(7, fxt::ProviderEvent::kBufferFull);
    add(writer, EventType::kInstant, 5, "first");
    writer.provider_event(7, fxt::ProviderEvent::kBufferFull);
    add(writer, EventType::kDurationComplete, 7, "drop_stats", 9);
  });
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("[0.000000005]")) << lines[0];
  EXPECT_TRUE(lines[2].starts_with("[0.000000007] buffer_full")) << lines[2];
}

TEST_F(ConvertCtf, EventsAreInTheOrderOfTimeWhateverTheArchivesIs) {
  const auto lines = read_of([](ArchiveWriter& writer) {
    EXPECT_TRUE(writer.kernel_object(11, fxt::KernelObjectType::kThread, text("worker"), {}));
    add(writer, EventType::kInstant, 900, "late");
    add(writer, EventType::kDurationComplete, 100, "complete", 500);
    add(writer, EventType::kInstant, 300, "early");
  });
  ASSERT_EQ(lines.size(), 4U);
  // Events without a time come no earlier than the first with one.
  EXPECT_EQ(lines[0].rfind("[0.000000300] kernel_object", 0), 0U) << lines[0];
  EXPECT_TRUE(contains(lines[1], "\"early\""));
  EXPECT_TRUE(contains(lines[2], "begin = 100, length = 400"));
  EXPECT_EQ(lines[2].rfind("[0.000000500]", 0), 0U);
  EXPECT_TRUE(contains(lines[3], "\"late\""));
}

TEST_F(ConvertCtf, ManyEventsAreManyPackets) {
  constexpr U kEvents = 20'000;
  const auto lines = read_of([](ArchiveWriter& writer) {
    for (U i = 0; i < kEvents; ++i) add(writer, EventType::kInstant, kEvents - i, "x");
  });
  ASSERT_EQ(lines.size(), kEvents);
  EXPECT_EQ(lines.front().rfind("[0.000000001]", 0), 0U);
  EXPECT_EQ(lines.back().rfind("[0.000020000]", 0), 0U);
  EXPECT_GT(files::file_size(folder_ / "trace" / "stream"), 10 * U{65536});
}

TEST_F(ConvertCtf, TextsThatTheFormatCannotHold) {
  using namespace std::string_view_literals;
  const auto lines = read_of([](ArchiveWriter& writer) {
    writer.log(1, ArchiveThread{0, 10, 11}, "a\0b\xff"sv);
    add(writer, EventType::kInstant, ~U{0}, "too late");
  });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(contains(lines[0], "message = \"a\uFFFDb"));
  EXPECT_EQ(changes_.of(Change::kUnplacedEvent), 1U);
}

TEST_F(ConvertCtf, NothingIsATraceToo) {
  EXPECT_TRUE(read_of([](ArchiveWriter&) {}).empty());
}

}  // namespace
}  // namespace barefxt::test::convert_ctf_test
