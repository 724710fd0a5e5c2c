// Calls of functions in a capture, made of numbers: two CPUs, threads by index and by koid,
// switches among them, segments that begin in the middle and losses. For any recording, every end
// of a call in the archive has its begin, on its thread, and calls nest.
#include <map>

#include "captured.h"

namespace barefxt::test::fuzz_calls {
namespace {

// A record, or the word of one that claims to be something else.
Words record(FuzzInput& input, uint64_t time) {
  const uint64_t choice = input.byte();
  const uint64_t call =
      13 | (choice >> 4 & 3) << 16 | 1 << 19 | (input.byte() & 7) << 20;  // action, function
  const uint64_t thread = choice >> 6 & 3;
  switch (choice & 7) {
    case 0:
      return {call | 2 << 4 | thread << 44, time};
    case 1:
      return {call | 4 << 4, time, 50, 51 + thread};
    case 2:
      return {call | 3 << 4 | thread << 44, time, input.number(8)};
    case 3:
      return context_switch(time, 0, input.byte() & 7, input.byte() & 3, thread, 0, 0);
    case 4:
      return {input.number(8) | 13, time};
    default:
      return {call | 1 << 4 | time << 44};
  }
}

// Ends that belong to nothing, and what is open.
void die_of_unmatched_calls(const PlainArchive& archive) {
  std::map<std::pair<uint64_t, uint64_t>, std::vector<std::string>> open;
  for (const PlainRecord& record : archive.records) {
    // A complete one (subtype 4), as limits of calls make them, is its own end.
    if (record.type != 4 || record.subtype == 4 || record.category != "function") continue;
    std::vector<std::string>& calls = open[{record.process, record.thread}];
    if (record.subtype == 2) {
      calls.push_back(record.name);
    } else if (calls.empty() || calls.back() != record.name) {
      die_of("an end of " + record.name + " that is not the innermost call");
    } else {
      calls.pop_back();
    }
  }
}

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  TestCapture capture = two_cpu_capture(0);
  capture.stop_ticks = 1 << 30;
  uint64_t time = 1000;
  uint32_t segments[2] = {0, 0};
  while (!input.empty()) {
    const uint64_t head = input.byte();
    TestPiece piece;
    piece.cpu = head & 1;
    piece.segment = segments[piece.cpu] += 1 + (head >> 1 & 1);
    for (uint64_t count = 1 + (head >> 2); count != 0 && !input.empty(); --count)
      piece.records.push_back(record(input, time += input.byte() << (head & 12)));
    capture.pieces.push_back(piece);
  }
  const Bytes dump = binary_form(capture.frames());
  rebuild_or_die(dump);
  const Rebuilt rebuilt = rebuild(dump);
  if (!rebuilt.archive.empty()) die_of_unmatched_calls(decode_plainly(rebuilt.archive));
}

const Fuzzer fuzzer("calls", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_calls
