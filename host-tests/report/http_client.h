// A client of a server on this machine, for tests of `open`.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace barefxt::test {

inline sockaddr_in address_of(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// `patience`: how many seconds to wait for a place among the server's waiting clients.
inline int connected(int port, int patience = 600) {
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval limit{.tv_sec = patience, .tv_usec = 0};
  ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  // A server that never answers is a failure, no hang.
  const timeval answer_limit{.tv_sec = 120, .tv_usec = 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &answer_limit, sizeof answer_limit);
  const sockaddr_in address = address_of(port);
  EXPECT_EQ(::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return connection;
}

inline std::string asked(int port, const std::string& request) {
  const int connection = connected(port);
  EXPECT_EQ(::send(connection, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  std::array<char, 4096> piece;
  for (ssize_t got = 0; (got = ::recv(connection, piece.data(), piece.size(), 0)) > 0;)
    answer.append(piece.data(), static_cast<size_t>(got));
  ::close(connection);
  return answer;
}

}  // namespace barefxt::test
