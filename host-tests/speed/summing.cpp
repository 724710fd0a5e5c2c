// Statistics.
#include <memory>

#include <barefxt/host/stats.h>

#include "../stats/busy_archive.h"
#include "measured.h"

namespace barefxt::test {

std::vector<Measured> measured_summing() {
  return {{"summing_up", "record", 990, [](Amount amount) {
             const BusyArchive archive(amount == Amount::kToCount ? 20'000 : 200'000);
             const auto source =
                 std::make_shared<host::Result<host::Source>>(host::Source::open(archive.path()));
             if (!source->ok()) return Work{[] {}, 0, 0};
             return Work{[=] { (void)host::collect_statistics(source->value(), host::Form{}); },
                         static_cast<double>(archive.records()),
                         static_cast<double>(source->value().bytes().size())};
           }}};
}

}  // namespace barefxt::test
