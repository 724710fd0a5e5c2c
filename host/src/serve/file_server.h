// One file, served by HTTP on this machine alone, to a page of another origin that asks for it.
//
// Invariants: it listens on 127.0.0.1 only and serves this file only, under its own path. The
// request's Host must be 127.0.0.1 and the port (a page that rebinds its name sends another), its
// Origin that page's or absent. Requests are bounded in size and connections in time, so no client
// delays others.
#pragma once

#include <functional>
#include <string>

#include <barefxt/host/status.h>

#include "request.h"

namespace barefxt::serve {

class FileServer {
 public:
  // Port 0 is any that is free. Fails where the port is taken.
  static host::Result<FileServer> listen(unsigned port);
  FileServer(FileServer&& other) noexcept;
  FileServer& operator=(FileServer&&) = delete;
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;
  ~FileServer();

  unsigned port() const { return port_; }

  // Answers until the file has been fetched as a whole once. False if that did not happen within
  // `seconds` (0: no limit). `meanwhile` is called several times a second.
  bool serve(const FileToServe& file, unsigned seconds, const std::function<void()>& meanwhile);

 private:
  FileServer(int socket, unsigned port) : socket_(socket), port_(port) {}

  int socket_;
  unsigned port_;
};

}  // namespace barefxt::serve
