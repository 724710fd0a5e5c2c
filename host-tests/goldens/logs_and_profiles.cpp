// Logs, large blobs and profiler records.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> logs_and_profiles_goldens() {
  using U = uint64_t;
  return {
      {"logs, large blobs and profiles",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 1, 2),
           // type 9: message of 5 bytes, thread inline; then of none, thread 1 at 32
           W(U{9} << 0 | U{5} << 4 | U{5} << 16, 60, 10, 11),
           S("hello\0\0\0"),
           W(U{9} << 0 | U{2} << 4 | U{0} << 16 | U{1} << 32, 61),
           // type 15 with a size of 32 bits: large type 0 at 36, format 0 at 40; category at 0,
           // name at 16, one argument at 32, thread 1 at 36
           W(U{15} << 0 | U{6} << 4 | U{0} << 36 | U{0} << 40),
           W(U{1} << 0 | U{1} << 16 | U{1} << 32 | U{1} << 36, 1),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16, 3),
           S("xyz\0\0\0\0\0"),
           // the same with everything inline
           W(U{15} << 0 | U{9} << 4 | U{0} << 36 | U{0} << 40),
           W(U{0x8001} << 0 | U{0x8001} << 16),
           S("C\0\0\0\0\0\0\0"),
           S("N\0\0\0\0\0\0\0"),
           W(1, 10, 11, 8),
           S("12345678"),
           // format 1
           W(U{15} << 0 | U{4} << 4 | U{0} << 36 | U{1} << 40),
           W(U{1} << 0 | U{0x8001} << 16),
           S("n\0\0\0\0\0\0\0"),
           W(0),
           // type 10: module 5 at 28, name of 4 bytes at 44, build id of 2 bytes at 52
           W(U{10} << 0 | U{4} << 4 | U{0} << 16 | U{1} << 20 | U{5} << 28 | U{4} << 44 |
                 U{2} << 52,
             1),
           S("libc\0\0\0\0"),
           S("\xab\xcd\0\0\0\0\0\0"),
           // mmap: thread inline, flags 5 at 44
           W(U{10} << 0 | U{7} << 4 | U{1} << 16 | U{0} << 20 | U{5} << 28 | U{5} << 44, 1, 10, 11,
             0, 1, 2),
           // backtrace of 3 at 28
           W(U{10} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 20 | U{3} << 28, 1, 1, 2, 3),
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

      {"logs and large blobs, unregistered and longer than known",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 1, 2),
           // a log of a thread that was never registered, with a word more than needed
           W(U{9} << 0 | U{4} << 4 | U{8} << 16 | U{9} << 32, 60),
           S("eightful"),
           W(0xe),
           // format 0: category and name never registered, thread never registered, no payload
           W(U{15} << 0 | U{4} << 4 | U{0} << 36 | U{0} << 40),
           W(U{17} << 0 | U{18} << 16 | U{9} << 36, 61, 0),
           // format 0: an argument with its name inline, thread 1, a word more than needed
           W(U{15} << 0 | U{9} << 4 | U{0} << 36 | U{0} << 40),
           W(U{0} << 0 | U{0x8001} << 16 | U{1} << 32 | U{1} << 36),
           S("n\0\0\0\0\0\0\0"),
           W(62),
           W(U{2} << 0 | U{2} << 4 | U{0x8001} << 16 | U{5} << 32),
           S("a\0\0\0\0\0\0\0"),
           W(1),
           S("x\0\0\0\0\0\0\0"),
           W(0xe),
           // format 1: both inline, a payload of 9 bytes, a word more than needed
           W(U{15} << 0 | U{8} << 4 | U{0} << 36 | U{1} << 40),
           W(U{0x8001} << 0 | U{0x8001} << 16),
           S("C\0\0\0\0\0\0\0"),
           S("N\0\0\0\0\0\0\0"),
           W(9),
           S("nine byte\0\0\0\0\0\0\0"),
           W(0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":1,"thread":2}
{"offset":32,"record":"log","timestamp":60,"thread":null,"process":null,"thread_ref":9,"message":"eightful","extra_words":1}
{"offset":64,"record":"large_blob","format":0,"category":null,"category_ref":17,"name":null,"name_ref":18,"timestamp":61,"thread":null,"process":null,"thread_ref":9,"args":[],"payload":""}
{"offset":96,"record":"large_blob","format":0,"category":"","name":"n","timestamp":62,"process":1,"thread":2,"args":[{"name":"a","type":"uint32","value":5}],"payload":"eA==","extra_words":1}
{"offset":168,"record":"large_blob","format":1,"category":"C","name":"N","payload":"bmluZSBieXRl","extra_words":1}
)"},

      {"profiles, the other kinds of reference",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 1, 2),
           // module 0xffff, thread inline, name of 8 bytes, no build id, a word more than needed
           W(U{10} << 0 | U{6} << 4 | U{0} << 16 | U{0} << 20 | U{0xffff} << 28 | U{8} << 44 |
                 U{0} << 52,
             1, 10, 11),
           S("eightful"),
           W(0xe),
           // mmap of thread 1, flags 7
           W(U{10} << 0 | U{6} << 4 | U{1} << 16 | U{1} << 20 | U{0} << 28 | U{7} << 44, 2, ~U{0},
             4096, 8, 0xe),
           // a backtrace of nothing, thread inline; one of a thread never registered
           W(U{10} << 0 | U{4} << 4 | U{2} << 16 | U{0} << 20 | U{0} << 28, 3, 10, 11),
           W(U{10} << 0 | U{4} << 4 | U{2} << 16 | U{9} << 20 | U{1} << 28, 4, 5, 0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":1,"thread":2}
{"offset":32,"record":"profiler_module","timestamp":1,"process":10,"thread":11,"module":65535,"name":"eightful","build_id":"","extra_words":1}
{"offset":80,"record":"profiler_mmap","timestamp":2,"process":1,"thread":2,"module":0,"flags":7,"start":18446744073709551615,"range":4096,"vaddr":8,"extra_words":1}
{"offset":128,"record":"profiler_backtrace","timestamp":3,"process":10,"thread":11,"frames":[]}
{"offset":160,"record":"profiler_backtrace","timestamp":4,"thread":null,"process":null,"thread_ref":9,"frames":[5],"extra_words":1}
)"},
  };
}

}  // namespace barefxt::test
