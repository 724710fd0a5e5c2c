// Everything that has a type no revision of the format knows.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> unknown_goldens() {
  using U = uint64_t;
  return {
      {"records that no revision knows",
       false,
       {
           W(kMagic),
           W(U{1} << 0 | U{2} << 4, 1000),
           // record types 11 to 14
           W(U{11} << 0 | U{1} << 4),
           W(U{12} << 0 | U{3} << 4, 1, 2),
           W(U{13} << 0 | U{1} << 4 | U{1} << 63),
           W(U{14} << 0 | U{1} << 4),
           // metadata 0, 5 and 15; trace info 1
           W(U{0} << 0 | U{1} << 4 | U{0} << 16),
           W(U{0} << 0 | U{1} << 4 | U{5} << 16),
           W(U{0} << 0 | U{1} << 4 | U{15} << 16),
           W(U{0} << 0 | U{1} << 4 | U{4} << 16 | U{1} << 20),
           // scheduling 3 and 15
           W(U{8} << 0 | U{1} << 4 | U{3} << 60),
           W(U{8} << 0 | U{1} << 4 | U{15} << 60),
           // profiler 3 and 15
           W(U{10} << 0 | U{1} << 4 | U{3} << 16),
           W(U{10} << 0 | U{1} << 4 | U{15} << 16),
           // large types 1 and 15; large blob formats 2 and 15
           W(U{15} << 0 | U{2} << 4 | U{1} << 36, 1),
           W(U{15} << 0 | U{1} << 4 | U{15} << 36),
           W(U{15} << 0 | U{1} << 4 | U{0} << 36 | U{2} << 40),
           W(U{15} << 0 | U{1} << 4 | U{0} << 36 | U{15} << 40),
           W(U{1} << 0 | U{2} << 4, 2000),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"initialization","ticks_per_second":1000}
{"offset":24,"record":"unknown","type":11,"words":1,"raw":"GwAAAAAAAAA="}
{"offset":32,"record":"unknown","type":12,"words":3,"raw":"PAAAAAAAAAABAAAAAAAAAAIAAAAAAAAA"}
{"offset":56,"record":"unknown","type":13,"words":1,"raw":"HQAAAAAAAIA="}
{"offset":64,"record":"unknown","type":14,"words":1,"raw":"HgAAAAAAAAA="}
{"offset":72,"record":"unknown","type":0,"subtype":0,"words":1,"raw":"EAAAAAAAAAA="}
{"offset":80,"record":"unknown","type":0,"subtype":5,"words":1,"raw":"EAAFAAAAAAA="}
{"offset":88,"record":"unknown","type":0,"subtype":15,"words":1,"raw":"EAAPAAAAAAA="}
{"offset":96,"record":"unknown","type":0,"subtype":4,"words":1,"raw":"EAAUAAAAAAA="}
{"offset":104,"record":"unknown","type":8,"subtype":3,"words":1,"raw":"GAAAAAAAADA="}
{"offset":112,"record":"unknown","type":8,"subtype":15,"words":1,"raw":"GAAAAAAAAPA="}
{"offset":120,"record":"unknown","type":10,"subtype":3,"words":1,"raw":"GgADAAAAAAA="}
{"offset":128,"record":"unknown","type":10,"subtype":15,"words":1,"raw":"GgAPAAAAAAA="}
{"offset":136,"record":"unknown","type":15,"subtype":1,"words":2,"raw":"LwAAABAAAAABAAAAAAAAAA=="}
{"offset":152,"record":"unknown","type":15,"subtype":15,"words":1,"raw":"HwAAAPAAAAA="}
{"offset":160,"record":"unknown","type":15,"subtype":0,"words":1,"raw":"HwAAAAACAAA="}
{"offset":168,"record":"unknown","type":15,"subtype":0,"words":1,"raw":"HwAAAAAPAAA="}
{"offset":176,"record":"initialization","ticks_per_second":2000}
)"},
  };
}

}  // namespace barefxt::test
