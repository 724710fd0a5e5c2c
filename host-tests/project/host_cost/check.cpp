// Measures what records cost on this machine, prints every figure, and compares with limits those
// that do not depend on the compiler's version. The status is 0 if all are kept.
#include <cstdio>

#include "costs.h"

namespace {

bool all_right = true;

void say(const char* what, double measured, bool right) {
  std::printf("%s %.3f%s\n", what, measured, right ? "" : " FAILED");
  all_right = all_right && right;
}

// Other programs on this machine affect this; host_cost.sh names the figures that they do not
// affect.
void report_speed(const char* what, double kept) {
  if (kept < 0)
    std::printf("%s: not measured, the cores were never free at one time\n", what);
  else
    say(what, kept, true);
}

void count(const char* record, sites::Site with, sites::Site without) {
  const double counted = instructions(with, without);
  say(record, counted, counted >= 0);
}

}  // namespace

// host_cost [time]: counts, or measures times as well.
int main(int arguments, char**) {
  count("context_switch", sites::context_switch, sites::threads);
  count("instant", sites::instant, sites::nothing);
  count("disabled_probe", sites::disabled_probe, sites::nothing);
  if (arguments < 2) return all_right ? 0 : 1;
  const double floors = time_over_floor();
  say("time of a switch, in bare floors", floors, floors <= 1.5);
  report_speed("speed kept by bare floors on all cores", speed_kept_by_floors());
  report_speed("speed kept by writers on all cores", speed_kept_by_writers());
  return all_right ? 0 : 1;
}
