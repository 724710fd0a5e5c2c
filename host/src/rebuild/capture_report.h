// Reports in words how a capture was rebuilt: what is in the archive, and what is missing from it.
//
// Invariant: the report is bounded. Of many places on one CPU it names the first few, and counts
// the rest.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <barefxt/host/rebuild.h>

#include "capture_merge.h"

namespace barefxt::host {

class CaptureReport final : public LossListener {
 public:
  void on_loss(const LossPlace& place) override;

  // Reports everything. Returns true if the archive holds all of the capture that was sent.
  bool say(const CaptureContent& capture, const ArchiveTables& tables, const CaptureMerge& merge,
           const Rebuild::Report& say) const;

 private:
  struct Sum {
    uint64_t places = 0;
    LostAmount amount;
    uint64_t from = 0;
    uint64_t to = 0;
    std::string first_places;
  };
  bool say_frames(const CaptureContent& capture, const Rebuild::Report& say) const;
  bool say_tables(const CaptureContent& capture, const ArchiveTables& tables,
                  const Rebuild::Report& say) const;
  bool say_clocks(const CaptureContent& capture, const Rebuild::Report& say) const;
  bool say_rings(const CaptureContent& capture, const Rebuild::Report& say) const;
  bool say_left_out(const CaptureMerge& merge, const Rebuild::Report& say) const;

  static void say_calls(const CaptureMerge& merge, const Rebuild::Report& say);

  std::map<std::pair<uint16_t, bool>, Sum> losses_;  // by CPU and whether on the line
};

}  // namespace barefxt::host
