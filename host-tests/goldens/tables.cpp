// Metadata, initialization, strings and threads: what later records refer to.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> tables_goldens() {
  using U = uint64_t;
  return {
      {"metadata and tables",
       false,
       {
           W(kMagic),
           // type 0, size 2, provider info 1, id 7, name of 6 bytes
           W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{7} << 20 | U{6} << 52),
           S("kernel\0\0"),
           W(U{1} << 0 | U{2} << 4, 62'500'000),
           // string 1 of 5 bytes
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{5} << 32),
           S("sched\0\0\0"),
           // string 0x7fff of 8 bytes, thread 0xff
           W(U{2} << 0 | U{2} << 4 | U{0x7fff} << 16 | U{8} << 32),
           S("eightful"),
           W(U{3} << 0 | U{3} << 4 | U{0xff} << 16, 10, 11),
           // index 0 is ignored, the empty string tolerated
           W(U{2} << 0 | U{1} << 4),
           W(U{3} << 0 | U{3} << 4, 1, 2),
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

      {"providers keep their tables apart",
       false,
       {
           W(kMagic),
           // provider info 1 at 16, id 1 at 20, name of 1 byte at 52
           W(U{0} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 20 | U{1} << 52),
           S("a\0\0\0\0\0\0\0"),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("x\0\0\0\0\0\0\0"),
           // provider 2 without a name
           W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20 | U{0} << 52),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("y\0\0\0\0\0\0\0"),
           // a section of provider 1: string 1 is x again
           W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{1} << 20),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 32 | U{1} << 48, 1, 8, 9),
           // an event of provider 2 switches nothing
           W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{2} << 20 | U{0} << 52),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 32 | U{1} << 48, 2, 8, 9),
           W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{2} << 20),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 32 | U{1} << 48, 3, 8, 9),
           // provider 1 declared again starts anew
           W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 20),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 32 | U{1} << 48, 4, 8, 9),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"provider_info","provider":1,"name":"a"}
{"offset":24,"record":"string","provider":1,"index":1,"value":"x"}
{"offset":40,"record":"provider_info","provider":2,"name":""}
{"offset":48,"record":"string","provider":2,"index":1,"value":"y"}
{"offset":64,"record":"provider_section","provider":1}
{"offset":72,"record":"event","provider":1,"event":"instant","timestamp":1,"process":8,"thread":9,"category":"x","name":"x","args":[]}
{"offset":104,"record":"provider_event","provider":2,"event":"buffer_full"}
{"offset":112,"record":"event","provider":1,"event":"instant","timestamp":2,"process":8,"thread":9,"category":"x","name":"x","args":[]}
{"offset":144,"record":"provider_section","provider":2}
{"offset":152,"record":"event","provider":2,"event":"instant","timestamp":3,"process":8,"thread":9,"category":"y","name":"y","args":[]}
{"offset":184,"record":"provider_info","provider":1,"name":""}
{"offset":192,"record":"event","provider":1,"event":"instant","timestamp":4,"process":8,"thread":9,"category":null,"category_ref":1,"name":null,"name_ref":1,"args":[]}
)"},

      {"registrations replaced and ignored",
       false,
       {
           W(kMagic),
           // string 1 is a; string 2 is registered, and empty
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("a\0\0\0\0\0\0\0"),
           W(U{2} << 0 | U{1} << 4 | U{2} << 16 | U{0} << 32),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // thread 1, category 1, name 2
           W(U{4} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 24 | U{1} << 32 | U{2} << 48, 1),
           // string 1 becomes b, thread 1 becomes 20:21
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("b\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 20, 21),
           // string 0 and thread 0 with content: ignored, so category 0 is empty, thread 0 inline
           W(U{2} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 32),
           S("z\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{0} << 16, 30, 31),
           W(U{4} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 24 | U{0} << 32 | U{1} << 48, 2),
           W(U{4} << 0 | U{4} << 4 | U{0} << 16 | U{0} << 24 | U{0} << 32 | U{1} << 48, 3, 8, 9),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"a"}
{"offset":24,"record":"string","index":2,"value":""}
{"offset":32,"record":"thread","index":1,"process":10,"thread":11}
{"offset":56,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"a","name":"","args":[]}
{"offset":72,"record":"string","index":1,"value":"b"}
{"offset":88,"record":"thread","index":1,"process":20,"thread":21}
{"offset":112,"record":"string","index":0,"value":"z"}
{"offset":128,"record":"thread","index":0,"process":30,"thread":31}
{"offset":152,"record":"event","event":"instant","timestamp":2,"process":20,"thread":21,"category":"","name":"b","args":[]}
{"offset":168,"record":"event","event":"instant","timestamp":3,"process":8,"thread":9,"category":"","name":"b","args":[]}
)"},

      {"metadata and tables, longer than known",
       false,
       {
           W(kMagic),
           // each of them has one word (0xe) more than it needs
           W(U{0} << 0 | U{3} << 4 | U{1} << 16 | U{7} << 20 | U{1} << 52),
           S("p\0\0\0\0\0\0\0"),
           W(0xe),
           W(U{0} << 0 | U{2} << 4 | U{2} << 16 | U{7} << 20, 0xe),
           W(U{0} << 0 | U{2} << 4 | U{3} << 16 | U{7} << 20, 0xe),
           W(U{1} << 0 | U{3} << 4, 1000, 0xe),
           W(U{2} << 0 | U{3} << 4 | U{1} << 16 | U{1} << 32),
           S("s\0\0\0\0\0\0\0"),
           W(0xe),
           W(U{3} << 0 | U{4} << 4 | U{1} << 16, 10, 11, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"provider_info","provider":7,"name":"p","extra_words":1}
{"offset":32,"record":"provider_section","provider":7,"extra_words":1}
{"offset":48,"record":"provider_event","provider":7,"event":"buffer_full","extra_words":1}
{"offset":64,"record":"initialization","provider":7,"ticks_per_second":1000,"extra_words":1}
{"offset":88,"record":"string","provider":7,"index":1,"value":"s","extra_words":1}
{"offset":112,"record":"thread","provider":7,"index":1,"process":10,"thread":11,"extra_words":1}
)"},
  };
}

}  // namespace barefxt::test
