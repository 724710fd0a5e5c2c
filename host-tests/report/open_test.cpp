// barefxt open, asked as a browser asks, and otherwise.
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/start_program.h"
#include "convert/converting.h"
#include "hostile/shell.h"
#include "http_client.h"
#include "sample.h"

namespace barefxt::test::open_test {
namespace {

class Open : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "barefxt-open-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    std::ofstream(path("a trace.fxt"), std::ios::binary) << sample_archive();
    std::ofstream(path("noise"), std::ios::binary) << "this is no archive at all, is it now?";
  }
  void TearDown() override {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    std::filesystem::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Starts it; leaves what it printed first, its address, in url_, and the port in it.
  void start(const std::vector<std::string>& options, const std::string& programs = {}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    std::vector<std::string> words = {BAREFXT_COMMAND, "open", path("a trace.fxt"), "--port", "0"};
    words.insert(words.end(), options.begin(), options.end());
    Spawn spawn;
    if (!programs.empty()) spawn.sets("PATH=" + programs);
    process_ = spawn.takes(STDOUT_FILENO, ends[1]).start(words);
    ::close(ends[1]);
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') url_ += c;
    ::close(ends[0]);
    const std::string before = "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:";
    ASSERT_EQ(url_.substr(0, before.size()), before);
    port_ = std::stoi(url_.substr(before.size()));
  }
  // The rest of a browser's request.
  std::string end() const {
    return " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
           "\r\nOrigin: https://ui.perfetto.dev\r\n\r\n";
  }
  // Silent clients, half requests, answers that nobody reads: more than the server keeps.
  std::vector<int> slow_clients(int patience) const {
    std::vector<int> slow;
    const std::string wrong = "GET /wrong" + end();
    for (const std::string& request : {std::string(), std::string("GET /"), wrong})
      for (int i = 0; i < 25; ++i) {
        slow.push_back(connected(port_, patience));
        (void)::send(slow.back(), request.data(), request.size(), MSG_NOSIGNAL);
      }
    return slow;
  }
  std::string target() const { return url_.substr(url_.find('/', url_.find("127.0.0.1"))); }
  int status() {
    int status = 0;
    EXPECT_EQ(::waitpid(process_, &status, 0), process_);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string folder_;
  std::string url_;
  pid_t process_ = -1;
  int port_ = 0;
};

TEST_F(Open, GivesTheArchiveToPerfettosPageAndEnds) {
  start({"--no-browser"});
  EXPECT_TRUE(url_.ends_with("/a%20trace.fxt.pftrace")) << url_;
  const std::string served = to_perfetto(sample_archive()).bytes;
  // A browser asks first, or looks at the head, or keeps a connection for later.
  const int silent = connected(port_);
  const std::string allowed = asked(port_, "OPTIONS " + target() + end());
  EXPECT_EQ(allowed.substr(0, 12), "HTTP/1.1 204");
  EXPECT_TRUE(contains(allowed, "Access-Control-Allow-Private-Network: true\r\n"));
  const std::string head = asked(port_, "HEAD " + target() + end());
  EXPECT_EQ(head.substr(0, 12), "HTTP/1.1 200");
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  const std::string answer = asked(port_, "GET " + target() + end());
  EXPECT_NE(answer.find("\r\nAccess-Control-Allow-Origin: https://ui.perfetto.dev\r\n"),
            std::string::npos);
  EXPECT_TRUE(contains(answer, "\r\nContent-Length: " + std::to_string(served.size()) + "\r\n"));
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4), served);
  EXPECT_EQ(status(), 0);
  ::close(silent);
}

TEST_F(Open, GivesTheArchiveAsItIsWhereThatShowsMoreOrIsAskedFor) {
  const auto served = [&](const std::vector<std::string>& options) {
    url_.clear();
    std::vector<std::string> words = {"--no-browser"};
    words.insert(words.end(), options.begin(), options.end());
    start(words);
    const std::string answer = asked(port_, "GET " + target() + end());
    EXPECT_EQ(status(), 0);
    return answer.substr(answer.find("\r\n\r\n") + 4);
  };
  EXPECT_EQ(served({"--form", "fxt"}), sample_archive());
  EXPECT_TRUE(url_.ends_with("/a%20trace.fxt")) << url_;
  // Packets of Perfetto's own, which a conversion leaves out.
  const std::string with_packets = written([](host::ArchiveWriter& writer) {
    writer.log(20, host::ArchiveThread{0, 10, 11}, "here");
    writer.blob(host::ArchiveText::spelled_out("packets"), fxt::BlobType::kPerfetto, "packets");
  });
  std::ofstream(path("a trace.fxt"), std::ios::binary) << with_packets;
  EXPECT_EQ(served({}), with_packets);
  EXPECT_EQ(served({"--form", "perfetto"}), to_perfetto(with_packets).bytes);
  // Those of the logs alone, which a conversion shows as well.
  const std::string logs = to_fxt(written([](host::ArchiveWriter& writer) {
                                    writer.log(20, host::ArchiveThread{0, 10, 11}, "here");
                                  }),
                                  host::ByteOrder::kLittle, {}, host::LogPackets::kAdd)
                               .bytes;
  std::ofstream(path("a trace.fxt"), std::ios::binary) << logs;
  EXPECT_EQ(served({}), to_perfetto(logs).bytes);
}

