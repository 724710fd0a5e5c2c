#include "busy_archive.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

#include <barefxt/host/archive_writer.h>

namespace barefxt::test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;

class DescriptorSink final : public host::ByteSink {
 public:
  explicit DescriptorSink(int file) : file_(file) {}
  host::Status write(std::span<const uint8_t> bytes) override {
    EXPECT_EQ(::write(file_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    return {};
  }

 private:
  int file_;
};

constexpr uint8_t kCpus = 4;
constexpr uint8_t kBusyThreads = 64;  // the first ones are idle, one a CPU
constexpr uint8_t kPseudo = kBusyThreads + 1;
constexpr auto kTexts =
    std::to_array<const char*>({"irq", "timer", "work", "step", "lock", "bus", "load", "ready",
                                "message", "send", "process", "mutex"});
enum TextIndex : uint8_t {  // unscoped: indices of strings
  kIrq = 1,
  kTimer,
  kWork,
  kStep,
  kLock,
  kBus,
  kLoad,
  kReady,
  kMessage,
  kSend,
  kProcess,
  kMutex
};

class BusyWriter {
 public:
  explicit BusyWriter(host::ByteSink& sink) : writer_(sink, host::ByteOrder::kLittle) {
    writer_.magic_number();
    writer_.initialization(1'000'000'000);
    for (unsigned i = 0; i < kTexts.size(); ++i) writer_.string(i + 1, kTexts[i]);
    for (unsigned i = 1; i <= kBusyThreads + kCpus; ++i) {
      const bool idle = i <= kCpus;
      const uint64_t process = idle ? 0 : 7;
      writer_.thread(i, process, 1000 + i);
      const auto argument = ArchiveArgument::koid(text(kProcess), process);
      const std::string name = idle           ? "idle/" + std::to_string(i - 1)
                               : i >= kPseudo ? "cpu-" + std::to_string(i - kPseudo)
                                              : "thread " + std::to_string(i);
      (void)writer_.kernel_object(1000 + i, fxt::KernelObjectType::kThread,
                                  ArchiveText::spelled_out(name), {&argument, 1});
    }
  }

  // One round of a CPU: an interrupt wakes a thread, which runs, works, and blocks again.
  uint64_t round() {
    const auto cpu = static_cast<uint8_t>(random_() % kCpus);
    const uint8_t idle = cpu + 1;
    const auto thread = static_cast<uint8_t>(kCpus + 1 + cpu +
                                             random_() % ((kBusyThreads - kCpus) / kCpus) * kCpus);
    event(fxt::EventType::kDurationBegin, kPseudo + cpu, kIrq, kTimer);
    (void)writer_.thread_wakeup({.timestamp = tick(), .cpu = cpu, .thread = 1000U + thread}, {});
    event(fxt::EventType::kDurationEnd, kPseudo + cpu, kIrq, kTimer);
    change(cpu, idle, fxt::ThreadState::kNew, thread);
    event(fxt::EventType::kDurationBegin, thread, kWork, kWork);
    const uint64_t began = now_;
    event(fxt::EventType::kDurationBegin, thread, kWork, kStep);
    event(fxt::EventType::kFlowBegin, thread, kMessage, kSend, ++flow_);
    event(fxt::EventType::kDurationEnd, thread, kWork, kStep);
    const auto ready = ArchiveArgument::uint32(text(kReady), static_cast<uint32_t>(flow_ % 9));
    event(fxt::EventType::kCounter, thread, kLoad, kReady, 1, {&ready, 1});
    event(fxt::EventType::kFlowEnd, thread, kMessage, kSend, flow_);
    const auto mutex = ArchiveArgument::pointer(text(kMutex), 4096);
    (void)writer_.event({.type = fxt::EventType::kDurationComplete,
                         .timestamp = began,
                         .thread = {thread, 0, 0},
                         .category = text(kLock),
                         .name = text(kBus),
                         .trailing_word = tick()},
                        {&mutex, 1});
    event(fxt::EventType::kDurationEnd, thread, kWork, kWork);
    change(cpu, thread, fxt::ThreadState::kBlocked, idle);
    constexpr uint64_t kRecords = 13;
    return kRecords;
  }

  void finish() { (void)writer_.flush(); }

 private:
  static ArchiveText text(unsigned index) { return ArchiveText::indexed(index); }
  uint64_t tick() { return now_ += 100 + random_() % 4096; }

  void event(fxt::EventType type, unsigned thread, unsigned category, unsigned name,
             uint64_t trailing = 0, host::ArchiveArguments arguments = {}) {
    (void)writer_.event({.type = type,
                         .timestamp = tick(),
                         .thread = {static_cast<uint8_t>(thread), 0, 0},
                         .category = text(category),
                         .name = text(name),
                         .trailing_word = trailing},
                        arguments);
  }
  void change(uint8_t cpu, uint8_t out, fxt::ThreadState state, uint8_t in) {
    writer_.legacy_context_switch({.timestamp = tick(),
                                   .cpu = cpu,
                                   .outgoing_state = state,
                                   .outgoing = {out, 0, 0},
                                   .incoming = {in, 0, 0},
                                   .outgoing_priority = out,
                                   .incoming_priority = in});
  }

  host::ArchiveWriter writer_;
  std::mt19937 random_{20240229};
  uint64_t now_ = 0;
  uint64_t flow_ = 0;
};

}  // namespace

BusyArchive::BusyArchive(uint64_t records) : path_(::testing::TempDir() + "barefxt-busy-XXXXXX") {
  const int file = ::mkstemp(path_.data());
  EXPECT_GE(file, 0);
  DescriptorSink sink(file);
  BusyWriter writer(sink);
  while (records_ < records) records_ += writer.round();
  writer.finish();
  ::close(file);
}

BusyArchive::~BusyArchive() { ::unlink(path_.c_str()); }

}  // namespace barefxt::test
