// Lines over the network: RTT servers of debug probes, as stand-ins that speak their protocols, and
// datagrams.
#include <algorithm>
#include <map>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <random>
#include <regex>

#include <barefxt_datagrams.h>

#include "capture_command.h"
#include "capture_ports.h"

namespace barefxt::test::capture_command_test {
namespace {

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

void send_in_pieces(int handle, const Bytes& bytes, size_t piece) {
  const int yes = 1;
  setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  for (size_t at = 0; at < bytes.size(); at += piece)
    send(handle, {bytes.begin() + static_cast<ptrdiff_t>(at),
                  bytes.begin() + static_cast<ptrdiff_t>(std::min(at + piece, bytes.size()))});
}

// True if one comes within a minute: between zeros, of at most 36 bytes.
bool is_request(int handle) {
  const timeval patience = {60, 0};
  setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Bytes request(100);
  const ssize_t count = ::recv(handle, request.data(), request.size(), 0);
  return count > 30 && count <= 36 && request.front() == 0 &&
         request[static_cast<size_t>(count) - 1] == 0;
}

class CaptureSockets : public CaptureCommand {
 protected:
  // Ends the capture by an interrupt.
  int stop() {
    kill(child_, SIGINT);
    return wait();
  }
};

// SEGGER's J-Link software, port 19021: a banner, then the bytes of one channel. For 100 ms after
// connecting, a client may choose the channel; later bytes go to the target.
class JLinkServer {
 public:
  explicit JLinkServer(std::map<unsigned, Bytes> channels) : channels_(std::move(channels)) {}

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.port); }
  // Serves one client until the channel has no more.
  void serve() {
    const int client = listener_.accepted();
    ASSERT_GE(client, 0);
    pollfd waiting = {client, POLLIN, 0};
    const auto end = std::chrono::steady_clock::now() + milliseconds(100);
    std::string asked;
    std::smatch channel;
    static const std::regex kConfiguration(R"(\$\$SEGGER_TELNET_ConfigStr=RTTCh;([0-9]+);?\$\$)");
    while (std::chrono::steady_clock::now() < end) {
      std::array<char, 256> text = {};
      if (poll(&waiting, 1, 10) <= 0) continue;
      const ssize_t count = ::read(client, text.data(), text.size());
      if (count <= 0) break;
      asked.append(text.data(), static_cast<size_t>(count));
    }
    if (std::regex_match(asked, channel, kConfiguration))
      chosen = static_cast<unsigned>(std::stoul(channel[1]));
    else
      to_target = asked;
    std::this_thread::sleep_for(banner_delay);
    send_in_pieces(client, bytes_of(kBanner), piece);
    send_in_pieces(client, channels_[chosen.value_or(0)], piece);
    close(client);
  }

  static constexpr const char* kBanner =
      "SEGGER J-Link V7.94 - Real time terminal output\r\n"
      "J-Link OB-SAM3U128-V2-NordicSemi compiled Mar 17 2020 14:43:00 V1.0, SN=682885846\r\n"
      "Process: JLinkGDBServerCLExe\r\n";
  size_t piece = 1 << 16;
  milliseconds banner_delay{0};
  std::optional<unsigned> chosen;
  std::string to_target;

 private:
  std::map<unsigned, Bytes> channels_;
  Listener listener_;
};

TEST_F(CaptureSockets, TakesTheRequestedChannelOfAJLink) {
  const struct {
    size_t piece;
    int delay;
  } cases[] = {{1 << 16, 0}, {1, 0}, {7, 300}};
  for (const auto& [piece, delay] : cases) {
    SCOPED_TRACE(piece);
    JLinkServer server({{0, bytes_of("a console\r\n")}, {1, whole_}});
    server.piece = piece;
    server.banner_delay = milliseconds(delay);
    start({"--tcp", server.address(), "--rtt-channel", "1", "--raw", path("raw"), "-o",
           path("out.fxt")});
    server.serve();
    EXPECT_EQ(wait(), 0) << messages();
    EXPECT_EQ(server.chosen, 1u);
    EXPECT_EQ(server.to_target, "");
    Bytes all = bytes_of(JLinkServer::kBanner);
    all.insert(all.end(), whole_.begin(), whole_.end());
    EXPECT_EQ(read("raw"), all);
    EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
    EXPECT_TRUE(lacks(messages(), "damaged"));
  }
}

