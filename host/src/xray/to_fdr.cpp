// Each thread twice: to measure its block, and to write it.
#include <limits>
#include <set>
#include <vector>

#include <barefxt/host/convert_xray.h>

#include "xray_writer.h"

namespace barefxt::host {
namespace {

constexpr int32_t kMaxThreadsInVersion1 = std::numeric_limits<uint16_t>::max();

bool fits_version_1(int32_t thread) { return thread >= 0 && thread <= kMaxThreadsInVersion1; }

// In version 1 thread ids have 16 bits: others become the first numbers that are free.
std::vector<XrayThreadId> ids_of(const XrayLog& log, unsigned version, XrayChanges& changes) {
  std::vector<XrayThreadId> ids;
  std::set<int32_t> taken;
  for (const XrayLog::Thread& thread : log.threads()) {
    ids.push_back(thread.id);
    if (fits_version_1(thread.id.thread)) taken.insert(thread.id.thread);
  }
  if (version != 1) return ids;
  int32_t free = 1;
  for (XrayThreadId& id : ids) {
    if (fits_version_1(id.thread)) continue;
    while (!taken.insert(free).second) ++free;
    id.thread = free & kMaxThreadsInVersion1;
    ++changes.renumbered_threads;
  }
  return ids;
}

XrayRepairs write_block(const XrayLog& log, const XrayLog::Thread& thread,
                        const XrayWriter::Block& block, XrayWriter& writer) {
  XrayThreadReader::OpenCalls open(XrayThreadReader::kMaxOpen);
  XrayThreadReader reader(log, thread, open);
  writer.begin(block);
  while (const XrayRecord* record = reader.next()) {
    writer.record(*record);
    if (writer.failed()) break;
  }
  writer.end();
  return reader.repairs();
}

}  // namespace

Result<XrayChanges> xray_to_fdr(const XrayLog& log, unsigned version, ByteSink& sink) {
  XrayChanges changes;
  const std::vector<XrayThreadId> ids = ids_of(log, version, changes);
  std::vector<XrayWriter::Block> blocks;
  uint64_t largest = 0;
  for (const XrayLog::Thread& thread : log.threads()) {
    XrayWriter::Block block = {.thread = ids[blocks.size()],
                               .wall_clock = thread.wall_clock,
                               .cpu = thread.first_cpu,
                               .first_tsc = log.first_tsc(),
                               .bytes = 0};
    XrayWriter measuring(version);
    changes.repairs.add(write_block(log, thread, block, measuring));
    changes.left_out_events += measuring.left_out();
    block.bytes = measuring.block_bytes();
    largest = std::max(largest, (block.bytes + 7) / 8 * 8);
    blocks.push_back(block);
  }
  XrayHeader header = log.header();
  header.version = version;
  header.buffer_bytes = largest;
  XrayWriter writer(header, sink);
  for (size_t i = 0; i < blocks.size() && !writer.failed(); ++i)
    (void)write_block(log, log.threads()[i], blocks[i], writer);
  if (Status status = writer.flush(); !status.ok()) return status.error();
  return changes;
}

void XrayChanges::say(const std::function<void(const std::string&)>& say) const {
  const auto line = [&](uint64_t count, const std::string& one, const std::string& many,
                        const std::string& what) {
    if (count > 0) say(formatted("{} {}", counted(count, one, many), what));
  };
  line(repairs.orphan_exits, "exit", "exits", "without a call left out: the call began earlier");
  line(repairs.added_exits, "call", "calls", "without an exit ended with the call around");
  line(repairs.renamed_exits, "tail exit", "tail exits",
       "named after the function that leaves now");
  line(repairs.unfollowed_calls, "call", "calls",
       "nested too deeply to be checked, copied as they are");
  line(renumbered_threads, "thread id", "thread ids", "of more than 16 bits renumbered");
  line(nameless_functions, "call", "calls", "of functions without a name, called function#ID now");
  line(left_out_events, "event", "events", "left out: typed ones have no place before version 5");
  line(left_out_arguments, "argument", "arguments", "of calls with more than 15 left out");
}

}  // namespace barefxt::host
