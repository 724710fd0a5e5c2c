// Addresses of sockets, as people write them and as the system has them.
#pragma once

#include <memory>
#include <netdb.h>
#include <string>

#include <barefxt/host/status.h>

#include "patience.h"

namespace barefxt::line {

struct Address {
  std::string host;  // empty if there is none
  std::string port;
};

// HOST:PORT, [ADDRESS]:PORT where the address has colons itself, or the port alone.
Address split_address(const std::string& text);

class FoundAddresses {
 public:
  explicit FoundAddresses(addrinfo* list) : list_(list) {}
  ~FoundAddresses() { freeaddrinfo(list_); }
  FoundAddresses(const FoundAddresses&) = delete;
  FoundAddresses& operator=(const FoundAddresses&) = delete;
  const addrinfo* first() const { return list_; }

 private:
  addrinfo* list_;
};

// `text`: for messages. `kind`: SOCK_STREAM or SOCK_DGRAM. Asks name servers if it has to.
host::Result<std::unique_ptr<FoundAddresses>> look_up(const Address& address,
                                                      const std::string& text, int kind,
                                                      const Patience& patience);

}  // namespace barefxt::line
