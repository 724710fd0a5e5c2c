// Bytes over the way back: the receiver finds the requests that a plain reading finds, no more, and
// the target stays sound for any request. Each item of the input is a byte for its kind, and either
// bytes as they are or a frame with a corrected CRC.
#include <barefxt/barefxt.h>
#include <barefxt/host/capture_index.h>
#include <barefxt/ring.h>
#include <barefxt/wire/request.h>

#include "fuzzing.h"
#include "rebuild/capture_builder.h"
#include "rebuild/cobs.h"
#include "request_receiver.h"
#include "runtime/configuration.h"

namespace barefxt::test::fuzz_requests {
namespace {

BAREFXT_CATEGORY(shared, 7);

constexpr size_t kSegments = 8;
constexpr uint32_t kRecords = 1000;

uint64_t next_tick() {
  static uint64_t now = 0;
  return ++now;
}

// The next bytes on the line.
Bytes next_item(FuzzInput& input) {
  const uint64_t form = input.byte();
  if ((form & 1) == 0) return input.take(form >> 1);
  ByteBuilder frame;
  frame.raw(input.take(wire::kRequestFrameBytes - wire::kCrcBytes));
  return plain_cobs(frame.u32(plain_crc32c(frame.bytes())).bytes());
}

bool is_request(const Bytes& frame) {
  const auto covered = frame.begin() + (wire::kRequestFrameBytes - wire::kCrcBytes);
  return wire::load_u32(&*covered) == plain_crc32c({frame.begin(), covered}) &&
         frame[wire::FrameHeader::kVersion] == wire::kVersionOfRequests &&
         frame[wire::FrameHeader::kType] == static_cast<uint8_t>(wire::FrameType::kRequest);
}

std::vector<Bytes> read_plainly(const Bytes& line) {
  std::vector<Bytes> requests;
  Bytes chunk;
  for (const uint8_t byte : line) {
    if (byte != 0) {
      chunk.push_back(byte);
      continue;
    }
    Bytes frame(chunk.size() + host::kCobsReach);
    const std::optional<size_t> bytes = host::cobs_decode(chunk, frame.data());
    chunk.clear();
    frame.resize(bytes.value_or(0));
    if (frame.size() == wire::kRequestFrameBytes && is_request(frame)) requests.push_back(frame);
  }
  return requests;
}

std::vector<Bytes> receive(const Bytes& line) {
  std::vector<Bytes> requests;
  RequestReceiver receiver;
  for (const uint8_t byte : line)
    if (const uint8_t* frame = receiver.add(byte))
      requests.emplace_back(frame, frame + wire::kRequestFrameBytes);
  return requests;
}

void append(void* context, const uint8_t* bytes, size_t count) {
  auto& all = *static_cast<Bytes*>(context);
  all.insert(all.end(), bytes, bytes + count);
}

// A stream that has left the target in part.
void start_stream(const barefxt_config& config) {
  barefxt_host_counter = next_tick;
  barefxt_stop();
  if (barefxt_start(&config) != BAREFXT_OK) die_of("it does not start");
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  for (uint32_t i = 0; i < kRecords; ++i) {
    BAREFXT_INSTANT(shared, "n", BAREFXT_ARG_U32("i", i));
    if (i % 100 == 0) barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
  }
}

// Sends nothing but whole frames that can be read.
void serve(const std::vector<Bytes>& items) {
  static std::vector<uint64_t> memory(kSegments * kSegmentBytes / sizeof(uint64_t));
  barefxt_config config =
      config_of(memory.data(), memory.size() * sizeof(uint64_t), 1, BAREFXT_MODE_STREAMING);
  config.resend_segments = BAREFXT_RESEND_SEGMENTS;
  start_stream(config);
  Bytes sent;
  const barefxt_writer writer = {append, &sent};
  for (const Bytes& item : items) {
    for (const uint8_t byte : item) barefxt_receive(byte);
    barefxt_serve(&writer, BAREFXT_DUMP_BINARY, &config);
  }
  host::CaptureIndex index;
  host::FrameScanner scanner(index);
  scanner.feed(sent);
  scanner.finish();
  const host::InputFindings findings = index.take_findings();
  if (findings.damaged != 0 || findings.unreadable != 0 || findings.other_version != 0)
    die_of("it answers with what cannot be read");
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  std::vector<Bytes> items;
  Bytes line;
  while (!input.empty()) {
    items.push_back(next_item(input));
    line.insert(line.end(), items.back().begin(), items.back().end());
  }
  if (receive(line) != read_plainly(line)) die_of("other requests than a plain reading finds");
  serve(items);
}

const Fuzzer fuzzer("requests", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_requests
