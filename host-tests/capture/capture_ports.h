// Ports of this machine: free ones, and programs that connect to them or send datagrams there.
#pragma once

#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "capture_command.h"

namespace barefxt::test::capture_command_test {

// A port that nobody has: the system's choice, given back.
inline int free_port(int kind) {
  const int handle = socket(AF_INET6, kind, 0);
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  socklen_t bytes = sizeof address;
  EXPECT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), bytes), 0);
  EXPECT_EQ(getsockname(handle, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  close(handle);
  return ntohs(address.sin6_port);
}

struct Peer {
  sockaddr_storage address = {};
  socklen_t bytes = 0;
};
inline Peer loopback(int family, int port) {
  Peer peer;
  if (family == AF_INET) {
    auto& address = reinterpret_cast<sockaddr_in&>(peer.address);
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer.bytes = sizeof address;
  } else {
    auto& address = reinterpret_cast<sockaddr_in6&>(peer.address);
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(static_cast<uint16_t>(port));
    address.sin6_addr = in6addr_loopback;
    peer.bytes = sizeof address;
  }
  return peer;
}

// Retries until somebody listens.
inline int connected(int family, int port) {
  int handle = -1;
  const Peer peer = loopback(family, port);
  EXPECT_TRUE(comes_true([&] {
    handle = socket(family, SOCK_STREAM, 0);
    if (connect(handle, reinterpret_cast<const sockaddr*>(&peer.address), peer.bytes) == 0)
      return true;
    close(handle);
    return false;
  }));
  return handle;
}

// Until a process has the port; without a datagram.
inline void wait_for_udp(int port) {
  std::ostringstream number;
  number << ':' << std::hex << std::uppercase << std::setw(4) << std::setfill('0') << port << ' ';
  EXPECT_TRUE(comes_true([&] {
    for (const char* table : {"/proc/net/udp", "/proc/net/udp6"}) {
      std::ifstream file(table);
      const std::string all{std::istreambuf_iterator<char>(file), {}};
      if (all.find(number.str()) != std::string::npos) return true;
    }
    return false;
  }));
}

inline void send_datagrams(int sender, int family, int port, const std::vector<Bytes>& datagrams) {
  const Peer peer = loopback(family, port);
  for (const Bytes& datagram : datagrams)
    ASSERT_EQ(sendto(sender, datagram.data(), datagram.size(), 0,
                     reinterpret_cast<const sockaddr*>(&peer.address), peer.bytes),
              static_cast<ssize_t>(datagram.size()));
}

}  // namespace barefxt::test::capture_command_test
