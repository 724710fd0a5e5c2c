#include "webdriver.h"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace barefxt::test {
namespace {

constexpr const char* kElementKey = "element-6066-11e4-a52e-4f735466cecf";  // the protocol's
constexpr int kPatience = 120;  // seconds, for a machine that is busy

// Starts chromedriver on a port that is free; returns which. Both it and the browser leave files
// where temporary files go.
int start(pid_t& driver, const std::string& temporary) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  driver = ::fork();
  if (driver == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::setenv("TMPDIR", temporary.c_str(), 1);
    ::execlp("chromedriver", "chromedriver", "--port=0", nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string messages;
  std::array<char, 512> piece;
  const std::string before = "successfully on port ";
  for (ssize_t got = 0; (got = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    messages.append(piece.data(), static_cast<size_t>(got));
    const size_t at = messages.find(before);
    if (at == std::string::npos || messages.find('.', at) == std::string::npos) continue;
    ::close(ends[0]);
    return std::stoi(messages.substr(at + before.size()));
  }
  throw std::runtime_error("chromedriver does not start: " + messages);
}

std::string converse(int port, const std::string& request) {
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{kPatience, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string answer;
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::send(connection, request.data(), request.size(), 0) ==
          static_cast<ssize_t>(request.size())) {
    std::array<char, 65536> piece;
    for (ssize_t got = 0; (got = ::recv(connection, piece.data(), piece.size(), 0)) > 0;) {
      answer.append(piece.data(), static_cast<size_t>(got));
      // It keeps the connection open, so count.
      const size_t end = answer.find("\r\n\r\n");
      const size_t length = answer.find("Content-Length:");
      if (end != std::string::npos && length < end &&
          answer.size() >= end + 4 + std::stoul(answer.substr(length + 15)))
        break;
    }
  }
  ::close(connection);
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : answer.substr(end + 4);
}

}  // namespace

Browser::Browser() : temporary_(::testing::TempDir() + "barefxt-browser-XXXXXX") {
  if (::mkdtemp(temporary_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  port_ = start(driver_, temporary_);
  // It draws as the browser does, and takes a quarter of the time to begin.
  const Json options = {{"binary", "/usr/lib/chromium/chromium-headless-shell"},
                        {"args",
                         {"--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                          "--window-size=1400,900", "--force-device-scale-factor=1",
                          "--hide-scrollbars", "--host-resolver-rules=MAP *.example 127.0.0.1",
                          // So that it ends with its driver, however that ends.
                          "--remote-debugging-pipe"}}};
  const Json wanted = {{"goog:chromeOptions", options}};
  session_ = "/session/" + ask("POST", "/session", {{"capabilities", {{"alwaysMatch", wanted}}}})
                               .at("sessionId")
                               .get<std::string>();
}

Browser::~Browser() {
  try {
    ask("DELETE", session_);
  } catch (const std::exception& trouble) {
    ADD_FAILURE() << trouble.what();
  }
  ::kill(driver_, SIGTERM);
  ::waitpid(driver_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(temporary_, ignored);
}

Browser::Json Browser::ask(const std::string& method, const std::string& path, const Json& body) {
  const std::string text = body.is_null() ? std::string() : body.dump();
  const std::string answer =
      converse(port_, method + " " + path +
                          " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
                          "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
  if (answer.empty()) throw std::runtime_error("no answer to " + method + " " + path);
  Json value = Json::parse(answer).at("value");
  if (value.is_object() && value.contains("error"))
    throw std::runtime_error(path + ": " + value.at("message").get<std::string>());
  return value;
}

void Browser::renew() {
  devtools("Storage.clearDataForOrigin", {{"origin", "file://"}, {"storageTypes", "all"}});
  const Json window = ask("POST", session_ + "/window/new", {{"type", "tab"}});
  ask("DELETE", session_ + "/window");
  ask("POST", session_ + "/window", {{"handle", window.at("handle")}});
}

void Browser::open(const std::string& file) { go_to("file://" + file); }

void Browser::go_to(const std::string& url) { ask("POST", session_ + "/url", {{"url", url}}); }

Browser::Json Browser::run(const std::string& script) {
  return ask("POST", session_ + "/execute/sync", {{"script", script}, {"args", Json::array()}});
}

void Browser::wait_for(const std::string& expression) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kPatience);
  while (run("return Boolean(" + expression + ")") != true) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << expression;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::string Browser::element(const std::string& selector) {
  return ask("POST", session_ + "/element", {{"using", "css selector"}, {"value", selector}})
      .at(kElementKey)
      .get<std::string>();
}

std::string Browser::text_of(const std::string& selector) {
  return ask("GET", session_ + "/element/" + element(selector) + "/text").get<std::string>();
}

void Browser::click(const std::string& selector) {
  ask("POST", session_ + "/element/" + element(selector) + "/click", Json::object());
}

void Browser::type(const std::string& selector, const std::string& text) {
  ask("POST", session_ + "/element/" + element(selector) + "/value", {{"text", text}});
}

std::string Browser::label_of(const std::string& selector) {
  return ask("GET", session_ + "/element/" + element(selector) + "/computedlabel")
      .get<std::string>();
}

void Browser::perform(const Json& actions) {
  ask("POST", session_ + "/actions",
      {{"actions", actions.is_array() ? actions : Json::array({actions})}});
}

void Browser::click_at(const std::string& selector, int x, int y) {
  const Json origin = {{kElementKey, element(selector)}};
  perform({{"type", "pointer"},
           {"id", "mouse"},
           {"actions",
            {{{"type", "pointerMove"}, {"origin", origin}, {"x", x}, {"y", y}},
             {{"type", "pointerDown"}, {"button", 0}},
             {{"type", "pointerUp"}, {"button", 0}}}}});
}

void Browser::drag_at(const std::string& selector, int x, int y, int by_x, int by_y) {
  const Json origin = {{kElementKey, element(selector)}};
  perform({{"type", "pointer"},
           {"id", "mouse"},
           {"actions",
            {{{"type", "pointerMove"}, {"origin", origin}, {"x", x}, {"y", y}},
             {{"type", "pointerDown"}, {"button", 0}},
             {{"type", "pointerMove"}, {"origin", "pointer"}, {"x", by_x}, {"y", by_y}},
             {{"type", "pointerUp"}, {"button", 0}}}}});
}

void Browser::pinch(const std::string& selector, int from, int to) {
  const Json origin = {{kElementKey, element(selector)}};
  Json fingers = Json::array();
  for (const int side : {-1, 1}) {
    const auto move = [&](int x, int duration) {
      return Json{{"type", "pointerMove"},
                  {"duration", duration},
                  {"origin", origin},
                  {"x", side * x},
                  {"y", 0}};
    };
    fingers.push_back({{"type", "pointer"},
                       {"id", side < 0 ? "left" : "right"},
                       {"parameters", {{"pointerType", "touch"}}},
                       {"actions",
                        {move(from, 0),
                         {{"type", "pointerDown"}, {"button", 0}},
                         move(to, 100),
                         {{"type", "pointerUp"}, {"button", 0}}}}});
  }
  perform(fingers);
}

void Browser::wheel(const std::string& selector, int by_y) {
  const Json origin = {{kElementKey, element(selector)}};
  perform({{"type", "wheel"},
           {"id", "wheel"},
           {"actions",
            {{{"type", "scroll"},
              {"origin", origin},
              {"x", 0},
              {"y", 0},
              {"deltaX", 0},
              {"deltaY", by_y}}}}});
}

Browser::Json Browser::devtools(const std::string& command, const Json& parameters) {
  return ask("POST", session_ + "/goog/cdp/execute", {{"cmd", command}, {"params", parameters}});
}

}  // namespace barefxt::test
