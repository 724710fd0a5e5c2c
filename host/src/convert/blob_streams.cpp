#include <barefxt/host/blob_streams.h>

#include "../archive/own_events.h"

namespace barefxt::host {

std::optional<BlobStreams::Chunk> BlobStreams::see(const Record& record) {
  Text name;
  std::string_view payload;
  if (const auto* blob = std::get_if<Blob>(&record.content); blob && !repeats_log(*blob)) {
    name = blob->name;
    payload = blob->payload;
  } else if (const auto* large = std::get_if<LargeBlob>(&record.content)) {
    name = large->name;
    payload = large->payload;
  } else {
    return std::nullopt;
  }
  const Key key = {record.provider ? *record.provider : uint64_t{1} << 32,
                   name.registered ? 0 : uint32_t{name.ref.value}, name.bytes};
  auto known = numbers_.find(key);
  if (known == numbers_.end()) {
    if (streams_.size() == kMax) {
      ++left_out_;
      return std::nullopt;
    }
    known = numbers_.emplace(key, streams_.size()).first;
    streams_.push_back({record.provider, name});
  }
  Stream& stream = streams_[known->second];
  ++stream.chunks;
  stream.bytes += payload.size();
  return Chunk{known->second, payload};
}

}  // namespace barefxt::host
