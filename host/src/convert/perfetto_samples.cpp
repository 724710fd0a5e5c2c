#include "perfetto_samples.h"

#include <charconv>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <barefxt/host/json.h>

#include "perfetto_packets.h"

namespace barefxt::host {
namespace {

// The samples have a sequence of their own, since its texts are of no use to other packets.
constexpr uint64_t kSampleSequence = 2;
constexpr uint64_t kImage = 1;
constexpr uint32_t kNoCpu = ~uint32_t{0};

struct WaitingSample {
  char mark = '\0';  // no packet begins with it
  uint64_t time;
  uint64_t thread;
  uint32_t cpu;
  uint32_t stack;
};

// Messages of interned content, in packets of a bounded size.
class StackPackets {
 public:
  explicit StackPackets(const std::function<void(std::string_view)>& write) : write_(write) {}

  void add(unsigned field, const ProtoMessage& content) {
    constexpr size_t kPacketBytes = size_t{1} << 16;
    interned_.message(field, content);
    if (interned_.bytes().size() >= kPacketBytes) flush();
  }
  // The number of a text in one of the lists of texts.
  uint64_t text(unsigned field, const std::string& text) {
    auto& numbers = texts_[field];
    const auto [found, is_new] = numbers.try_emplace(text, numbers.size() + 1);
    if (is_new)
      add(field, ProtoMessage()
                     .number(perfetto::InternedString::kId, found->second)
                     .text(perfetto::InternedString::kText, text));
    return found->second;
  }
  void flush() {
    if (interned_.bytes().empty()) return;
    ProtoMessage packet;
    packet.number(perfetto::Packet::kSequence, kSampleSequence)
        .message(perfetto::Packet::kInterned, std::exchange(interned_, {}));
    if (std::exchange(is_first_, false))
      packet.number(perfetto::Packet::kSequenceFlags, uint64_t{perfetto::kStateCleared})
          .number(perfetto::Packet::kFirstOfSequence, uint64_t{1});
    else
      packet.number(perfetto::Packet::kSequenceFlags, uint64_t{perfetto::kNeedsState});
    write_(perfetto::packet(packet));
  }

 private:
  const std::function<void(std::string_view)>& write_;
  ProtoMessage interned_;
  bool is_first_ = true;
  std::map<unsigned, std::unordered_map<std::string, uint64_t>> texts_;
};

// Splits "file:line".
void add_place(ProtoMessage& frame, const std::string& place, StackPackets& packets) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos) return;
  uint64_t line = 0;
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  frame
      .number(perfetto::Frame::kSourcePath,
              packets.text(perfetto::Interned::kSourcePaths, valid_utf8(place.substr(0, colon))))
      .number(perfetto::Frame::kLine, line);
}

}  // namespace

void PerfettoSamples::name_image(const ProfilerModule& module) {
  if (build_id_.empty() && image_.empty()) {
    image_ = module.name;
    build_id_ = module.build_id;
  } else if (build_id_ != module.build_id) {
    has_one_image_ = false;
  }
}

std::optional<std::string> PerfettoSamples::piece(uint64_t time, size_t thread) const {
  if (!node_) return {};
  const Profile& profile = names_.profile();
  const std::optional<unsigned> cpu = profile.groups()[profile.nodes()[*node_].group].cpu;
  WaitingSample sample{};
  sample.time = time;
  sample.thread = thread;
  sample.cpu = cpu.value_or(kNoCpu);
  sample.stack = *node_;
  return std::string(reinterpret_cast<const char*>(&sample), sizeof sample);
}

std::string PerfettoSamples::packet(std::string_view piece, const PerfettoTracks& tracks) {
  WaitingSample sample;
  std::memcpy(&sample, piece.data(), sizeof sample);
  const PerfettoTracks::Numbers thread = tracks.numbers(sample.thread);
  ProtoMessage content;
  if (sample.cpu != kNoCpu) content.number(perfetto::PerfSample::kCpu, uint64_t{sample.cpu});
  content.number(perfetto::PerfSample::kPid, thread.process)
      .number(perfetto::PerfSample::kTid, thread.thread)
      .number(perfetto::PerfSample::kCallstack, uint64_t{sample.stack} + 1)
      .number(perfetto::PerfSample::kTimebaseCount, uint64_t{1});
  return perfetto::packet(
      ProtoMessage()
          .number(perfetto::Packet::kTimestamp, sample.time)
          .number(perfetto::Packet::kSequence, kSampleSequence)
          .number(perfetto::Packet::kSequenceFlags, uint64_t{perfetto::kNeedsState})
          .message(perfetto::Packet::kPerfSample, content));
}

void PerfettoSamples::write_stacks(ChangeCounts& changes,
                                   const std::function<void(std::string_view)>& write) {
  const Profile& profile = names_.profile();
  if (profile.samples() == 0) return;
  changes.add(Change::kUnplacedEvent, profile.cut());
  ProfileSymbols symbols = names_.symbols(changes);
  StackPackets packets(write);
  ProtoMessage image;
  const std::string name = has_one_image_ && !image_.empty() ? valid_utf8(image_) : "image";
  image.number(perfetto::Mapping::kId, kImage);
  if (has_one_image_ && !build_id_.empty())
    image.number(perfetto::Mapping::kBuildId,
                 packets.text(perfetto::Interned::kBuildIds, std::string(build_id_)));
  image.number(perfetto::Mapping::kEnd, ~uint64_t{0})
      .number(perfetto::Mapping::kPath, packets.text(perfetto::Interned::kMappingPaths, name));
  packets.add(perfetto::Interned::kMappings, image);

  // Numbers of frames by address, outermost first: several where functions are inlined.
  std::map<std::pair<uint64_t, bool>, std::vector<uint64_t>> frames;
  uint64_t next_frame = 1;
  const auto frames_at = [&](uint64_t address, bool is_return) -> const std::vector<uint64_t>& {
    const auto [found, is_new] = frames.try_emplace({address, is_return});
    if (!is_new) return found->second;
    const std::vector<ProfileSymbols::Frame>& inlined = symbols.frames_at(address, is_return);
    for (auto one = inlined.rbegin(); one != inlined.rend(); ++one) {
      const std::string function = valid_utf8(symbols.name(one->function));
      ProtoMessage frame;
      frame.number(perfetto::Frame::kId, next_frame)
          .number(perfetto::Frame::kFunction,
                  packets.text(perfetto::Interned::kFunctionNames, function))
          .number(perfetto::Frame::kMapping, kImage)
          .number(perfetto::Frame::kAddress, address);
      add_place(frame, one->place, packets);
      packets.add(perfetto::Interned::kFrames, frame);
      found->second.push_back(next_frame++);
    }
    return found->second;
  };
  std::vector<uint32_t> path;
  for (uint32_t leaf = 0; leaf < profile.nodes().size(); ++leaf) {
    if (profile.nodes()[leaf].self == 0) continue;
    path.clear();
    for (uint32_t at = leaf; at != Profile::Node::kNone; at = profile.nodes()[at].parent)
      path.push_back(at);
    ProtoMessage stack;
    stack.number(perfetto::Callstack::kId, uint64_t{leaf} + 1);
    for (auto at = path.rbegin(); at != path.rend(); ++at)
      for (const uint64_t frame : frames_at(profile.nodes()[*at].address, *at != leaf))
        stack.number(perfetto::Callstack::kFrames, frame);
    packets.add(perfetto::Interned::kCallstacks, stack);
  }
  packets.flush();
}

}  // namespace barefxt::host
