#include "workload/every_record_probes.h"

void every_record_from_c(const every_record_threads* threads) { write_all(threads); }
