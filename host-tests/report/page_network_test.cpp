// The page requests nothing from the network, and other sites read nothing from `barefxt open`.
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "convert/converting.h"
#include "page_test.h"
#include "sample.h"

namespace barefxt::test::page_network_test {
namespace {

using PageNetwork = PageTest;

TEST_F(PageNetwork, AsksNobodyForAnything) {
  open_sample();
  EXPECT_EQ(browser_.run("return performance.getEntriesByType('resource').length"), 0);
  EXPECT_EQ(
      browser_.run("return fetch('data:text/plain,x').then(() => 'fetched', () => 'refused')"),
      "refused");
  const Json policy = browser_.run("return document.querySelector('meta[http-equiv]').content");
  EXPECT_TRUE(contains(policy.get<std::string>(), "default-src 'none'"));
  EXPECT_TRUE(lacks(policy.get<std::string>(), "unsafe"));
  // No text of an archive becomes part of the page.
  EXPECT_EQ(browser_.run("return document.querySelectorAll('b').length"), 0);
}

// Answers every request with an empty page, as a site would whose scripts are the test's.
class OtherSite {
 public:
  OtherSite() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OtherSite() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  OtherSite(const OtherSite&) = delete;
  OtherSite& operator=(const OtherSite&) = delete;
  int port() const { return port_; }

 private:
  void serve() const {
    for (int client = 0; (client = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(client)) {
      const timeval patience{2, 0};
      ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      std::array<char, 4096> request;
      if (::recv(client, request.data(), request.size(), 0) <= 0) continue;
      const std::string answer =
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n"
          "Connection: close\r\n\r\n<p>\n";
      (void)::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }

  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  std::thread thread_;
};

// `barefxt open`, asked by scripts of another site, and under a name that was rebound to this
// machine.
TEST_F(PageNetwork, OfAnotherSiteReadsNothingFromOpen) {
  write("sample.fxt", sample_archive());
  const std::string line =
      "'" BAREFXT_COMMAND "' open '" + path("sample.fxt") + "' --no-browser --port 0 --seconds 120";
  std::FILE* const server = ::popen(line.c_str(), "re");  // NOLINT(cert-env33-c)
  ASSERT_NE(server, nullptr);
  std::array<char, 1024> printed{};
  ASSERT_NE(std::fgets(printed.data(), printed.size(), server), nullptr);
  const std::string text(printed.data(), std::strcspn(printed.data(), "\n"));
  const std::string url = text.substr(text.find("http://127.0.0.1"));
  const std::string place = url.substr(url.find(':', 5) + 1);  // PORT/TOKEN/NAME
  const auto fetched = [&](const std::string& what, const char* options) {
    return browser_.run("return fetch('" + what + "', " + options +
                        ").then(async a => a.status + ' ' + (await a.arrayBuffer()).byteLength,"
                        " e => 'refused')");
  };
  const OtherSite site;
  browser_.go_to("http://attacker.example:" + std::to_string(site.port()) + "/");
  EXPECT_EQ(fetched(url, "{}"), "refused");
  EXPECT_EQ(fetched(url, "{method: 'HEAD'}"), "refused");
  EXPECT_EQ(fetched("http://rebound.example:" + place, "{}"), "refused");
  EXPECT_EQ(fetched(url.substr(0, url.rfind('/')), "{mode: 'no-cors'}"), "0 0");  // opaque
  // A page of the name that was rebound is of the same origin as what it asks for.
  browser_.go_to("http://rebound.example:" + place);
  EXPECT_EQ(browser_.run("return document.body.innerText.trim()"), "403 Forbidden");
  EXPECT_EQ(fetched("http://rebound.example:" + place, "{}"), "403 14");
  // Many clients at once, and some that never finish their requests, keep no other client out.
  browser_.go_to("http://attacker.example:" + std::to_string(site.port()) + "/");
  EXPECT_EQ(browser_.run("const all = Array.from({length: 200}, (_, i) => fetch('" + url +
                         "' + i));"
                         "return Promise.allSettled(all).then("
                         "a => a.filter(one => one.status == 'rejected').length)"),
            200);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(place)));
  std::vector<int> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(slow.back(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(slow.back(), "GET /", 5, MSG_NOSIGNAL), 5);
  }
  // It is there for clients that know the address.
  browser_.go_to(url.substr(0, url.find('/', 8)) + "/");
  EXPECT_EQ(fetched(url, "{}"),
            "200 " + std::to_string(to_perfetto(sample_archive()).bytes.size()));
  EXPECT_EQ(::pclose(server), 0);
  for (const int one : slow) ::close(one);
}

}  // namespace
}  // namespace barefxt::test::page_network_test
