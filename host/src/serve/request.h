// Chooses the answer to a request for the file.
#pragma once

#include <string>

#include <barefxt/host/source.h>

namespace barefxt::serve {

struct FileToServe {
  host::Bytes bytes;
  std::string path;    // "/5f3c.../trace.fxt", with a random part
  std::string origin;  // whose pages may read it, "https://ui.perfetto.dev"
};

struct Answer {
  std::string head;  // with a short body
  host::Bytes body;
  bool is_file = false;
};

// `request` is a request's head, with the empty line. `host` is the only Host header accepted:
// another name may be rebound to this address.
Answer answer(const std::string& request, const FileToServe& file, const std::string& host);

// The answer to what is no request.
Answer bad_request();

}  // namespace barefxt::serve