TEST_F(CaptureSockets, WritesNothingToAJLinkUnlessAChannelIsRequested) {
  JLinkServer server({{0, text_form(frames_)}});
  start({"--tcp", server.address(), "-o", path("out.fxt")});
  server.serve();
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(server.chosen, std::nullopt);
  EXPECT_EQ(server.to_target, "");
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
}

TEST_F(CaptureSockets, NamesTheChannelThatHadNoTrace) {
  JLinkServer server({{0, bytes_of("a console\r\n")}, {1, whole_}});
  start({"--tcp", server.address(), "--rtt-channel", "2", "-o", path("out.fxt")});
  server.serve();
  EXPECT_EQ(wait(), 4) << messages();
  EXPECT_TRUE(
      contains(messages(),
               server.address() + ": was read for RTT channel 2; --rtt-channel reads another one"));
  EXPECT_FALSE(std::filesystem::exists(path("out.fxt")));
}

TEST_F(CaptureSockets, KeepsWhatCameWhenTheServerOfAProbeIsGone) {
  const Bytes half = binary_form({frames_.begin(), frames_.begin() + 6});
  JLinkServer server({{3, half}});
  server.piece = 1;
  start({"--tcp", server.address(), "--rtt-channel", "3", "-o", path("out.fxt")});
  server.serve();
  EXPECT_EQ(wait(), 3) << messages();
  EXPECT_TRUE(contains(messages(), "closed the line"));
  EXPECT_EQ(read("out.fxt"), rebuilt(half));
}

// OpenOCD has a server for each channel, which sends the channel's bytes and nothing else, and
// writes what it gets to the channel down of the same number.
TEST_F(CaptureSockets, TakesAChannelOfOpenOcdAndAsksOverIt) {
  const Listener channel;
  const std::string address = "127.0.0.1:" + std::to_string(channel.port);
  start({"--tcp", address, "-o", path("out.fxt")});
  int client = channel.accepted();
  send_in_pieces(client, whole_, 1);
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  EXPECT_EQ(::recv(client, folder_.string().data(), 1, MSG_DONTWAIT), 0) << "nothing was written";
  close(client);

  start({"--tcp", address, "--ask", "stop"});
  client = channel.accepted();
  EXPECT_TRUE(is_request(client));
  close(client);
  EXPECT_EQ(wait(), 4) << messages();
}

// cargo-embed connects when a channel has its first bytes (`socket` and `format = "BinaryLE"` in
// Embed.toml), and sends nothing of its own.
TEST_F(CaptureSockets, ListensForAProgramThatConnects) {
  for (const std::string at : {"", "127.0.0.1:", "[::1]:"}) {
    SCOPED_TRACE(at);
    const int port = free_port(SOCK_STREAM);
    start({"--listen", at + std::to_string(port), "-o", path("out.fxt")});
    const int client = connected(at == "[::1]:" ? AF_INET6 : AF_INET, port);
    send_in_pieces(client, whole_, 1);
    EXPECT_EQ(wait(), 0) << messages();
    EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
    close(client);
  }
}

// `probe-rs attach --target-output-file` appends what a channel sends as text, with the time ahead
// of each line.
TEST_F(CaptureSockets, FollowsTheFileOfTextThatProbeRsWrites) {
  const Bytes text = text_form(frames_, [](size_t) { return "12:34:56.789: "; });
  std::ofstream file(path("rtt.log"), std::ios::binary);
  file << "12:34:56.700: a console\n" << std::flush;
  start({"--follow", path("rtt.log"), "-o", path("out.fxt")});
  constexpr size_t kPiece = 50;
  for (size_t at = 0; at < text.size(); at += kPiece) {
    file.write(reinterpret_cast<const char*>(&text[at]),
               static_cast<std::streamsize>(std::min(kPiece, text.size() - at)));
    file.flush();
  }
  EXPECT_EQ(wait(), 0) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
}

