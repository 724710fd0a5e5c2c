// Anything, as a client's request to the server of `open`. The client gets the file if and only if
// a plain reading of the request allows it, however the request is cut into pieces.
//
// The first byte is the size of the pieces. A byte 1 in the rest stands for 4000 letters, so
// that requests can be larger than any may be.
#include <algorithm>
#include <cctype>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzzing.h"
#include "serve/connection.h"

namespace barefxt::test::fuzz_served_requests {
namespace {

constexpr const char* kHost = "127.0.0.1:9001";
constexpr const char* kOrigin = "https://ui.perfetto.dev";
constexpr const char* kPath = "/5f3c/trace.fxt";
constexpr std::string_view kFile = "what nobody else may have";

const serve::FileToServe& file() {
  static const serve::FileToServe file{
      {reinterpret_cast<const uint8_t*>(kFile.data()), kFile.size()}, kPath, kOrigin};
  return file;
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t end = 0; (end = text.find(separator, at)) != std::string::npos;) {
    parts.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  parts.push_back(text.substr(at));
  return parts;
}

std::vector<std::string> values_of(const std::vector<std::string>& lines, const std::string& name) {
  std::vector<std::string> values;
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> parts = split(lines[i], ":");
    std::string key = parts[0];
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (parts.size() < 2 || key != name) continue;
    std::string value = lines[i].substr(key.size() + 1);
    const size_t begin = std::min(value.find_first_not_of(" \t"), value.size());
    value = value.substr(begin, value.find_last_not_of(" \t") + 1 - begin);
    values.push_back(value);
  }
  return values;
}

// The status that the request deserves.
int deserved(const std::string& request) {
  const size_t end = request.find("\r\n\r\n");
  if (end == std::string::npos || end + 4 > serve::Connection::kMaxRequest) return 400;
  const std::vector<std::string> lines = split(request.substr(0, end), "\r\n");
  const std::vector<std::string> words = split(lines[0], " ");
  if (words.size() < 2) return 400;
  if (values_of(lines, "host") != std::vector<std::string>{kHost}) return 403;
  const std::vector<std::string> origins = values_of(lines, "origin");
  if (!origins.empty() && origins != std::vector<std::string>{kOrigin}) return 403;
  if (words[0] != "GET" && words[0] != "HEAD" && words[0] != "OPTIONS") return 405;
  if (split(words[1], "?")[0] != kPath) return 404;
  return words[0] == "OPTIONS" ? 204 : 200;
}

struct Served {
  std::string answer;
  bool has_sent_file = false;
};

// Returns the answer to a client that sends the request in pieces, and nothing after it.
Served serve_in_pieces(const std::string& request, size_t piece) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) die_of("no sockets");
  Served served;
  {
    serve::Connection connection(ends[0]);
    for (size_t at = 0; at < request.size(); at += piece) {
      const std::string_view part = std::string_view(request).substr(at, piece);
      if (::send(ends[1], part.data(), part.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(part.size()))
        die_of("a piece that does not fit");
      connection.go_on(file(), kHost);
    }
    ::shutdown(ends[1], SHUT_WR);
    for (unsigned turns = 0; connection.state() != serve::Connection::State::kOver; ++turns) {
      if (turns > request.size() + 10) die_of("it never ends");
      connection.go_on(file(), kHost);
    }
    served.has_sent_file = connection.has_sent_file();
  }
  char bytes[4096];
  for (ssize_t got = 0; (got = ::recv(ends[1], bytes, sizeof bytes, 0)) > 0;)
    served.answer.append(bytes, static_cast<size_t>(got));
  ::close(ends[1]);
  return served;
}

void judge(const std::string& request, const Served& served) {
  const int status = deserved(request);
  if (served.answer.substr(0, 13) != "HTTP/1.1 " + std::to_string(status) + " ")
    die_of("instead of " + std::to_string(status) + ": " + served.answer.substr(0, 20));
  const bool gets_it = status == 200 && request.starts_with("GET ");
  if (served.has_sent_file != gets_it) die_of("it is taken for another answer");
  const size_t end = served.answer.find("\r\n\r\n");
  if (end == std::string::npos) die_of("an answer without an end");
  const std::string body = served.answer.substr(end + 4);
  if (gets_it ? body != kFile : served.answer.find(kFile) != std::string::npos)
    die_of("the file goes to the wrong one");
  if (status == 200 && !gets_it && !body.empty()) die_of("a head with a body");
  const std::vector<std::string> lines = split(served.answer.substr(0, end), "\r\n");
  const std::vector<std::string> size = values_of(lines, "content-length");
  if (status == 200 && size != std::vector{std::to_string(kFile.size())})
    die_of("another size than the file's");
  if (status != 200 && size != std::vector{std::to_string(body.size())})
    die_of("another size than the body's");
  const std::vector<std::string> rights = values_of(lines, "access-control-allow-origin");
  if (status == 400 || status == 403 ? !rights.empty()
                                     : rights != std::vector<std::string>{kOrigin})
    die_of("rights for the wrong ones");
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const size_t piece = 1 + input.byte();
  constexpr size_t kMuch = 20'000;
  std::string request;
  while (!input.empty() && request.size() < kMuch) {
    const auto byte = static_cast<char>(input.byte());
    request += byte == '\1' ? std::string(4000, 'x') : std::string(1, byte);
  }
  const Served whole = serve_in_pieces(request, kMuch + 4000);
  judge(request, whole);
  // A byte at a time only where that is soon done.
  const Served pieces = serve_in_pieces(request, piece + request.size() / 256);
  if (pieces.answer != whole.answer || pieces.has_sent_file != whole.has_sent_file)
    die_of("another answer when it comes in pieces");
}

const Fuzzer fuzzer("served_requests", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_served_requests