TEST_F(Open, GivesABigEndianArchiveInPerfettosFormat) {
  const std::string archive = sample_archive();
  const std::string big = to_fxt(archive, host::ByteOrder::kBig).bytes;
  std::ofstream(path("a trace.fxt"), std::ios::binary) << big;
  start({"--no-browser"});
  const std::string answer = asked(port_, "GET " + target() + end());
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4), to_perfetto(big).bytes);
  EXPECT_EQ(status(), 0);
}

TEST_F(Open, GivesNothingElseToAnybody) {
  start({"--no-browser"});
  EXPECT_EQ(asked(port_, "GET /" + end()).substr(0, 12), "HTTP/1.1 404");
  EXPECT_EQ(asked(port_, "GET /../noise" + end()).substr(0, 12), "HTTP/1.1 404");
  EXPECT_EQ(asked(port_, "PUT " + target() + end()).substr(0, 12), "HTTP/1.1 405");
  EXPECT_EQ(asked(port_, "GET /a%20trace.fxt" + end()).substr(0, 12), "HTTP/1.1 404");
  EXPECT_EQ(asked(port_, "nonsense\r\n\r\n").substr(0, 12), "HTTP/1.1 400");
  // Larger than any request.
  const int rude = connected(port_);
  const std::string much(20000, 'x');
  EXPECT_GT(::send(rude, much.data(), much.size(), MSG_NOSIGNAL), 0);
  ::close(rude);
  EXPECT_EQ(asked(port_, "GET " + target() + "?x=1" + end()).substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
}

// Lines behind the empty one are no headers.
TEST_F(Open, ABodyHasNoSay) {
  start({"--no-browser"});
  const std::string headers =
      "Host: 127.0.0.1:" + std::to_string(port_) + "\r\nOrigin: https://ui.perfetto.dev\r\n\r\n";
  EXPECT_EQ(asked(port_, "GET " + target() + " HTTP/1.1\r\n\r\n" + headers).substr(0, 12),
            "HTTP/1.1 403");
  const std::string line = "GET " + target() + " HTTP/1.1\r\n";
  EXPECT_EQ(asked(port_, line + headers + "Host: attacker.example\r\n\r\n").substr(0, 12),
            "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
}

// A page that rebinds its name to this address sends its own Host; other pages send their Origin.
TEST_F(Open, AnswersNoOtherPage) {
  start({"--no-browser"});
  const std::string here = "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
  const std::string line = target() + " HTTP/1.1\r\n";
  for (const std::string& headers :
       {std::string("Host: attacker.example:9001\r\n"), std::string("Host: localhost\r\n"),
        std::string("Host: 127.0.0.1\r\n"), std::string(), here + here,
        here + "Host: attacker.example\r\n", here + "Origin: https://attacker.example\r\n",
        here + "Origin: null\r\n", here + "origin: http://ui.perfetto.dev\r\n",
        here + "Origin: https://ui.perfetto.dev\r\nOrigin: https://attacker.example\r\n"})
    for (const char* method : {"GET ", "HEAD ", "OPTIONS "}) {
      const std::string answer = asked(port_, method + line + headers + "\r\n");
      EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 403") << method << headers;
      EXPECT_TRUE(lacks(answer, "Access-Control"));
    }
  // A program that is no browser sends no Origin.
  EXPECT_EQ(asked(port_, "GET " + line + here + "\r\n").substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
}

TEST_F(Open, IsAtAnotherPathEachTime) {
  start({"--no-browser", "--seconds", "1"});
  const std::string first = target();
  EXPECT_EQ(first.size(),
            std::string("/0123456789abcdef0123456789abcdef/a%20trace.fxt.pftrace").size());
  EXPECT_EQ(status(), 4);
  url_.clear();
  start({"--no-browser", "--seconds", "1"});
  EXPECT_NE(target(), first);
  EXPECT_EQ(status(), 4);
}

// All have a place while they wait for the server, however long it does not run: a client without
// one tries again after one, three and seven seconds, in which the server may end.
TEST_F(Open, IsHeldUpByNobody) {
  start({"--no-browser"});
  ASSERT_EQ(::kill(process_, SIGSTOP), 0);
  const std::vector<int> slow = slow_clients(10);
  ASSERT_EQ(::kill(process_, SIGCONT), 0);
  EXPECT_EQ(asked(port_, "HEAD " + target() + end()).substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(asked(port_, "GET " + target() + end()).substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
  for (const int one : slow) ::close(one);
}

// Clients that got an answer and leave their end open.
TEST_F(Open, ClientsThatDoNotCloseHoldUpNobody) {
  start({"--no-browser"});
  std::vector<int> lingering;
  const std::string request = "GET /wrong" + end();
  for (int i = 0; i < 80; ++i) {
    lingering.push_back(connected(port_));
    (void)::send(lingering.back(), request.data(), request.size(), MSG_NOSIGNAL);
    char first = 0;
    EXPECT_EQ(::recv(lingering.back(), &first, 1, 0), 1) << i;
  }
  ASSERT_EQ(asked(port_, "GET " + target() + end()).substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
  for (const int one : lingering) ::close(one);
}

// A file is larger than what sockets keep for a client that does not read.
TEST_F(Open, AReaderThatStopsHoldsUpNobody) {
  constexpr size_t kMoreThanSocketsKeep = size_t{12} << 20;
  std::string large = sample_archive();
  const std::string one = large.substr(sizeof(uint64_t));  // behind the magic number
  while (large.size() < kMoreThanSocketsKeep) large += one;
  std::ofstream(path("a trace.fxt"), std::ios::binary) << large;
  start({"--no-browser", "--form", "fxt"});
  std::vector<int> readers;
  for (int i = 0; i < 3; ++i) {
    readers.push_back(connected(port_));
    const std::string request = "GET " + target() + end();
    (void)::send(readers.back(), request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 1000> some;
    EXPECT_GT(::recv(readers.back(), some.data(), some.size(), 0), 0);
  }
  const std::string answer = asked(port_, "GET " + target() + end());
  ASSERT_TRUE(answer.ends_with(large)) << answer.size() << " bytes";
  EXPECT_EQ(status(), 0);
  for (const int reader : readers) ::close(reader);
}

TEST_F(Open, EndsInTimeWhileClientsSend) {
  start({"--no-browser", "--seconds", "3"});
  // If this test is not run for as long, there is no server left.
  const int slow = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = address_of(port_);
  const bool is_connected =
      ::connect(slow, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  int status = 0;
  for (int i = 0; ::waitpid(process_, &status, WNOHANG) == 0; ++i) {
    if (is_connected) (void)::send(slow, "x", 1, MSG_NOSIGNAL);
    ::usleep(50000);
    // 50 ms each, and more where the machine is busy: ten times the limit.
    ASSERT_LT(i, 600);
  }
  process_ = -1;
  EXPECT_EQ(WEXITSTATUS(status), 4);
  ::close(slow);
}

TEST_F(Open, StartsTheBrowserThere) {
  std::filesystem::create_directory(path("bin"));
  std::ofstream(path("bin/xdg-open")) << "#!/bin/sh\necho \"$1\" >'" + path("opened") + "'\n";
  std::filesystem::permissions(path("bin/xdg-open"), std::filesystem::perms::owner_all);
  start({}, path("bin") + ":/bin:/usr/bin");
  ASSERT_TRUE(comes_true_soon([&] {
    std::error_code missing;
    return std::filesystem::file_size(path("opened"), missing) > url_.size() && !missing;
  }));
  std::ifstream file(path("opened"));
  std::string opened;
  std::getline(file, opened);
  EXPECT_EQ(opened, url_);
  asked(port_, "GET " + target() + end());
  EXPECT_EQ(status(), 0);
}

TEST_F(Open, WithoutABrowserGoesOn) {
  start({}, path("none"));
  EXPECT_EQ(asked(port_, "GET " + target() + end()).substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(status(), 0);
}

TEST_F(Open, GivesUpWhenAskedTo) {
  start({"--no-browser", "--seconds", "1"});
  EXPECT_EQ(status(), 4);
}

// It shows the rest, and says that it is one.
TEST_F(Open, ADamagedArchiveIsServedAndReported) {
  std::string damaged = sample_archive();
  damaged.resize(damaged.size() - 4);
  std::ofstream(path("a trace.fxt"), std::ios::binary) << damaged;
  for (const char* form : {"fxt", "perfetto"}) {
    url_.clear();
    start({"--no-browser", "--form", form});
    ASSERT_EQ(asked(port_, "GET " + target() + end()).substr(0, 12), "HTTP/1.1 200");
    EXPECT_EQ(status(), 3) << form;
  }
}

TEST_F(Open, SaysWhatIsWrong) {
  const auto error_of = [&](const std::string& arguments, int wanted) {
    const std::string line = "'" BAREFXT_COMMAND "' open --no-browser " + arguments + " 2>'" +
                             path("err") + "' >/dev/null";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c)
    EXPECT_EQ(WEXITSTATUS(status), wanted) << arguments;
    std::ifstream file(path("err"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  EXPECT_TRUE(contains(error_of("'" + path("noise") + "'", 4), ": text, no trace of barefxt"));
  EXPECT_TRUE(contains(error_of("'" + path("nothing") + "'", 2), "nothing: cannot open"));
  start({"--no-browser"});
  EXPECT_TRUE(contains(error_of("'" + path("a trace.fxt") + "' --port " + std::to_string(port_), 2),
                       "another program"));
}

}  // namespace
}  // namespace barefxt::test::open_test
