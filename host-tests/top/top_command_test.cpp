// `barefxt top` as people see it, in a terminal of tmux, and as scripts read it.
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

#include <barefxt/host/frame_scanner.h>
#include <barefxt/wire/request.h>

#include "cli/shell_line.h"
#include "contains.h"
#include "rebuild/damaged_captures.h"
#include "top/screen.h"

namespace barefxt::test::top_command_test {
namespace {

using nlohmann::json;

class TopCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "barefxt-top-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write("capture", demo_capture());
  }
  void TearDown() override {
    if (has_tmux_) run_line(tmux() + "kill-server 2>/dev/null");
    std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const Bytes& bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  json stats_of(const std::string& archive) const {
    return json::parse(run_line("'" BAREFXT_COMMAND "' stats --json " + path(archive)).output);
  }
  std::vector<json> lines_of(const std::string& line) {
    const LineResult ran = run_line("cd " + folder_.string() + " && " + line);
    status_ = ran.status;
    std::vector<json> lines;
    std::istringstream text(ran.output);
    for (std::string one; std::getline(text, one);) lines.push_back(json::parse(one));
    return lines;
  }

  // A server of its own for each test: that of the last one may still be ending.
  std::string tmux() const { return "tmux -S " + path("server") + " "; }
  // False, aloud, where there is no tmux.
  bool start(const std::string& line, const std::string& environment = "") {
    if (run_line("command -v tmux").status != 0) return false;
    has_tmux_ = true;
    std::ofstream(path("run.sh")) << "cd '" << folder_.string() << "'\n"
                                  << environment << "\n"
                                  << line << "\necho status $?\ncat >/dev/null\n";
    const std::string begin =
        tmux() + "-f /dev/null new-session -d -x 100 -y 30 'sh " + path("run.sh") + "'";
    EXPECT_EQ(run_line(begin).status, 0);
    return true;
  }
  std::string shown() const { return run_line(tmux() + "capture-pane -p").output; }
  void press(const std::string& keys) const {
    EXPECT_EQ(run_line(tmux() + "send-keys " + keys).status, 0);
  }
  // The text comes to be, or ceases to be, on the screen.
  bool comes(const std::string& text, bool is_there = true) const {
    for (int tries = 0; tries < 300; ++tries) {
      if ((shown().find(text) != std::string::npos) == is_there) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << text << (is_there ? " is not in\n" : " is in\n") << shown();
    return false;
  }

  std::filesystem::path folder_;
  bool has_tmux_ = false;
  int status_ = 0;
};

#define NEEDS_TMUX(started) \
  if (!(started)) GTEST_SKIP() << "no tmux. Hint: toolchain/setup.sh host installs it"

constexpr const char* kTop = "'" BAREFXT_COMMAND "' top ";

TEST_F(TopCommand, BatchEndsWithTheFiguresOfTheArchive) {
  const std::vector<json> lines =
      lines_of(kTop + std::string("- --batch --interval 0.01 -o out.fxt <capture 2>messages"));
  EXPECT_EQ(status_, 0);
  ASSERT_GE(lines.size(), 2u);
  for (size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_EQ(lines[i]["final"], false);
  const json& last = lines.back();
  EXPECT_EQ(last["final"], true);
  EXPECT_EQ(last["statistics"], stats_of("out.fxt"));
  EXPECT_EQ(last["merge"]["over"], true);
  EXPECT_EQ(last["merge"]["held_by"], nullptr);
  EXPECT_EQ(last["line"]["bytes"].get<size_t>(), 196608u);
}

// The members of a line, as docs/reference/top-json.md names them.
void name_members(const json& value, const std::string& path, std::set<std::string>& names) {
  if (value.is_array()) {
    for (const json& one : value) name_members(one, path + "[]", names);
  } else if (value.is_object() && path != "statistics") {
    for (const auto& [key, one] : value.items())
      name_members(one, path.empty() ? key : path + "." + key, names);
  } else {
    names.insert(path);
  }
}

TEST_F(TopCommand, BatchHasTheMembersThatTheDocumentLists) {
  std::set<std::string> printed;
  for (const json& line : lines_of(kTop + std::string("- --batch <capture 2>messages")))
    name_members(line, "", printed);
  std::set<std::string> documented;
  std::ifstream page(BAREFXT_SOURCE_DIR "/docs/reference/top-json.md");
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| `")) documented.insert(line.substr(3, line.find('`', 3) - 3));
  EXPECT_EQ(printed, documented);
}

// This test is linked with the screen of a build without ncurses.
TEST(Screen, SaysThatItWasBuiltWithoutNcurses) {
  const auto screen = top::open_screen();
  ASSERT_FALSE(screen.ok());
  const std::string text = screen.error().text();
  EXPECT_TRUE(contains(text, "built without ncurses"));
  EXPECT_TRUE(contains(text, "--batch"));
}

// Records are lost on the line, in the middle of it and at its end.
TEST_F(TopCommand, BatchEndsWithTheFiguresOfADamagedArchive) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    write("capture", with_cuts(demo_capture(), seed));
    const std::vector<json> lines =
        lines_of(kTop + std::string("- --batch -o out.fxt <capture 2>messages"));
    EXPECT_EQ(status_, 3);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back()["statistics"], stats_of("out.fxt"));
  }
}

