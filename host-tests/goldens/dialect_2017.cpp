// The 2017 dialect: other event types, no magic number, nothing newer.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> dialect_2017_goldens() {
  using U = uint64_t;
  return {
      {"the 2017 dialect",
       true,
       {
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // async begin is 4, flow end is 9, and 10 is nothing yet
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 1),
           W(U{4} << 0 | U{3} << 4 | U{4} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 2, 70),
           W(U{4} << 0 | U{3} << 4 | U{5} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 3, 71),
           W(U{4} << 0 | U{3} << 4 | U{6} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 4, 72),
           W(U{4} << 0 | U{3} << 4 | U{7} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 5, 73),
           W(U{4} << 0 | U{3} << 4 | U{8} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 6, 74),
           W(U{4} << 0 | U{3} << 4 | U{9} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 7, 75),
           W(U{8} << 0 | U{2} << 4 | U{3} << 16 | U{2} << 24 | U{1} << 28 | U{1} << 36, 8),
       },
       R"({"offset":0,"record":"string","index":1,"value":"c"}
{"offset":16,"record":"thread","index":1,"process":10,"thread":11}
{"offset":40,"record":"event","event":"duration_end","timestamp":1,"process":10,"thread":11,"category":"c","name":"c","args":[]}
{"offset":56,"record":"event","event":"async_begin","timestamp":2,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":70}
{"offset":80,"record":"event","event":"async_instant","timestamp":3,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":71}
{"offset":104,"record":"event","event":"async_end","timestamp":4,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":72}
{"offset":128,"record":"event","event":"flow_begin","timestamp":5,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":73}
{"offset":152,"record":"event","event":"flow_step","timestamp":6,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":74}
{"offset":176,"record":"event","event":"flow_end","timestamp":7,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":75}
{"offset":200,"record":"context_switch","timestamp":8,"cpu":3,"outgoing_state":"suspended","outgoing":{"process":10,"thread":11},"incoming":{"process":10,"thread":11},"outgoing_priority":0,"incoming_priority":0}
)"},

      {"the 2017 dialect, every other record",
       true,
       {
           // provider info of id 7, a section of it, initialization
           W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{7} << 20 | U{1} << 52),
           S("p\0\0\0\0\0\0\0"),
           W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{7} << 20),
           W(U{1} << 0 | U{2} << 4, 1000),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           // an instant with everything inline and three arguments; the newest type was the koid
           W(U{4} << 0 | U{10} << 4 | U{0} << 16 | U{3} << 20 | U{0x8001} << 32 | U{1} << 48, 1, 10,
             11),
           S("k\0\0\0\0\0\0\0"),
           W(U{1} << 0 | U{1} << 4 | U{1} << 16 | U{0xffffffff} << 32),
           W(U{6} << 0 | U{2} << 4 | U{1} << 16 | U{0x8001} << 32),
           S("v\0\0\0\0\0\0\0"),
           W(U{8} << 0 | U{2} << 4 | U{1} << 16, 10),
           // a counter
           W(U{4} << 0 | U{5} << 4 | U{1} << 16 | U{1} << 32 | U{1} << 48, 2, 10, 11, 70),
           // a blob, its size in all of 32 to 47; type 1 meant Catapult's JSON
           W(U{5} << 0 | U{2} << 4 | U{1} << 16 | U{2} << 32 | U{1} << 48),
           S("{}\0\0\0\0\0\0"),
           // a userspace object, a kernel object, a log
           W(U{6} << 0 | U{3} << 4 | U{0} << 16 | U{1} << 24, 16, 10),
           W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24, 10),
           W(U{9} << 0 | U{5} << 4 | U{2} << 16, 3, 10, 11),
           S("hi\0\0\0\0\0\0"),
           // a switch with both threads inline
           W(U{8} << 0 | U{6} << 4 | U{3} << 16 | U{3} << 24, 4, 10, 11, 10, 12),
       },
       R"({"offset":0,"record":"provider_info","provider":7,"name":"p"}
{"offset":16,"record":"provider_section","provider":7}
{"offset":24,"record":"initialization","provider":7,"ticks_per_second":1000}
{"offset":40,"record":"string","provider":7,"index":1,"value":"c"}
{"offset":56,"record":"event","provider":7,"event":"instant","timestamp":1,"process":10,"thread":11,"category":"k","name":"c","args":[{"name":"c","type":"int32","value":-1},{"name":"c","type":"string","value":"v"},{"name":"c","type":"koid","value":10}]}
{"offset":136,"record":"event","provider":7,"event":"counter","timestamp":2,"process":10,"thread":11,"category":"c","name":"c","args":[],"counter_id":70}
{"offset":176,"record":"blob","provider":7,"name":"c","blob_type":1,"payload":"e30="}
{"offset":192,"record":"userspace_object","provider":7,"pointer":16,"process":10,"name":"c","args":[]}
{"offset":216,"record":"kernel_object","provider":7,"koid":10,"object_type":1,"name":"c","args":[]}
{"offset":232,"record":"log","provider":7,"timestamp":3,"process":10,"thread":11,"message":"hi"}
{"offset":272,"record":"context_switch","provider":7,"timestamp":4,"cpu":3,"outgoing_state":"blocked","outgoing":{"process":10,"thread":11},"incoming":{"process":10,"thread":12},"outgoing_priority":0,"incoming_priority":0}
)"},
  };
}

}  // namespace barefxt::test
