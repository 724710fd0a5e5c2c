// Unpacks inputs packed by gzip or zstd. Their first bytes decide, not their names.
//
// Invariant: memory is bounded for any content. It goes on in pieces, and zstd's window is at most
// 128 MiB, the most that zstd itself unpacks by default.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <barefxt/host/source.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

enum class Packing : uint8_t { kNone, kGzip, kZstd };
Packing packing_of(Bytes bytes);

struct Unpacked {
  std::string damage;  // why the content ends before its end; empty where all of it came out
  Status status;       // what the sink met
};

// Hands the content on piece by piece, of several members or frames one after another.
// `release_before` gets the offset before which packed bytes are no longer needed.
Unpacked unpack(Packing packing, Bytes packed,
                const std::function<Status(std::span<const uint8_t>)>& sink,
                const std::function<void(size_t)>& release_before);

}  // namespace barefxt::host