class CaptureUdp : public CaptureSockets {
 protected:
  // Starts the capture, and returns when it has the port.
  void start_udp(const std::string& at, const std::vector<std::string>& more = {}) {
    port_ = free_port(SOCK_DGRAM);
    std::filesystem::remove(path("raw"));
    std::vector<std::string> words = {
        "--udp", at + std::to_string(port_), "--raw", path("raw"), "-o", path("out.fxt")};
    words.insert(words.end(), more.begin(), more.end());
    start(words);
    wait_for_udp(port_);
  }
  void send_datagrams(const std::vector<Bytes>& datagrams, int family = AF_INET) {
    if (sender_ >= 0) close(sender_);
    sender_ = socket(family, SOCK_DGRAM, 0);
    capture_command_test::send_datagrams(sender_, family, port_, datagrams);
  }
  void TearDown() override {
    if (sender_ >= 0) close(sender_);
    CaptureSockets::TearDown();
  }

  // The target's writer: port/transport/datagrams, with the line's bytes in uneven pieces.
  static std::vector<Bytes> datagrams_of(const Bytes& line) {
    std::vector<Bytes> all;
    barefxt_datagrams datagrams = {};
    datagrams.send = [](void* context, const uint8_t* bytes, size_t count) {
      static_cast<std::vector<Bytes>*>(context)->emplace_back(bytes, bytes + count);
      return true;
    };
    datagrams.context = &all;
    for (size_t at = 0, piece = 1; at < line.size(); at += piece, piece = piece % 255 + 1)
      barefxt_datagrams_write(&datagrams, &line[at], std::min(piece, line.size() - at));
    barefxt_datagrams_flush(&datagrams);
    EXPECT_EQ(datagrams.unsent, 0u);
    return all;
  }

  int port_ = 0;
  int sender_ = -1;
};

TEST_F(CaptureUdp, TakesDatagramsAtEachAddress) {
  const struct {
    std::string at;
    int family;
  } cases[] = {{"", AF_INET}, {"", AF_INET6}, {"127.0.0.1:", AF_INET}, {"[::1]:", AF_INET6}};
  for (const auto& [at, family] : cases) {
    SCOPED_TRACE(at);
    start_udp(at);
    std::vector<Bytes> datagrams = datagrams_of(whole_);
    datagrams.insert(datagrams.begin(), Bytes());  // an empty one is no end
    send_datagrams(datagrams, family);
    EXPECT_EQ(wait(), 0) << messages();
    EXPECT_EQ(read("raw"), whole_);
    EXPECT_EQ(read("out.fxt"), rebuilt(whole_));
  }
}

TEST_F(CaptureUdp, RequestsGoToTheSender) {
  start_udp("", {"--ask", "stop"});
  send_datagrams({bytes_of("hello\n")});
  EXPECT_TRUE(is_request(sender_));
  EXPECT_EQ(stop(), 4) << messages();
}

TEST_F(CaptureUdp, EndsWhenNothingHasComeForATime) {
  const Bytes half = binary_form({frames_.begin(), frames_.begin() + 6});
  start_udp("", {"--idle", "0.5"});
  // The time does not count before anything came.
  std::this_thread::sleep_for(milliseconds(800));
  send_datagrams(datagrams_of(half));
  EXPECT_EQ(wait(), 3) << messages();
  EXPECT_EQ(read("out.fxt"), rebuilt(half));
}

