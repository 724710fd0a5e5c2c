// The archives themselves: every record and argument type, inline and indexed, in both dialects.
#include "goldens.h"

#include <cstdlib>

namespace barefxt::test {
namespace {

std::string lay_out(const std::vector<Piece>& pieces, bool big) {
  std::string bytes;
  for (const Piece& piece : pieces) {
    if (!piece.is_word) {
      bytes += piece.stream;
      continue;
    }
    for (int i = 0; i < 8; ++i) {
      const int shift = big ? 56 - 8 * i : 8 * i;
      bytes += static_cast<char>(piece.word >> shift & 0xff);
    }
  }
  return bytes;
}

using U = std::uint64_t;

std::vector<Golden> make_goldens() {
  return {
      {"metadata and tables",
       false,
       {
           W(kMagic),
           // type 0, size 2, provider info 1, id 7, name of 6 bytes
           W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{7} << 20 | U{6} << 52),
           S("kernel\0\0"),
           W(U{1} << 0 | U{2} << 4),
           W(62'500'000),
           // string 1 of 5 bytes
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{5} << 32),
           S("sched\0\0\0"),
           // string 0x7fff of 8 bytes, thread 0xff
           W(U{2} << 0 | U{2} << 4 | U{0x7fff} << 16 | U{8} << 32),
           S("eightful"),
           W(U{3} << 0 | U{3} << 4 | U{0xff} << 16),
           W(10),
           W(11),
           // index 0 is ignored, the empty string tolerated
           W(U{2} << 0 | U{1} << 4),
           W(U{3} << 0 | U{3} << 4),
           W(1),
           W(2),
           // provider section of id 0xffffffff, provider events 0 and 3 of id 7
           W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{0xffffffff} << 20),
           W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{7} << 20),
           W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{7} << 20 | U{3} << 52),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"provider_info","provider":7,"name":"kernel"}
{"offset":24,"record":"initialization","provider":7,"ticks_per_second":62500000}
{"offset":40,"record":"string","provider":7,"index":1,"value":"sched"}
{"offset":56,"record":"string","provider":7,"index":32767,"value":"eightful"}
{"offset":72,"record":"thread","provider":7,"index":255,"process":10,"thread":11}
{"offset":96,"record":"string","provider":7,"index":0,"value":""}
{"offset":104,"record":"thread","provider":7,"index":0,"process":1,"thread":2}
{"offset":128,"record":"provider_section","provider":4294967295}
{"offset":136,"record":"provider_event","provider":7,"event":"buffer_full"}
{"offset":144,"record":"provider_event","provider":7,"event":3}
)"},

      {"events with everything inline",
       false,
       {
           W(kMagic),
           // type 4, size 6, instant 0, no argument, thread inline, category of 1, name of 2 bytes
           W(U{4} << 0 | U{6} << 4 | U{0} << 16 | U{0x8001} << 32 | U{0x8002} << 48),
           W(5),
           W(10),
           W(11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           // the same with a scope
           W(U{4} << 0 | U{7} << 4 | U{0} << 16 | U{0x8001} << 32 | U{0x8002} << 48),
           W(5),
           W(10),
           W(11),
           S("c\0\0\0\0\0\0\0"),
           S("ab\0\0\0\0\0\0"),
           W(2),
           // a duration complete from 5 to 9 with an int32 -4 and a null
           W(U{4} << 0 | U{11} << 4 | U{4} << 16 | U{2} << 20 | U{0x8001} << 32 | U{0x8002} << 48),
           W(5),
           W(10),
           W(11),
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
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(10),
           W(11),
           // type 4, size, event type at 16, thread 1 at 24, category 1 at 32, name 1 at 48
           W(U{4} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(1),
           W(U{4} << 0 | U{3} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(2),
           W(70),
           W(U{4} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(3),
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(4),
           W(U{4} << 0 | U{3} << 4 | U{4} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(5),
           W(71),
           W(U{4} << 0 | U{3} << 4 | U{5} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(6),
           W(72),
           W(U{4} << 0 | U{3} << 4 | U{6} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(7),
           W(73),
           W(U{4} << 0 | U{3} << 4 | U{7} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(8),
           W(74),
           W(U{4} << 0 | U{3} << 4 | U{8} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(9),
           W(75),
           W(U{4} << 0 | U{3} << 4 | U{9} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(10),
           W(76),
           W(U{4} << 0 | U{3} << 4 | U{10} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(11),
           W(~U{0}),
           // an event type without a name; a longer one than known; references to nothing
           W(U{4} << 0 | U{3} << 4 | U{15} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(12),
           W(77),
           W(U{4} << 0 | U{5} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(13),
           W(78),
           W(1),
           W(2),
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{9} << 24 | U{18} << 32 | U{17} << 48),
           W(14),
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

      {"every argument type",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("k\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(10),
           W(11),
           // an instant with 14 arguments named k
           W(U{4} << 0 | U{25} << 4 | U{0} << 16 | U{14} << 20 | U{1} << 24 | U{1} << 32 |
             U{1} << 48),
           W(1),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16),                        // null
           W(U{1} << 0 | U{1} << 4 | U{1} << 16 | U{0x80000000} << 32),  // int32
           W(U{2} << 0 | U{1} << 4 | U{1} << 16 | U{0xffffffff} << 32),  // uint32
           W(U{3} << 0 | U{2} << 4 | U{1} << 16),
           W(U{1} << 63),  // int64
           W(U{4} << 0 | U{2} << 4 | U{1} << 16),
           W(~U{0}),  // uint64
           W(U{5} << 0 | U{2} << 4 | U{1} << 16),
           W(0x3fb999999999999a),                               // double 0.1
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 32),  // string, indexed
           W(U{7} << 0 | U{2} << 4 | U{1} << 16),
           W(16),  // pointer
           W(U{8} << 0 | U{2} << 4 | U{1} << 16),
           W(10),                                               // koid
           W(U{9} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 32),  // bool, true
           W(U{9} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32),  // bool, false
           W(U{10} << 0 | U{2} << 4 | U{1} << 16 | U{3} << 32),
           S("xyz\0\0\0\0\0"),  // blob
           W(U{11} << 0 | U{2} << 4 | U{1} << 16),
           W(99),  // unknown
           W(U{1} << 0 | U{3} << 4 | U{1} << 16 | U{7} << 32),
           W(1),
           W(2),  // int32, longer
           // a string inline with a name inline, a string of nothing, one never registered
           W(U{4} << 0 | U{7} << 4 | U{0} << 16 | U{3} << 20 | U{1} << 24 | U{1} << 32 |
             U{1} << 48),
           W(2),
           W(U{6} << 0 | U{3} << 4 | U{0x8001} << 16 | U{0x8002} << 32),
           S("n\0\0\0\0\0\0\0"),
           S("v\xff\0\0\0\0\0\0"),
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32),
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{17} << 32),
           // doubles that are none, and one that is negative nothing
           W(U{4} << 0 | U{10} << 4 | U{0} << 16 | U{4} << 20 | U{1} << 24 | U{1} << 32 |
             U{1} << 48),
           W(3),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16),
           W(0x7ff8000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16),
           W(0x7ff0000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16),
           W(0xfff0000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16),
           W(0x8000000000000000),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"k"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"k","type":"null"},{"name":"k","type":"int32","value":-2147483648},{"name":"k","type":"uint32","value":4294967295},{"name":"k","type":"int64","value":-9223372036854775808},{"name":"k","type":"uint64","value":18446744073709551615},{"name":"k","type":"double","value":0.1},{"name":"k","type":"string","value":"k"},{"name":"k","type":"pointer","value":16},{"name":"k","type":"koid","value":10},{"name":"k","type":"bool","value":true},{"name":"k","type":"bool","value":false},{"name":"k","type":"blob","value":"eHl6"},{"name":"k","type":11},{"name":"k","type":"int32","value":7,"extra_words":2}]}
{"offset":248,"record":"event","event":"instant","timestamp":2,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"n","type":"string","value":"v�"},{"name":"k","type":"string","value":""},{"name":"k","type":"string","value":null,"value_ref":17}]}
{"offset":304,"record":"event","event":"instant","timestamp":3,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"k","type":"double","value":"nan"},{"name":"k","type":"double","value":"inf"},{"name":"k","type":"double","value":"-inf"},{"name":"k","type":"double","value":-0.0}]}
)"},

      {"blobs and objects",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("o\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(10),
           W(11),
           // type 5, name inline, payload of 3 bytes, type 1; then indexed, of nothing, of type 3
           W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16 | U{3} << 32 | U{1} << 48),
           S("b\0\0\0\0\0\0\0"),
           S("xyz\0\0\0\0\0"),
           W(U{5} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32 | U{3} << 48),
           // type 6: process inline (one word) and name inline; then both indexed; then unknown
           W(U{6} << 0 | U{4} << 4 | U{0} << 16 | U{0x8001} << 24),
           W(16),
           W(10),
           S("o\0\0\0\0\0\0\0"),
           W(U{6} << 0 | U{3} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 40),
           W(17),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16),
           W(U{6} << 0 | U{2} << 4 | U{9} << 16 | U{1} << 24),
           W(18),
           // type 7: process 10, thread 11 of it, something of type 200 with an empty name
           W(U{7} << 0 | U{3} << 4 | U{1} << 16 | U{0x8003} << 24),
           W(10),
           S("sys\0\0\0\0\0"),
           W(U{7} << 0 | U{6} << 4 | U{2} << 16 | U{0x8004} << 24 | U{1} << 40),
           W(11),
           S("idle\0\0\0\0"),
           W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
           S("process\0"),
           W(10),
           W(U{7} << 0 | U{2} << 4 | U{200} << 16),
           W(12),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"o"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"blob","name":"b","blob_type":1,"payload":"eHl6"}
{"offset":72,"record":"blob","name":"o","blob_type":3,"payload":""}
{"offset":80,"record":"userspace_object","pointer":16,"process":10,"name":"o","args":[]}
{"offset":112,"record":"userspace_object","pointer":17,"process":10,"name":"o","args":[{"name":"o","type":"null"}]}
{"offset":136,"record":"userspace_object","pointer":18,"process":null,"thread_ref":9,"name":"o","args":[]}
{"offset":152,"record":"kernel_object","koid":10,"object_type":1,"name":"sys","args":[]}
{"offset":176,"record":"kernel_object","koid":11,"object_type":2,"name":"idle","args":[{"name":"process","type":"koid","value":10}]}
{"offset":224,"record":"kernel_object","koid":12,"object_type":200,"name":"","args":[]}
)"},

      {"scheduling",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("w\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(10),
           W(11),
           // type 8 subtype 0: CPU 3, blocked 3, both inline, priorities 1 and 2
           W(U{8} << 0 | U{6} << 4 | U{3} << 16 | U{3} << 24 | U{1} << 44 | U{2} << 52),
           W(50),
           W(10),
           W(11),
           W(8),
           W(9),
           // outgoing indexed and incoming inline; then outgoing inline and incoming unregistered
           W(U{8} << 0 | U{4} << 4 | U{255} << 16 | U{5} << 24 | U{1} << 28),
           W(51),
           W(8),
           W(9),
           W(U{8} << 0 | U{4} << 4 | U{0} << 16 | U{9} << 24 | U{9} << 36 | U{255} << 44 |
             U{255} << 52),
           W(52),
           W(8),
           W(9),
           // subtype 1 at 60: one argument at 16, CPU 0xffff at 20, state 0 at 36
           W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{0xffff} << 20 | U{0} << 36 | U{1} << 60),
           W(53),
           W(11),
           W(9),
           W(U{1} << 0 | U{1} << 4 | U{1} << 16 | U{5} << 32),
           // subtype 2: CPU 3; subtype 5 is unknown
           W(U{8} << 0 | U{3} << 4 | U{0} << 16 | U{3} << 20 | U{2} << 60),
           W(54),
           W(11),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"w"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"context_switch","timestamp":50,"cpu":3,"outgoing_state":"blocked","outgoing":{"process":10,"thread":11},"incoming":{"process":8,"thread":9},"outgoing_priority":1,"incoming_priority":2}
{"offset":96,"record":"context_switch","timestamp":51,"cpu":255,"outgoing_state":"dead","outgoing":{"process":10,"thread":11},"incoming":{"process":8,"thread":9},"outgoing_priority":0,"incoming_priority":0}
{"offset":128,"record":"context_switch","timestamp":52,"cpu":0,"outgoing_state":9,"outgoing":{"process":8,"thread":9},"incoming":{"thread":null,"process":null,"thread_ref":9},"outgoing_priority":255,"incoming_priority":255}
{"offset":160,"record":"context_switch","timestamp":53,"cpu":65535,"outgoing_state":"new","outgoing":{"thread":11},"incoming":{"thread":9},"args":[{"name":"w","type":"int32","value":5}]}
{"offset":200,"record":"thread_wakeup","timestamp":54,"cpu":3,"thread":11,"args":[]}
)"},

      {"logs, large blobs and profiles",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(1),
           W(2),
           // type 9: message of 5 bytes, thread inline; then of none, thread 1 at 32
           W(U{9} << 0 | U{5} << 4 | U{5} << 16),
           W(60),
           W(10),
           W(11),
           S("hello\0\0\0"),
           W(U{9} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 32),
           W(61),
           // type 15 with a size of 32 bits: large type 0 at 36, format 0 at 40; category at 0,
           // name at 16, one argument at 32, thread 1 at 36
           W(U{15} << 0 | U{6} << 4 | U{0} << 36 | U{0} << 40),
           W(U{1} << 0 | U{1} << 16 | U{1} << 32 | U{1} << 36),
           W(1),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16),
           W(3),
           S("xyz\0\0\0\0\0"),
           // the same with everything inline
           W(U{15} << 0 | U{9} << 4 | U{0} << 36 | U{0} << 40),
           W(U{0x8001} << 0 | U{0x8001} << 16),
           S("C\0\0\0\0\0\0\0"),
           S("N\0\0\0\0\0\0\0"),
           W(1),
           W(10),
           W(11),
           W(8),
           S("12345678"),
           // format 1
           W(U{15} << 0 | U{4} << 4 | U{0} << 36 | U{1} << 40),
           W(U{1} << 0 | U{0x8001} << 16),
           S("n\0\0\0\0\0\0\0"),
           W(0),
           // type 10: module 5 at 28, name of 4 bytes at 44, build id of 2 bytes at 52
           W(U{10} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 20 | U{5} << 28 | U{4} << 44 |
             U{2} << 52),
           W(1),
           S("libc\0\0\0\0"),
           S("\xab\xcd\0\0\0\0\0\0"),
           // mmap: thread inline, flags 5 at 44
           W(U{10} << 0 | U{7} << 4 | U{1} << 16 | U{0} << 20 | U{5} << 28 | U{5} << 44),
           W(1),
           W(10),
           W(11),
           W(0),
           W(1),
           W(2),
           // backtrace of 3 at 28
           W(U{10} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 20 | U{3} << 28),
           W(1),
           W(1),
           W(2),
           W(3),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"c"}
{"offset":24,"record":"thread","index":1,"process":1,"thread":2}
{"offset":48,"record":"log","timestamp":60,"process":10,"thread":11,"message":"hello"}
{"offset":88,"record":"log","timestamp":61,"process":1,"thread":2,"message":""}
{"offset":104,"record":"large_blob","format":0,"category":"c","name":"c","timestamp":1,"process":1,"thread":2,"args":[{"name":"c","type":"null"}],"payload":"eHl6"}
{"offset":152,"record":"large_blob","format":0,"category":"C","name":"N","timestamp":1,"process":10,"thread":11,"args":[],"payload":"MTIzNDU2Nzg="}
{"offset":224,"record":"large_blob","format":1,"category":"c","name":"n","payload":""}
{"offset":256,"record":"profiler_module","timestamp":1,"process":1,"thread":2,"module":5,"name":"libc","build_id":"q80="}
{"offset":288,"record":"profiler_mmap","timestamp":1,"process":10,"thread":11,"module":5,"flags":5,"start":0,"range":1,"vaddr":2}
{"offset":344,"record":"profiler_backtrace","timestamp":1,"process":1,"thread":2,"frames":[1,2,3]}
)"},

      {"the 2017 dialect",
       true,
       {
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16),
           W(10),
           W(11),
           // async begin is 4, flow end is 9, and 10 is nothing yet
           W(U{4} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(1),
           W(U{4} << 0 | U{3} << 4 | U{4} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(2),
           W(70),
           W(U{4} << 0 | U{3} << 4 | U{5} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(3),
           W(71),
           W(U{4} << 0 | U{3} << 4 | U{6} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(4),
           W(72),
           W(U{4} << 0 | U{3} << 4 | U{7} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(5),
           W(73),
           W(U{4} << 0 | U{3} << 4 | U{8} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(6),
           W(74),
           W(U{4} << 0 | U{3} << 4 | U{9} << 16 | U{1} << 24 | U{1} << 32 | U{1} << 48),
           W(7),
           W(75),
           W(U{8} << 0 | U{2} << 4 | U{3} << 16 | U{2} << 24 | U{1} << 28 | U{1} << 36),
           W(8),
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
  };
}

}  // namespace

std::string little_endian(const std::vector<Piece>& pieces) { return lay_out(pieces, false); }
std::string big_endian(const std::vector<Piece>& pieces) { return lay_out(pieces, true); }

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = make_goldens();
  return all;
}

const Golden& golden(std::string_view name) {
  for (const Golden& one : goldens()) {
    if (one.name == name) return one;
  }
  std::abort();
}

}  // namespace barefxt::test