TEST_F(TopCommand, WritesTheArchiveThatCaptureWrites) {
  run_line("cd " + folder_.string() + " && " + kTop +
           "- --batch -o top.fxt <capture >lines 2>&1; '" + BAREFXT_COMMAND +
           "' capture - -o capture.fxt <capture 2>&1");
  EXPECT_EQ(run_line("cmp " + path("top.fxt") + " " + path("capture.fxt")).status, 0);
}

TEST_F(TopCommand, NeedsATerminalOrBatch) {
  const LineResult ran =
      run_line("cd " + folder_.string() + " && " + kTop + "- <capture 2>&1 | cat");
  EXPECT_TRUE(contains(ran.output, "--batch"));
  EXPECT_EQ(run_line("cd " + folder_.string() + " && " + kTop + "- <capture >out 2>&1").status, 2);
  for (const char* output : {"-", "/dev/stdout", "lines"}) {
    const LineResult refused = run_line("cd " + folder_.string() + " && " + kTop + "- --batch -o " +
                                        output + " <capture 2>&1 >lines");
    EXPECT_EQ(refused.status, 2) << output;
    EXPECT_TRUE(contains(refused.output, "is taken by the view"));
  }
  EXPECT_EQ(run_line(kTop + std::string("- --batch </dev/null 2>/dev/null")).status, 4);
}

TEST_F(TopCommand, AReaderThatGoesAwayEndsIt) {
  const LineResult ran =
      run_line("cd " + folder_.string() + " && { timeout 30 " + kTop +
               "--follow capture --dumps 0 --batch --interval 0.05 2>&1; echo $? >status; } "
               "| head -1 | wc -l; cat status");
  EXPECT_EQ(ran.output, "1\n0\n");
}

TEST_F(TopCommand, StartsResizesFiltersFreezesSavesAndQuits) {
  NEEDS_TMUX(start(std::string(kTop) + "--follow capture --dumps 0 -o out.fxt 2>messages",
                   "export LC_ALL=C.UTF-8"));
  ASSERT_TRUE(comes("storage/scrub"));
  EXPECT_TRUE(comes("timer"));
  EXPECT_TRUE(comes("the trace has ended"));
  EXPECT_TRUE(comes("nothing has come for"));
  EXPECT_TRUE(comes("▁")) << "a sparkline";
  press("j");
  press("/ net Enter");
  EXPECT_TRUE(comes("storage/scrub", false));
  EXPECT_TRUE(comes("network/poll"));
  press("Space");
  EXPECT_TRUE(comes("FROZEN"));
  press("Space");
  EXPECT_TRUE(comes("FROZEN", false));
  press("Escape");
  EXPECT_TRUE(comes("storage/scrub"));
  run_line(tmux() + "resize-window -x 30 -y 16");
  EXPECT_TRUE(comes("switches", false));
  EXPECT_TRUE(comes("thread"));
  run_line(tmux() + "resize-window -x 120 -y 40");
  EXPECT_TRUE(comes("wakeups"));
  press("w");
  EXPECT_TRUE(comes("saved as top-1.json"));
  press("q");
  ASSERT_TRUE(comes("status 0"));
  const json stats = stats_of("out.fxt");
  std::ifstream saved(path("top-1.json"));
  const json figures = json::parse(saved);
  EXPECT_EQ(figures["threads"].size(), stats["threads"].size());
  // The last frame stays on the terminal, with the figures of the archive.
  const std::string last = shown();
  for (const json& thread : stats["threads"]) {
    if (thread["name"] != "storage/scrub") continue;
    std::array<char, 64> row{};
    std::snprintf(row.data(), row.size(), "%.1f", 100 * thread["running_share"].get<double>());
    const size_t at = last.find("storage/scrub");
    ASSERT_NE(at, std::string::npos) << last;
    EXPECT_TRUE(contains(last.substr(at, last.find('\n', at) - at), row.data())) << last;
  }
}