// Datagrams get lost, come twice, and change places. All have whole frames, so the records of those
// that came are in the archive once, and the others are reported as lost on the line.
TEST_F(CaptureUdp, ReportsWhatALossyNetworkLost) {
  const TestCapture capture = two_cpu_capture(12, 20);
  const std::vector<Bytes> frames = capture.frames();
  std::vector<Bytes> coded;
  for (const Bytes& frame : frames) coded.push_back(binary_form({frame}));
  const Bytes line = binary_form(frames);
  const std::vector<Bytes> datagrams = datagrams_of(line);
  ASSERT_GT(datagrams.size(), 10u);
  Bytes joined;
  for (const Bytes& datagram : datagrams) {
    EXPECT_LE(datagram.size(), size_t{BAREFXT_DATAGRAM_BYTES});
    joined.insert(joined.end(), datagram.begin(), datagram.end());
  }
  ASSERT_EQ(joined, line);
  uint64_t records_lost_in_all = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const unsigned loss_percent = seed % 2 == 0 ? 0 : 20;
    std::vector<Bytes> sent;
    Bytes lost;
    for (size_t i = 0; i < datagrams.size(); ++i) {
      const bool is_last = i + 1 == datagrams.size();
      if (!is_last && random() % 100 < loss_percent) {
        lost.insert(lost.end(), datagrams[i].begin(), datagrams[i].end());
        continue;
      }
      sent.push_back(datagrams[i]);
      if (random() % 5 == 0) sent.push_back(datagrams[i]);
      if (sent.size() > 1 && !is_last && random() % 5 == 0)
        std::swap(sent[sent.size() - 1], sent[sent.size() - 2]);
    }
    uint64_t records_lost = 0;
    uint64_t frames_lost = 0;
    size_t piece = 0;
    for (size_t i = 0; i < frames.size(); ++i) {
      // Without the zeros around it, which it shares with its neighbours.
      const auto begin = coded[i].begin() + 1;
      const bool is_lost =
          std::search(lost.begin(), lost.end(), begin, coded[i].end() - 1) != lost.end();
      if (is_lost) ++frames_lost;
      constexpr uint8_t kRecords = 4;
      if (frames[i][1] != kRecords) continue;
      if (is_lost) records_lost += capture.pieces[piece].records.size();
      ++piece;
    }
    ASSERT_EQ(piece, capture.pieces.size());
    records_lost_in_all += records_lost;

    start_udp("", {"--dumps", "0"});
    send_datagrams(sent);
    Bytes arrived;
    for (const Bytes& datagram : sent)
      arrived.insert(arrived.end(), datagram.begin(), datagram.end());
    wait_for_raw(arrived.size());
    EXPECT_EQ(stop(), frames_lost == 0 ? 0 : 3) << messages();
    EXPECT_EQ(read("raw"), arrived);
    EXPECT_EQ(read("out.fxt"), rebuilt(arrived));
    if (loss_percent == 0) {
      EXPECT_EQ(read("out.fxt"), rebuilt(line));
    }
    uint64_t reported = 0;
    static const std::regex kLost("cpu [0-9]+: ([0-9]+) records?[^\n]*lost on the line");
    const std::string text = messages();
    for (std::sregex_iterator at(text.begin(), text.end(), kLost), end; at != end; ++at)
      reported += std::stoull((*at)[1]);
    EXPECT_EQ(reported, records_lost) << text;
    EXPECT_TRUE(lacks(text, "damaged"));
  }
  EXPECT_GT(records_lost_in_all, 0u);
}

TEST_F(CaptureSockets, SaysHowWrongPortsAreMended) {
  const int taken = socket(AF_INET6, SOCK_DGRAM, 0);
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  socklen_t bytes = sizeof address;
  ASSERT_EQ(bind(taken, reinterpret_cast<sockaddr*>(&address), bytes), 0);
  ASSERT_EQ(getsockname(taken, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  const std::string port = std::to_string(ntohs(address.sin6_port));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--udp", port}, port + ": cannot listen: Address already in use. Hint: another program"},
      {{"--udp", "0"}, "no such port. Hint: ports are 1 to 65535"},
      {{"--udp", "65536"}, "no such port. Hint: ports are 1 to 65535"},
      {{"--tcp", "localhost:70000"}, "no such port. Hint: ports are 1 to 65535"},
      {{"--listen", "192.0.2.1:9000"}, "Hint: name an address of this machine"},
      {{"--listen", "127.0.0.1:"}, "no port. Hint: write PORT or ADDRESS:PORT"},
      {{"--listen", std::to_string(free_port(SOCK_STREAM)), "--seconds", "0.3"},
       "nobody has connected"},
      {{"--tcp", "127.0.0.1:1", "--rtt-channel", "1"}, "is the other side there, and listening?"},
      {{"--udp", "9000", "--rtt-channel", "1"}, "--rtt-channel requires --tcp"},
      {{"--tcp", "127.0.0.1:1", "--rtt-channel", "x"}, "--rtt-channel"},
  };
  for (const auto& [words, expected] : cases) {
    std::vector<std::string> arguments = words;
    arguments.insert(arguments.end(), {"-o", path("out.fxt")});
    start(arguments);
    EXPECT_EQ(wait(), 2) << messages();
    EXPECT_TRUE(contains(messages(), expected));
  }
  close(taken);
}

}  // namespace
}  // namespace barefxt::test::capture_command_test
