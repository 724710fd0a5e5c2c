// Event records: every type, inline and indexed, short, long and unknown.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> events_goldens() {
  using U = uint64_t;
  return {
      {"events with everything inline",
       false,
       {
           W(kMagic),
           // type 4, size 6, instant 0, no argument, thread inline, category of 1, name of 2 bytes
           W(U{4} << 0 | U{6} << 4 | U{0} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 5, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           // the same with a scope
           W(U{4} << 0 | U{7} << 4 | U{0} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 5, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(2),
           // a duration complete from 5 to 9 with an int32 -4 and a null
           W(U{4} << 0 | U{11} << 4 | U{4} << 16 | U{2} << 20 | U{0x8001} << 32 | U{0x8002} << 48,
             5, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(U{1} << 0 | U{2} << 4 | U{0x8001} << 16 | U{0xfffffffc} << 32),
           S("n\0\0\0\0\0\0\0"),
           W(U{0} << 0 | U{2} << 4 | U{0x8001} << 16),
           S("x\0\0\0\0\0\0\0"),
           W(9),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"event","event":"instant","timestamp":5,"process":10,"thread":11,"category":"c","name":"ab","args":[]}
{"offset":56,"record":"event","event":"instant","timestamp":5,"process":10,"thread":11,"category":"c","name":"ab","args":[],"scope":2}
{"offset":112,"record":"event","event":"duration_complete","timestamp":5,"process":10,"thread":11,"category":"c","name":"ab","args":[{"name":"n","type":"int32","value":-4},{"name":"x","type":"null"}],"end_timestamp":9}
)"},

      {"every event type, indexed",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // type 4, size, event type at 16, thread 1 at 24, category 1 at 32, name 1 at 48
           W(U{4} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 1),
           W(U{4} << 0 | U{3} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 2, 70),
           W(U{4} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 3),
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 4),
           W(U{4} << 0 | U{3} << 4 | U{4} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 5, 71),
           W(U{4} << 0 | U{3} << 4 | U{5} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 6, 72),
           W(U{4} << 0 | U{3} << 4 | U{6} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 7, 73),
           W(U{4} << 0 | U{3} << 4 | U{7} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 8, 74),
           W(U{4} << 0 | U{3} << 4 | U{8} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 9, 75),
           W(U{4} << 0 | U{3} << 4 | U{9} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 10, 76),
           W(U{4} << 0 | U{3} << 4 | U{10} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 11, ~U{0}),
           // an event type without a name; a longer one than known; references to nothing
           W(U{4} << 0 | U{3} << 4 | U{15} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 12, 77),
           W(U{4} << 0 | U{5} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48, 13, 78, 1,
             2),
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{9} << 24 | U{18} << 32 | U{17} << 48, 14),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"c"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"c","name":"c","args":[]}
{"offset":64,"record":"event","event":"counter","timestamp":2,"process":10,"thread":11,"category":"c","name":"c","args":[],"counter_id":70}
{"offset":88,"record":"event","event":"duration_begin","timestamp":3,"process":10,"thread":11,"category":"c","name":"c","args":[]}
{"offset":104,"record":"event","event":"duration_end","timestamp":4,"process":10,"thread":11,"category":"c","name":"c","args":[]}
{"offset":120,"record":"event","event":"duration_complete","timestamp":5,"process":10,"thread":11,"category":"c","name":"c","args":[],"end_timestamp":71}
{"offset":144,"record":"event","event":"async_begin","timestamp":6,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":72}
{"offset":168,"record":"event","event":"async_instant","timestamp":7,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":73}
{"offset":192,"record":"event","event":"async_end","timestamp":8,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":74}
{"offset":216,"record":"event","event":"flow_begin","timestamp":9,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":75}
{"offset":240,"record":"event","event":"flow_step","timestamp":10,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":76}
{"offset":264,"record":"event","event":"flow_end","timestamp":11,"process":10,"thread":11,"category":"c","name":"c","args":[],"correlation_id":18446744073709551615}
{"offset":288,"record":"event","event":15,"timestamp":12,"process":10,"thread":11,"category":"c","name":"c","args":[],"extra_words":1}
{"offset":312,"record":"event","event":"counter","timestamp":13,"process":10,"thread":11,"category":"c","name":"c","args":[],"counter_id":78,"extra_words":2}
{"offset":352,"record":"event","event":"duration_end","timestamp":14,"thread":null,"process":null,"thread_ref":9,"category":null,"category_ref":18,"name":null,"name_ref":17,"args":[]}
)"},

      {"durations and counters, everything inline",
       false,
       {
           W(kMagic),
           // type 4, size, event type at 16, one argument at 20, category of 1 byte, name of 2
           // bytes counter 1: trailing word is its id
           W(U{4} << 0 | U{9} << 4 | U{1} << 16 | U{1} << 20 | U{0x8001} << 32 | U{0x8002} << 48, 1,
             10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(U{2} << 0 | U{2} << 4 | U{0x8001} << 16 | U{7} << 32),
           S("n\0\0\0\0\0\0\0"),
           W(70),
           // duration begin 2, no trailing word
           W(U{4} << 0 | U{8} << 4 | U{2} << 16 | U{1} << 20 | U{0x8001} << 32 | U{0x8002} << 48, 2,
             10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(U{9} << 0 | U{2} << 4 | U{0x8001} << 16 | U{1} << 32),
           S("n\0\0\0\0\0\0\0"),
           // duration end 3, no trailing word
           W(U{4} << 0 | U{6} << 4 | U{3} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 3, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"event","event":"counter","timestamp":1,"process":10,"thread":11,"category":"c","name":"ab","args":[{"name":"n","type":"uint32","value":7}],"counter_id":70}
{"offset":80,"record":"event","event":"duration_begin","timestamp":2,"process":10,"thread":11,"category":"c","name":"ab","args":[{"name":"n","type":"bool","value":true}]}
{"offset":144,"record":"event","event":"duration_end","timestamp":3,"process":10,"thread":11,"category":"c","name":"ab","args":[]}
)"},

      {"async events, everything inline",
       false,
       {
           W(kMagic),
           // async begin 5, instant 6, end 7
           W(U{4} << 0 | U{9} << 4 | U{5} << 16 | U{1} << 20 | U{0x8001} << 32 | U{0x8002} << 48, 1,
             10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(U{0} << 0 | U{2} << 4 | U{0x8001} << 16),
           S("n\0\0\0\0\0\0\0"),
           W(70),
           W(U{4} << 0 | U{7} << 4 | U{6} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 2, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(71),
           W(U{4} << 0 | U{7} << 4 | U{7} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 3, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(72),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"event","event":"async_begin","timestamp":1,"process":10,"thread":11,"category":"c","name":"ab","args":[{"name":"n","type":"null"}],"correlation_id":70}
{"offset":80,"record":"event","event":"async_instant","timestamp":2,"process":10,"thread":11,"category":"c","name":"ab","args":[],"correlation_id":71}
{"offset":136,"record":"event","event":"async_end","timestamp":3,"process":10,"thread":11,"category":"c","name":"ab","args":[],"correlation_id":72}
)"},

      {"flow events, everything inline",
       false,
       {
           W(kMagic),
           // flow begin 8, step 9, end 10
           W(U{4} << 0 | U{7} << 4 | U{8} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 1, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(70),
           W(U{4} << 0 | U{7} << 4 | U{9} << 16 | U{0x8001} << 32 | U{0x8002} << 48, 2, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(71),
           W(U{4} << 0 | U{9} << 4 | U{10} << 16 | U{1} << 20 | U{0x8001} << 32 | U{0x8002} << 48,
             3, 10, 11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(U{0} << 0 | U{2} << 4 | U{0x8001} << 16),
           S("n\0\0\0\0\0\0\0"),
           W(72),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"event","event":"flow_begin","timestamp":1,"process":10,"thread":11,"category":"c","name":"ab","args":[],"correlation_id":70}
{"offset":64,"record":"event","event":"flow_step","timestamp":2,"process":10,"thread":11,"category":"c","name":"ab","args":[],"correlation_id":71}
{"offset":120,"record":"event","event":"flow_end","timestamp":3,"process":10,"thread":11,"category":"c","name":"ab","args":[{"name":"n","type":"null"}],"correlation_id":72}
)"},

      {"instants with a scope, and with more",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // the one word that Fuchsia's userspace writer appends: 0 thread, 1 process, 2 global
           W(U{4} << 0 | U{3} << 4 | U{0} << 16 | U{1} << 24, 1, 0),
           W(U{4} << 0 | U{3} << 4 | U{0} << 16 | U{1} << 24, 2, 1),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 20 | U{1} << 24, 3),
           W(U{0} << 0 | U{1} << 4, 2),
           // as its kernel writer writes it: no word
           W(U{4} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 24, 4),
           // two words are no scope
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 24, 5, 1, 2),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[],"scope":0}
{"offset":56,"record":"event","event":"instant","timestamp":2,"process":10,"thread":11,"category":"","name":"","args":[],"scope":1}
{"offset":80,"record":"event","event":"instant","timestamp":3,"process":10,"thread":11,"category":"","name":"","args":[{"name":"","type":"null"}],"scope":2}
{"offset":112,"record":"event","event":"instant","timestamp":4,"process":10,"thread":11,"category":"","name":"","args":[]}
{"offset":128,"record":"event","event":"instant","timestamp":5,"process":10,"thread":11,"category":"","name":"","args":[],"extra_words":2}
)"},

      {"events that mix inline and indexed",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // thread inline, category 1, name of 8 bytes inline without padding
           W(U{4} << 0 | U{5} << 4 | U{2} << 16 | U{0} << 24 | U{1} << 32 | U{0x8008} << 48, 1, 8,
             9),
           S("eightful"),
           // thread 1, category of 9 bytes inline, name 1
           W(U{4} << 0 | U{4} << 4 | U{3} << 16 | U{1} << 24 | U{0x8009} << 32 | U{1} << 48, 2),
           S("nine byte\0\0\0\0\0\0\0"),
           // thread inline, category empty, name inline of no byte
           W(U{4} << 0 | U{5} << 4 | U{4} << 16 | U{0} << 24 | U{0} << 32 | U{0x8000} << 48, 3, 8,
             9, 4),
           // thread never registered, category inline, name never registered
           W(U{4} << 0 | U{4} << 4 | U{8} << 16 | U{255} << 24 | U{0x8001} << 32 | U{0x7fff} << 48,
             5),
           S("k\0\0\0\0\0\0\0"),
           W(6),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"c"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"event","event":"duration_begin","timestamp":1,"process":8,"thread":9,"category":"c","name":"eightful","args":[]}
{"offset":88,"record":"event","event":"duration_end","timestamp":2,"process":10,"thread":11,"category":"nine byte","name":"c","args":[]}
{"offset":120,"record":"event","event":"duration_complete","timestamp":3,"process":8,"thread":9,"category":"","name":"","args":[],"end_timestamp":4}
{"offset":160,"record":"event","event":"flow_begin","timestamp":5,"thread":null,"process":null,"thread_ref":255,"category":"k","name":null,"name_ref":32767,"args":[],"correlation_id":6}
)"},

      {"events longer than known",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           W(U{4} << 0 | U{3} << 4 | U{2} << 16 | U{1} << 24, 1, 0xe),
           W(U{4} << 0 | U{3} << 4 | U{3} << 16 | U{1} << 24, 2, 0xe),
           W(U{4} << 0 | U{4} << 4 | U{4} << 16 | U{1} << 24, 3, 9, 0xe),
           W(U{4} << 0 | U{4} << 4 | U{5} << 16 | U{1} << 24, 4, 70, 0xe),
           W(U{4} << 0 | U{4} << 4 | U{10} << 16 | U{1} << 24, 5, 71, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"event","event":"duration_begin","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[],"extra_words":1}
{"offset":56,"record":"event","event":"duration_end","timestamp":2,"process":10,"thread":11,"category":"","name":"","args":[],"extra_words":1}
{"offset":80,"record":"event","event":"duration_complete","timestamp":3,"process":10,"thread":11,"category":"","name":"","args":[],"end_timestamp":9,"extra_words":1}
{"offset":112,"record":"event","event":"async_begin","timestamp":4,"process":10,"thread":11,"category":"","name":"","args":[],"correlation_id":70,"extra_words":1}
{"offset":144,"record":"event","event":"flow_end","timestamp":5,"process":10,"thread":11,"category":"","name":"","args":[],"correlation_id":71,"extra_words":1}
)"},

      {"event types that no revision knows",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           W(U{4} << 0 | U{2} << 4 | U{11} << 16 | U{1} << 24, 1),
           W(U{4} << 0 | U{3} << 4 | U{12} << 16 | U{1} << 20 | U{1} << 24, 2),
           W(U{0} << 0 | U{1} << 4),
           W(U{4} << 0 | U{3} << 4 | U{13} << 16 | U{1} << 24, 3, 1),
           W(U{4} << 0 | U{4} << 4 | U{14} << 16 | U{1} << 24, 4, 1, 2),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"event","event":11,"timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[]}
{"offset":48,"record":"event","event":12,"timestamp":2,"process":10,"thread":11,"category":"","name":"","args":[{"name":"","type":"null"}]}
{"offset":72,"record":"event","event":13,"timestamp":3,"process":10,"thread":11,"category":"","name":"","args":[],"extra_words":1}
{"offset":96,"record":"event","event":14,"timestamp":4,"process":10,"thread":11,"category":"","name":"","args":[],"extra_words":2}
)"},
  };
}

}  // namespace barefxt::test