TEST_F(TopCommand, ExplainsTheWorstLatency) {
  NEEDS_TMUX(start(std::string(kTop) + "--follow capture --dumps 0 2>messages"));
  ASSERT_TRUE(comes("the trace has ended"));
  press("e");
  EXPECT_TRUE(comes("`network/poll` ran 40.696 ms late on CPU 0 because `sensor/calib` of higher"));
  EXPECT_TRUE(comes("would help: "));
  EXPECT_TRUE(comes("switches", false));
  press("e");
  EXPECT_TRUE(comes("switches"));
  // That of the thread that is chosen.
  press("/ sensor/adc Enter Escape / sensor/adc Enter Down e");
  EXPECT_TRUE(comes("`sensor/adc` ran 172.280 us late on CPU 0"));
  press("Escape");
  EXPECT_TRUE(comes("would help", false));
  press("q");
  EXPECT_TRUE(comes("status 0"));
}

TEST_F(TopCommand, ShowsPlainTextWithoutColoursOrUnicode) {
  NEEDS_TMUX(start(std::string(kTop) + "--follow capture --dumps 0", "export LC_ALL=C TERM=vt100"));
  ASSERT_TRUE(comes("storage/scrub"));
  EXPECT_TRUE(lacks(shown(), "▁"));
  press("h");
  EXPECT_TRUE(comes("a way back"));
  press("S");
  EXPECT_TRUE(comes("no way back"));
  press("q");
  EXPECT_TRUE(comes("status 0"));
}

TEST_F(TopCommand, EndsWithALineThatIsClosed) {
  NEEDS_TMUX(start("head -c 100000 capture | " + std::string(kTop) + "-"));
  EXPECT_TRUE(comes("the other side closed the line"));
  EXPECT_TRUE(comes("storage/scrub"));
  EXPECT_TRUE(comes("status 0"));
}

// The other end of a line: a program that listens on a unix socket.
class Target {
 public:
  explicit Target(const std::string& path) : listening_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    EXPECT_EQ(bind(listening_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listening_, 1), 0);
  }
  ~Target() {
    close(line_);
    close(listening_);
  }
  void accept_one() {
    const timeval patience = {60, 0};
    EXPECT_EQ(setsockopt(listening_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    line_ = accept(listening_, nullptr, nullptr);
    EXPECT_EQ(setsockopt(line_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  }
  void send(const Bytes& bytes) const {
    EXPECT_EQ(::send(line_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() { shutdown(line_, SHUT_RDWR); }

  // The payload of the next request that comes.
  Bytes request() const {
    struct Sink final : host::FrameSink {
      void on_frame(const host::Frame& frame) override {
        if (frame.type == static_cast<uint8_t>(wire::FrameType::kRequest))
          payload.assign(frame.payload.begin(), frame.payload.end());
      }
      void on_damaged(uint64_t /*input_offset*/) override {}
      void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override {}
      Bytes payload;
    } sink;
    host::FrameScanner scanner(sink);
    std::array<uint8_t, 64> buffer{};
    while (sink.payload.empty()) {
      const ssize_t count = recv(line_, buffer.data(), buffer.size(), 0);
      if (count <= 0) return {};
      scanner.feed({buffer.data(), static_cast<size_t>(count)});
    }
    return sink.payload;
  }

 private:
  int listening_;
  int line_ = -1;
};

TEST_F(TopCommand, AsksTheTargetAndSurvivesItsEnd) {
  Target target(path("socket"));
  NEEDS_TMUX(start(std::string(kTop) + "--unix socket --dumps 0 -o out.fxt 2>messages"));
  target.accept_one();
  const Bytes whole = demo_capture();
  target.send({whole.begin(), whole.begin() + 100'000});
  ASSERT_TRUE(comes("storage/scrub"));
  press("S");
  Bytes request = target.request();
  ASSERT_FALSE(request.empty());
  EXPECT_EQ(request[wire::Request::kKind], static_cast<uint8_t>(wire::RequestKind::kStart));
  target.hang_up();
  EXPECT_TRUE(comes("status 3"));
  EXPECT_EQ(run_line("grep -c 'socket: the other side closed the line' " + path("messages")).output,
            "1\n");
  EXPECT_GT(std::filesystem::file_size(path("out.fxt")), 10'000u);
}

TEST_F(TopCommand, ChangesTheCategories) {
  Target target(path("socket"));
  NEEDS_TMUX(start(std::string(kTop) + "--unix socket --dumps 0"));
  target.accept_one();
  ASSERT_TRUE(comes("no records yet"));
  press("C 1 F Enter");
  const Bytes request = target.request();
  ASSERT_FALSE(request.empty());
  EXPECT_EQ(request[wire::Request::kKind], static_cast<uint8_t>(wire::RequestKind::kCategories));
  EXPECT_EQ(request[wire::Request::kCategories], 0x1F);
}

TEST_F(TopCommand, SaysWhatIsWrongWithATerminal) {
  NEEDS_TMUX(start(std::string(kTop) + "- <capture", "export TERM=no-such-terminal"));
  EXPECT_TRUE(comes("TERM=no-such-terminal"));
  EXPECT_TRUE(comes("status 2"));
}

}  // namespace
}  // namespace barefxt::test::top_command_test
