// Samples for Perfetto: one of its `PerfSample` for each, and the stacks that these name, which
// stand ahead of all.
//
// A sample names its thread by numbers that are known when all of the archive is seen. So a sample
// waits as a piece of another form.
//
// Invariant: memory is bounded as a Profile's is. Stacks beyond are cut, and counted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <barefxt/host/convert.h>

#include "perfetto_tracks.h"
#include "sample_names.h"

namespace barefxt::host {

class PerfettoSamples {
 public:
  explicit PerfettoSamples(const ElfFile* program) : names_(program) {}

  // Ahead of writing each record.
  void see(const Record& record) { node_ = names_.see(record); }
  // A module of code: gives the image a name and a build id.
  void name_image(const ProfilerModule& module);
  // The sample that was seen last, at `time` of the thread with this entry. Nothing if its stack
  // had no room.
  std::optional<std::string> piece(uint64_t time, size_t thread) const;

  // Packets of all stacks.
  void write_stacks(ChangeCounts& changes, const std::function<void(std::string_view)>& write);

  static bool is_sample(std::string_view piece) { return piece.starts_with('\0'); }
  // The packet that a piece becomes.
  static std::string packet(std::string_view piece, const PerfettoTracks& tracks);

 private:
  SampleNames names_;
  std::optional<uint32_t> node_;
  bool has_one_image_ = true;
  std::string_view image_;
  std::string_view build_id_;
};

}  // namespace barefxt::host
