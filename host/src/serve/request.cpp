#include "request.h"

#include <algorithm>
#include <string_view>

namespace barefxt::serve {
namespace {

// ASCII only.
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A header of a request: how often it occurs, and its last value.
struct Header {
  unsigned count = 0;
  std::string value;
};
Header header_of(const std::string& request, std::string_view name) {
  Header header;
  for (size_t at = request.find("\r\n"); at != std::string::npos;) {
    const size_t begin = at + 2;
    at = request.find("\r\n", begin);
    const std::string_view line = std::string_view(request).substr(begin, at - begin);
    const size_t colon = line.find(':');
    const auto is_same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    if (colon == std::string_view::npos ||
        !std::ranges::equal(line.substr(0, colon), name, is_same))
      continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    ++header.count;
    header.value = value;
  }
  return header;
}

Answer refusal(const char* status, const std::string& rights = {}) {
  const std::string text = host::formatted("{}\n", status);
  return {.head = host::formatted("HTTP/1.1 {}\r\n{}Connection: close\r\nContent-Type: "
                                  "text/plain\r\nContent-Length: {}\r\n\r\n{}",
                                  status, rights, text.size(), text),
          .body = {}};
}

}  // namespace

Answer bad_request() { return refusal("400 Bad Request"); }

Answer answer(const std::string& request, const FileToServe& file, const std::string& host) {
  const std::string line = request.substr(0, request.find("\r\n"));
  const size_t space = line.find(' ');
  if (space == std::string::npos) return bad_request();
  const std::string method = line.substr(0, space);
  const std::string path = line.substr(space + 1, line.find_first_of(" ?", space + 1) - space - 1);
  const Header asked_host = header_of(request, "Host");
  const Header origin = header_of(request, "Origin");
  if (asked_host.count != 1 || asked_host.value != host || origin.count > 1 ||
      (origin.count == 1 && origin.value != file.origin))
    return refusal("403 Forbidden");
  // A browser requires these headers before a page from the network may read from this machine.
  const std::string rights = "Access-Control-Allow-Origin: " + file.origin +
                             "\r\nAccess-Control-Allow-Private-Network: true\r\n"
                             "Cache-Control: no-cache\r\n";
  const bool is_question = method == "OPTIONS";
  if (!is_question && method != "GET" && method != "HEAD")
    return refusal("405 Method Not Allowed", rights);
  if (path != file.path) return refusal("404 Not Found", rights);
  if (is_question)
    return {.head = "HTTP/1.1 204 No Content\r\n" + rights +
                    "Connection: close\r\nAccess-Control-Allow-Methods: GET, HEAD\r\n"
                    "Access-Control-Allow-Headers: *\r\nContent-Length: 0\r\n\r\n",
            .body = {}};
  const bool is_file = method == "GET";
  return {.head = host::formatted("HTTP/1.1 200 OK\r\n{}Connection: close\r\nContent-Type: "
                                  "application/octet-stream\r\nContent-Length: {}\r\n\r\n",
                                  rights, file.bytes.size()),
          .body = is_file ? file.bytes : host::Bytes(),
          .is_file = is_file};
}

}  // namespace barefxt::serve
