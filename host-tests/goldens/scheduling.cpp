// Scheduling records: the context switch of old, and the newer switch and wakeup.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> scheduling_goldens() {
  using U = uint64_t;
  return {
      {"scheduling",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("w\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // type 8 subtype 0: CPU 3, blocked 3, both inline, priorities 1 and 2
           W(U{8} << 0 | U{6} << 4 | U{3} << 16 | U{3} << 24 | U{1} << 44 | U{2} << 52, 50, 10, 11,
             8, 9),
           // outgoing indexed and incoming inline; then outgoing inline and incoming unregistered
           W(U{8} << 0 | U{4} << 4 | U{255} << 16 | U{5} << 24 | U{1} << 28, 51, 8, 9),
           W(U{8} << 0 | U{4} << 4 | U{0} << 16 | U{9} << 24 | U{9} << 36 | U{255} << 44 |
                 U{255} << 52,
             52, 8, 9),
           // subtype 1 at 60: one argument at 16, CPU 0xffff at 20, state 0 at 36
           W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{0xffff} << 20 | U{0} << 36 | U{1} << 60, 53, 11,
             9),
           W(U{1} << 0 | U{1} << 4 | U{1} << 16 | U{5} << 32),
           // subtype 2: CPU 3; subtype 5 is unknown
           W(U{8} << 0 | U{3} << 4 | U{0} << 16 | U{3} << 20 | U{2} << 60, 54, 11),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"w"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"context_switch","timestamp":50,"cpu":3,"outgoing_state":"blocked","outgoing":{"process":10,"thread":11},"incoming":{"process":8,"thread":9},"outgoing_priority":1,"incoming_priority":2}
{"offset":96,"record":"context_switch","timestamp":51,"cpu":255,"outgoing_state":"dead","outgoing":{"process":10,"thread":11},"incoming":{"process":8,"thread":9},"outgoing_priority":0,"incoming_priority":0}
{"offset":128,"record":"context_switch","timestamp":52,"cpu":0,"outgoing_state":9,"outgoing":{"process":8,"thread":9},"incoming":{"thread":null,"process":null,"thread_ref":9},"outgoing_priority":255,"incoming_priority":255}
{"offset":160,"record":"context_switch","timestamp":53,"cpu":65535,"outgoing_state":"runnable","outgoing":{"thread":11},"incoming":{"thread":9},"args":[{"name":"w","type":"int32","value":5}]}
{"offset":200,"record":"thread_wakeup","timestamp":54,"cpu":3,"thread":11,"args":[]}
)"},

      {"legacy switches, every state and every kind of reference",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           W(U{3} << 0 | U{3} << 4 | U{2} << 16, 10, 12),
           // CPU at 16, state at 24, outgoing at 28, incoming at 36, priorities at 44 and 52
           W(U{8} << 0 | U{2} << 4 | U{1} << 16 | U{0} << 24 | U{1} << 28 | U{2} << 36 |
                 U{3} << 44 | U{4} << 52,
             50),
           W(U{8} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24 | U{2} << 28 | U{1} << 36, 51),
           W(U{8} << 0 | U{4} << 4 | U{1} << 16 | U{2} << 24 | U{0} << 28 | U{2} << 36, 52, 10, 11),
           W(U{8} << 0 | U{2} << 4 | U{1} << 16 | U{4} << 24 | U{7} << 28 | U{2} << 36, 53),
           // a word more than needed
           W(U{8} << 0 | U{3} << 4 | U{1} << 16 | U{3} << 24 | U{1} << 28 | U{2} << 36, 54, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"thread","index":2,"process":10,"thread":12}
{"offset":56,"record":"context_switch","timestamp":50,"cpu":1,"outgoing_state":"runnable","outgoing":{"process":10,"thread":11},"incoming":{"process":10,"thread":12},"outgoing_priority":3,"incoming_priority":4}
{"offset":72,"record":"context_switch","timestamp":51,"cpu":1,"outgoing_state":"running","outgoing":{"process":10,"thread":12},"incoming":{"process":10,"thread":11},"outgoing_priority":0,"incoming_priority":0}
{"offset":88,"record":"context_switch","timestamp":52,"cpu":1,"outgoing_state":"suspended","outgoing":{"process":10,"thread":11},"incoming":{"process":10,"thread":12},"outgoing_priority":0,"incoming_priority":0}
{"offset":120,"record":"context_switch","timestamp":53,"cpu":1,"outgoing_state":"dying","outgoing":{"thread":null,"process":null,"thread_ref":7},"incoming":{"process":10,"thread":12},"outgoing_priority":0,"incoming_priority":0}
{"offset":136,"record":"context_switch","timestamp":54,"cpu":1,"outgoing_state":"blocked","outgoing":{"process":10,"thread":11},"incoming":{"process":10,"thread":12},"outgoing_priority":0,"incoming_priority":0,"extra_words":1}
)"},

      {"switches and wakeups with weights",
       false,
       {
           W(kMagic),
           // subtype 1 at 60: two arguments at 16, CPU 300 at 20, state 5 at 36
           W(U{8} << 0 | U{11} << 4 | U{2} << 16 | U{300} << 20 | U{5} << 36 | U{1} << 60, 50, 11,
             12),
           W(U{1} << 0 | U{3} << 4 | U{0x800f} << 16 | U{0x80000000} << 32),
           S("outgoing_weight\0"),
           W(U{1} << 0 | U{3} << 4 | U{0x800f} << 16 | U{3} << 32),
           S("incoming_weight\0"),
           W(0xe),
           // subtype 2: two arguments at 16, CPU 1 at 20; a word more than needed
           W(U{8} << 0 | U{9} << 4 | U{2} << 16 | U{1} << 20 | U{2} << 60, 51, 13),
           W(U{1} << 0 | U{2} << 4 | U{0x8006} << 16 | U{3} << 32),
           S("weight\0\0"),
           W(U{8} << 0 | U{3} << 4 | U{0x8005} << 16),
           S("waker\0\0\0"),
           W(12, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"context_switch","timestamp":50,"cpu":300,"outgoing_state":"dead","outgoing":{"thread":11},"incoming":{"thread":12},"args":[{"name":"outgoing_weight","type":"int32","value":-2147483648},{"name":"incoming_weight","type":"int32","value":3}],"extra_words":1}
{"offset":96,"record":"thread_wakeup","timestamp":51,"cpu":1,"thread":13,"args":[{"name":"weight","type":"int32","value":3},{"name":"waker","type":"koid","value":12}],"extra_words":1}
)"},
  };
}

}  // namespace barefxt::test
