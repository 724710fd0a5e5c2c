// Writes archives of several CPUs for the queries of docs/how-to/fleets.md: wakeups and migrations
// across CPUs, locks, interrupts, stacks, heaps, samples, losses of one CPU, and a missing
// beginning.
//
//   write_archives FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "heap/heap_trace.h"
#include "stats/everything.h"
#include "stats/interrupted_cpus.h"
#include "stats/locking_kernel.h"
#include "stats/simulated_kernel.h"

namespace {

using namespace barefxt;
using namespace barefxt::test;

std::vector<uint32_t> choices_of(unsigned seed) {
  constexpr size_t kChoices = 4000;
  std::mt19937 random(seed);
  std::vector<uint32_t> choices(kChoices);
  for (uint32_t& one : choices) one = static_cast<uint32_t>(random());
  return choices;
}

// A thread that runs when the recording begins is woken, and leaves a CPU that nothing brought it
// to.
std::string begun_early() {
  MemoryArchive writer(1000);
  (void)writer.thread_wakeup({.timestamp = 10, .cpu = 0, .thread = 1}, {});
  for (const uint64_t time : {15U, 25U, 40U}) {
    const uint64_t out = time == 25 ? 2 : 1;
    (void)writer.context_switch({.timestamp = time,
                                 .cpu = 0,
                                 .outgoing_state = fxt::ThreadState::kNew,
                                 .outgoing = out,
                                 .incoming = 3 - out},
                                {});
  }
  return writer.text();
}

// Three threads whose stacks are used further and further, each by another step.
std::string archive_of_stacks(unsigned seed) {
  constexpr uint32_t kSize = 4096;
  MemoryArchive writer(1000);
  for (uint64_t thread = 1; thread <= 3; ++thread) {
    (void)writer.kernel_object(thread, fxt::KernelObjectType::kThread,
                               text("worker-" + std::to_string(thread)), {});
    for (uint32_t step = 0; step < 5; ++step) {
      const auto used = static_cast<uint32_t>(thread * seed * 64 * step);
      const host::ArchiveArgument arguments[] = {
          host::ArchiveArgument::uint32(text("left"), kSize - used),
          host::ArchiveArgument::uint32(text("used"), used)};
      add_event(writer, fxt::EventType::kCounter, 10 * thread + step, {0, 7, thread}, "stack",
                "stack", thread, arguments);
    }
  }
  return writer.text();
}

// Blocks that are freed, resized, allocated again or not at all.
std::string archive_of_heap(unsigned seed, bool is_losing) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned end) { return random() % end; };
  test::HeapTrace trace;
  for (uint64_t time = 1; time < 500; ++time) {
    const uint64_t address = uint64_t{0x1000} + 64 * below(50);
    const uint64_t caller = uint64_t{0x8000} + 4 * below(9);
    const uint64_t thread = 11 + below(3);
    const unsigned action = below(10);
    if (action < 5)
      trace.alloc(time, thread, action == 0 ? 0 : address, 1 + below(64), caller);
    else if (action < 9)
      trace.free(time, thread, address, caller);
    else
      trace.resize(time, thread, address, 1 + below(64), caller);
  }
  if (is_losing) trace.lose(100, 110);
  const std::vector<uint8_t>& bytes = trace.bytes();
  return {bytes.begin(), bytes.end()};
}

std::string archive_of_samples(unsigned seed) {
  std::mt19937 random(seed);
  MemoryArchive writer(1000);
  for (uint64_t time = 1; time < 200; ++time) {
    std::vector<uint64_t> frames;
    for (unsigned depth = 0; depth <= time % 3; ++depth)
      frames.push_back(uint64_t{0x8000} + 4 * (random() % 5));
    (void)writer.profiler_backtrace(
        {.timestamp = time, .thread = {0, 7, 1 + time % 2}, .frames = frames});
  }
  return writer.text();
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_archives FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = words[1];
  bool written = true;
  const auto write = [&](const std::string& name, const std::string& archive) {
    std::ofstream file(folder / (name + ".fxt"), std::ios::binary);
    file << archive;
    file.close();
    written = written && file;
  };
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const std::vector<uint32_t> choices = choices_of(seed);
    const std::string number = std::to_string(seed);
    const SimulatedTrace trace = simulate(choices);
    write("kernel-" + number, archive_of(trace.records));
    write("losing-" + number, archive_of(with_loss(trace, seed, 50, 20).records));
    write("late-" + number, archive_of(without_beginning(trace, 40 * seed).records));
    write("locks-" + number, locking::LockingKernel(choices).archive());
    write("stacks-" + number, archive_of_stacks(seed));
    write("heap-" + number, archive_of_heap(seed, false));
    write("heap-losing-" + number, archive_of_heap(seed, true));
    write("samples-" + number, archive_of_samples(seed));
    write("interrupts-" + number, interrupted::InterruptedCpus(choices).archive());
  }
  write("begun-early", begun_early());
  write("everything", archive_of_everything());
  if (!written) std::fprintf(stderr, "cannot write to %s\n", folder.c_str());
  return written ? 0 : 1;
}
