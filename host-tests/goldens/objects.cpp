// Blobs, userspace objects and kernel objects.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> objects_goldens() {
  using U = uint64_t;
  return {
      {"blobs and objects",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("o\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // type 5, name inline, payload of 3 bytes, type 1; then indexed, of nothing, of type 3
           W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16 | U{3} << 32 | U{1} << 48),
           S("b\0\0\0\0\0\0\0"),
           S("xyz\0\0\0\0\0"),
           W(U{5} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32 | U{3} << 48),
           // type 6: process inline (one word) and name inline; then both indexed; then unknown
           W(U{6} << 0 | U{4} << 4 | U{0} << 16 | U{0x8001} << 24, 16, 10),
           S("o\0\0\0\0\0\0\0"),
           W(U{6} << 0 | U{3} << 4 | U{1} << 16 | U{1} << 24 | U{1} << 40, 17),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16),
           W(U{6} << 0 | U{2} << 4 | U{9} << 16 | U{1} << 24, 18),
           // type 7: process 10, thread 11 of it, something of type 200 with an empty name
           W(U{7} << 0 | U{3} << 4 | U{1} << 16 | U{0x8003} << 24, 10),
           S("sys\0\0\0\0\0"),
           W(U{7} << 0 | U{6} << 4 | U{2} << 16 | U{0x8004} << 24 | U{1} << 40, 11),
           S("idle\0\0\0\0"),
           W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16),
           S("process\0"),
           W(10),
           W(U{7} << 0 | U{2} << 4 | U{200} << 16, 12),
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

      {"blobs of every type, in chunks",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("b\0\0\0\0\0\0\0"),
           // two chunks of one blob, its name once inline and once indexed; type 1 is data
           W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16 | U{8} << 32 | U{1} << 48),
           S("b\0\0\0\0\0\0\0"),
           S("eightful"),
           W(U{5} << 0 | U{3} << 4 | U{1} << 16 | U{9} << 32 | U{1} << 48),
           S("nine byte\0\0\0\0\0\0\0"),
           // type 2 is a last branch record, 3 a Perfetto protobuf, 255 nothing yet
           W(U{5} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32 | U{2} << 48),
           S("x\0\0\0\0\0\0\0"),
           W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16 | U{1} << 32 | U{3} << 48),
           S("p\0\0\0\0\0\0\0"),
           S("x\0\0\0\0\0\0\0"),
           W(U{5} << 0 | U{1} << 4 | U{0} << 16 | U{0} << 32 | U{255} << 48),
           // a name that was never registered, and a word more than needed
           W(U{5} << 0 | U{3} << 4 | U{9} << 16 | U{1} << 32 | U{1} << 48),
           S("x\0\0\0\0\0\0\0"),
           W(0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"b"}
{"offset":24,"record":"blob","name":"b","blob_type":1,"payload":"ZWlnaHRmdWw="}
{"offset":48,"record":"blob","name":"b","blob_type":1,"payload":"bmluZSBieXRl"}
{"offset":72,"record":"blob","name":"b","blob_type":2,"payload":"eA=="}
{"offset":88,"record":"blob","name":"p","blob_type":3,"payload":"eA=="}
{"offset":112,"record":"blob","name":"","blob_type":255,"payload":""}
{"offset":120,"record":"blob","name":null,"name_ref":9,"blob_type":1,"payload":"eA==","extra_words":1}
)"},

      {"objects and what refers to them",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("o\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // userspace object 16 of process 10 by thread 1, name inline, with a pointer to itself
           W(U{6} << 0 | U{5} << 4 | U{1} << 16 | U{0x8001} << 24 | U{1} << 40, 16),
           S("u\0\0\0\0\0\0\0"),
           W(U{7} << 0 | U{2} << 4 | U{1} << 16, 16),
           // kernel object of type 3, name indexed, with a koid of its own kind
           W(U{7} << 0 | U{4} << 4 | U{3} << 16 | U{1} << 24 | U{1} << 40, 77),
           W(U{8} << 0 | U{2} << 4 | U{1} << 16, 77),
           // an instant of thread 1 that refers to both
           W(U{4} << 0 | U{6} << 4 | U{0} << 16 | U{2} << 20 | U{1} << 24, 1),
           W(U{7} << 0 | U{2} << 4 | U{1} << 16, 16),
           W(U{8} << 0 | U{2} << 4 | U{1} << 16, 77),
           // names never registered; a word more than needed
           W(U{6} << 0 | U{4} << 4 | U{0} << 16 | U{9} << 24, 17, 10, 0xe),
           W(U{7} << 0 | U{3} << 4 | U{1} << 16 | U{9} << 24, 78, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"o"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"userspace_object","pointer":16,"process":10,"name":"u","args":[{"name":"o","type":"pointer","value":16}]}
{"offset":88,"record":"kernel_object","koid":77,"object_type":3,"name":"o","args":[{"name":"o","type":"koid","value":77}]}
{"offset":120,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[{"name":"o","type":"pointer","value":16},{"name":"o","type":"koid","value":77}]}
{"offset":168,"record":"userspace_object","pointer":17,"process":10,"name":null,"name_ref":9,"args":[],"extra_words":1}
{"offset":200,"record":"kernel_object","koid":78,"object_type":1,"name":null,"name_ref":9,"args":[],"extra_words":1}
)"},

      {"names that are arbitrary bytes",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{3} << 32),
           S("\xc3\xa9\xc3\0\0\0\0\0"),  // an e with an accent, and half a one
           W(U{7} << 0 | U{3} << 4 | U{1} << 16 | U{0x8008} << 24, 10),
           S("a\0b\xff\xfe\n\x80z"),
           W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24, 12),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"é�"}
{"offset":24,"record":"kernel_object","koid":10,"object_type":1,"name":"a\u0000b��\n�z","args":[]}
{"offset":48,"record":"kernel_object","koid":12,"object_type":1,"name":"é�","args":[]}
)"},
  };
}

}  // namespace barefxt::test
