#include "wire_bytes.h"

#include <stdexcept>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/frame_scanner.h>
#include <barefxt/wire/frame.h>

#include "coded_records.h"

namespace barefxt::test {
namespace {

constexpr size_t kFixed = wire::Records::kWords;

// A frame on the line: header, payload and CRC, COBS's codes, and a zero ahead and behind.
size_t bytes_on_the_line(const Bytes& payload) {
  const Bytes header(wire::FrameHeader::kBytes, 1);
  Bytes frame = header;
  frame.insert(frame.end(), payload.begin(), payload.end());
  frame.resize(frame.size() + wire::kCrcBytes, 1);
  return plain_cobs(frame).size();
}

class Collector final : public host::FrameSink {
 public:
  void on_frame(const host::Frame& frame) override {
    if (frame.version != wire::kVersionOfCode && frame.version != wire::kVersionOfPacked) return;
    CodedFrame& coded = frames.emplace_back();
    coded.payload.assign(frame.payload.begin(), frame.payload.end());
    coded.big_endian = (frame.flags & wire::FrameFlags::kBigEndianWords) != 0;
    coded.cpu = wire::load_u16(frame.payload.data());
    coded.line_bytes = bytes_on_the_line(coded.payload);
    const auto order = coded.big_endian ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
    if (!host::uncode_records(frame.payload, order, coded.raw_payload))
      throw std::runtime_error("a frame whose code is none");
  }
  void on_damaged(uint64_t /*input_offset*/) override { throw std::runtime_error("damage"); }
  void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override {
    throw std::runtime_error("a version that is not known");
  }

  std::vector<CodedFrame> frames;
};

Words record_words(const CodedFrame& frame) {
  const Bytes& raw = frame.raw_payload;
  Words words;
  for (size_t at = wire::record_words_at(raw[wire::Records::kClock]); at < raw.size(); at += 8) {
    uint64_t word = wire::load_u64(&raw[at]);
    if (frame.big_endian) word = __builtin_bswap64(word);
    words.push_back(word);
  }
  return words;
}

// The coded payload, and how far it reaches behind each record, in bytes.
struct Coded {
  Bytes payload;
  std::vector<double> ends;
  double fixed = 0;  // ahead of the first record
};
Coded code(const Bytes& raw_head, const Words& words) {
  CodeSink sink;
  sink.bytes.assign(raw_head.begin(), raw_head.begin() + wire::CodedRecords::kCode);
  sink.bytes[wire::Records::kCoding] = static_cast<uint8_t>(wire::RecordsCoding::kPacked);
  Coder coder(sink, wire::load_u16(raw_head.data()));
  const size_t words_at = wire::record_words_at(raw_head[wire::Records::kClock]);
  for (size_t at = wire::CodedRecords::kCode; at < words_at; at += 8)
    coder.number(wire::load_u64(&raw_head[at]));
  const auto end = [&] {
    return wire::CodedRecords::kCode + static_cast<double>(coder.bits()) / 8;
  };
  Coded coded;
  coded.fixed = end();
  for (size_t at = 0; at < words.size();) {
    at += coder.record(&words[at], static_cast<uint32_t>(words.size() - at));
    coded.ends.push_back(end());
  }
  coder.end();
  coded.payload = sink.bytes;
  return coded;
}

std::string kind_of(const Words& words, size_t at) {
  const uint64_t header = words[at];
  if (fxt::RecordHeader::type(header) == fxt::RecordType::kScheduling &&
      fxt::SchedulingHeader::Subtype::in(header) == fxt::SchedulingHeader::kLegacyContextSwitch)
    return "context_switch";
  if (fxt::RecordHeader::type(header) != fxt::RecordType::kEvent) return "other";
  const uint64_t arguments = fxt::Event::ArgumentCount::in(header);
  switch (static_cast<fxt::EventType>(fxt::Event::Subtype::in(header))) {
    case fxt::EventType::kInstant:
      if (arguments == 0) return "instant";
      return arguments == 1 && (words[at + 2] & 0xf) == 2 ? "instant_1_u32" : "other";
    case fxt::EventType::kCounter:
      return "counter";
    default:
      return arguments == 0 ? "event" : "other";
  }
}

}  // namespace

std::vector<CodedFrame> coded_frames(const Bytes& capture) {
  Collector collector;
  host::FrameScanner scanner(collector);
  scanner.feed(capture);
  scanner.finish();
  return collector.frames;
}

std::vector<CodedFrame> framed_anew(const std::vector<CodedFrame>& frames, size_t record_bytes) {
  std::map<uint16_t, std::vector<const CodedFrame*>> by_cpu;
  for (const CodedFrame& frame : frames) by_cpu[frame.cpu].push_back(&frame);
  std::vector<CodedFrame> made;
  for (const auto& [cpu, old] : by_cpu) {
    Words words;
    for (const CodedFrame* frame : old) {
      const Words more = record_words(*frame);
      words.insert(words.end(), more.begin(), more.end());
    }
    // Totals stay those of the CPU's last frame, the longest numbers there are.
    Bytes head = old.back()->raw_payload;
    head.resize(kFixed);
    head[wire::Records::kClock] = 0;
    for (size_t at = 0; at < words.size();) {
      const size_t begin = at;
      while (at < words.size() && (at - begin) * 8 < record_bytes)
        at += fxt::RecordHeader::SizeWords::in(words[at]);
      const Words part(words.begin() + static_cast<ptrdiff_t>(begin),
                       words.begin() + static_cast<ptrdiff_t>(at));
      CodedFrame& frame = made.emplace_back();
      frame.cpu = cpu;
      frame.payload = code(head, part).payload;
      frame.raw_payload = head;
      const Bytes bytes = words_to_bytes(part);
      frame.raw_payload.insert(frame.raw_payload.end(), bytes.begin(), bytes.end());
      frame.line_bytes = bytes_on_the_line(frame.payload);
    }
  }
  return made;
}

std::map<std::string, Share> wire_bytes(const std::vector<CodedFrame>& frames) {
  std::map<std::string, Share> shares;
  for (const CodedFrame& frame : frames) {
    const Words words = record_words(frame);
    const Coded coded = code(frame.raw_payload, words);
    if (coded.payload != frame.payload)
      throw std::runtime_error("the coder makes other bytes of the same records");
    const size_t records = coded.ends.size();
    const double around =
        (static_cast<double>(frame.line_bytes) - (coded.ends.back() - coded.fixed)) /
        static_cast<double>(records);
    size_t at = 0;
    double begin = coded.fixed;
    for (const double end : coded.ends) {
      const double bytes = end - begin + around;
      const std::string kind = kind_of(words, at);
      const auto add = [&](const std::string& name) {
        ++shares[name].records;
        shares[name].bytes += bytes;
      };
      add("all");
      add(kind);
      if (kind == "instant") add("event");
      begin = end;
      at += fxt::RecordHeader::SizeWords::in(words[at]);
    }
  }
  return shares;
}

}  // namespace barefxt::test
