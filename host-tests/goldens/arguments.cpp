// Arguments: every type, inline and indexed, longer than known, unknown.
#include "goldens.h"

namespace barefxt::test {

std::vector<Golden> arguments_goldens() {
  using U = uint64_t;
  return {
      {"every argument type",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("k\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // an instant with 14 arguments named k
           W(U{4} << 0 | U{25} << 4 | U{0} << 16 | U{14} << 20 | U{1} << 24 | U{1} << 32 |
                 U{1} << 48,
             1),
           W(U{0} << 0 | U{1} << 4 | U{1} << 16),                        // null
           W(U{1} << 0 | U{1} << 4 | U{1} << 16 | U{0x80000000} << 32),  // int32
           W(U{2} << 0 | U{1} << 4 | U{1} << 16 | U{0xffffffff} << 32),  // uint32
           W(U{3} << 0 | U{2} << 4 | U{1} << 16),
           W(U{1} << 63),                                              // int64
           W(U{4} << 0 | U{2} << 4 | U{1} << 16, ~U{0}),               // uint64
           W(U{5} << 0 | U{2} << 4 | U{1} << 16, 0x3fb999999999999a),  // double 0.1
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 32),         // string, indexed
           W(U{7} << 0 | U{2} << 4 | U{1} << 16, 16),                  // pointer
           W(U{8} << 0 | U{2} << 4 | U{1} << 16, 10),                  // koid
           W(U{9} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 32),         // bool, true
           W(U{9} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32),         // bool, false
           W(U{10} << 0 | U{2} << 4 | U{1} << 16 | U{3} << 32),
           S("xyz\0\0\0\0\0"),                                        // blob
           W(U{11} << 0 | U{2} << 4 | U{1} << 16, 99),                // unknown
           W(U{1} << 0 | U{3} << 4 | U{1} << 16 | U{7} << 32, 1, 2),  // int32, longer
           // a string inline with a name inline, a string of nothing, one never registered
           W(U{4} << 0 | U{7} << 4 | U{0} << 16 | U{3} << 20 | U{1} << 24 | U{1} << 32 | U{1} << 48,
             2),
           W(U{6} << 0 | U{3} << 4 | U{0x8001} << 16 | U{0x8002} << 32),
           S("n\0\0\0\0\0\0\0"),
           S("v\xff\0\0\0\0\0\0"),
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{0} << 32),
           W(U{6} << 0 | U{1} << 4 | U{1} << 16 | U{17} << 32),
           // doubles that are none, and one that is negative nothing
           W(U{4} << 0 | U{10} << 4 | U{0} << 16 | U{4} << 20 | U{1} << 24 | U{1} << 32 |
                 U{1} << 48,
             3),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16, 0x7ff8000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16, 0x7ff0000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16, 0xfff0000000000000),
           W(U{5} << 0 | U{2} << 4 | U{1} << 16, 0x8000000000000000),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"k"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"event","event":"instant","timestamp":1,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"k","type":"null"},{"name":"k","type":"int32","value":-2147483648},{"name":"k","type":"uint32","value":4294967295},{"name":"k","type":"int64","value":-9223372036854775808},{"name":"k","type":"uint64","value":18446744073709551615},{"name":"k","type":"double","value":0.1},{"name":"k","type":"string","value":"k"},{"name":"k","type":"pointer","value":16},{"name":"k","type":"koid","value":10},{"name":"k","type":"bool","value":true},{"name":"k","type":"bool","value":false},{"name":"k","type":"blob","value":"eHl6"},{"name":"k","type":11},{"name":"k","type":"int32","value":7,"extra_words":2}]}
{"offset":248,"record":"event","event":"instant","timestamp":2,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"n","type":"string","value":"v�"},{"name":"k","type":"string","value":""},{"name":"k","type":"string","value":null,"value_ref":17}]}
{"offset":304,"record":"event","event":"instant","timestamp":3,"process":10,"thread":11,"category":"k","name":"k","args":[{"name":"k","type":"double","value":"nan"},{"name":"k","type":"double","value":"inf"},{"name":"k","type":"double","value":"-inf"},{"name":"k","type":"double","value":-0.0}]}
)"},

      {"arguments with their names inline",
       false,
       {
           W(kMagic),
           W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
           S("k\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // a duration begin with 12 arguments; each name of 1 byte inline
           W(U{4} << 0 | U{35} << 4 | U{2} << 16 | U{12} << 20 | U{1} << 24, 1),
           W(U{0} << 0 | U{2} << 4 | U{0x8001} << 16),  // null
           S("a\0\0\0\0\0\0\0"),
           W(U{1} << 0 | U{2} << 4 | U{0x8001} << 16 | U{0x7fffffff} << 32),  // int32
           S("b\0\0\0\0\0\0\0"),
           W(U{2} << 0 | U{2} << 4 | U{0x8001} << 16 | U{0} << 32),  // uint32
           S("c\0\0\0\0\0\0\0"),
           W(U{3} << 0 | U{3} << 4 | U{0x8001} << 16),  // int64
           S("d\0\0\0\0\0\0\0"),
           W(~U{0}),
           W(U{4} << 0 | U{3} << 4 | U{0x8001} << 16),  // uint64
           S("e\0\0\0\0\0\0\0"),
           W(U{1} << 32),
           W(U{5} << 0 | U{3} << 4 | U{0x8001} << 16),  // double -2.5
           S("f\0\0\0\0\0\0\0"),
           W(0xc004000000000000),
           W(U{6} << 0 | U{2} << 4 | U{0x8001} << 16 | U{1} << 32),  // string, value indexed
           S("g\0\0\0\0\0\0\0"),
           W(U{6} << 0 | U{4} << 4 | U{0x8001} << 16 | U{0x8009} << 32),  // string, value inline
           S("h\0\0\0\0\0\0\0"),
           S("nine byte\0\0\0\0\0\0\0"),
           W(U{7} << 0 | U{3} << 4 | U{0x8001} << 16),  // pointer
           S("i\0\0\0\0\0\0\0"),
           W(0xffffffff80000000),
           W(U{8} << 0 | U{3} << 4 | U{0x8001} << 16),  // koid
           S("j\0\0\0\0\0\0\0"),
           W(0x100000001),
           W(U{9} << 0 | U{2} << 4 | U{0x8001} << 16 | U{1} << 32),  // bool
           S("k\0\0\0\0\0\0\0"),
           W(U{10} << 0 | U{4} << 4 | U{0x8001} << 16 | U{9} << 32),  // blob of 9 bytes
           S("l\0\0\0\0\0\0\0"),
           S("\xff\0\x01zzzzzz\0\0\0\0\0\0\0"),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"string","index":1,"value":"k"}
{"offset":24,"record":"thread","index":1,"process":10,"thread":11}
{"offset":48,"record":"event","event":"duration_begin","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[{"name":"a","type":"null"},{"name":"b","type":"int32","value":2147483647},{"name":"c","type":"uint32","value":0},{"name":"d","type":"int64","value":-1},{"name":"e","type":"uint64","value":4294967296},{"name":"f","type":"double","value":-2.5},{"name":"g","type":"string","value":"k"},{"name":"h","type":"string","value":"nine byte"},{"name":"i","type":"pointer","value":18446744071562067968},{"name":"j","type":"koid","value":4294967297},{"name":"k","type":"bool","value":true},{"name":"l","type":"blob","value":"/wABenp6enp6"}]}
)"},

      {"arguments longer than known",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // 11 arguments without a name, each with a word (0xe) more than it needs
           W(U{4} << 0 | U{31} << 4 | U{2} << 16 | U{11} << 20 | U{1} << 24, 1),
           W(U{0} << 0 | U{2} << 4, 0xe),
           W(U{1} << 0 | U{2} << 4 | U{7} << 32, 0xe),
           W(U{2} << 0 | U{2} << 4 | U{7} << 32, 0xe),
           W(U{3} << 0 | U{3} << 4, 7, 0xe),
           W(U{4} << 0 | U{3} << 4, 7, 0xe),
           W(U{5} << 0 | U{3} << 4, 0x4000000000000000, 0xe),
           W(U{6} << 0 | U{3} << 4 | U{0x8001} << 32),
           S("s\0\0\0\0\0\0\0"),
           W(0xe),
           W(U{7} << 0 | U{3} << 4, 7, 0xe),
           W(U{8} << 0 | U{3} << 4, 7, 0xe),
           W(U{9} << 0 | U{2} << 4 | U{1} << 32, 0xe),
           W(U{10} << 0 | U{3} << 4 | U{1} << 32),
           S("z\0\0\0\0\0\0\0"),
           W(0xe),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"event","event":"duration_begin","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[{"name":"","type":"null","extra_words":1},{"name":"","type":"int32","value":7,"extra_words":1},{"name":"","type":"uint32","value":7,"extra_words":1},{"name":"","type":"int64","value":7,"extra_words":1},{"name":"","type":"uint64","value":7,"extra_words":1},{"name":"","type":"double","value":2.0,"extra_words":1},{"name":"","type":"string","value":"s","extra_words":1},{"name":"","type":"pointer","value":7,"extra_words":1},{"name":"","type":"koid","value":7,"extra_words":1},{"name":"","type":"bool","value":true,"extra_words":1},{"name":"","type":"blob","value":"eg==","extra_words":1}]}
)"},

      {"argument types that no revision knows, and the most arguments",
       false,
       {
           W(kMagic),
           W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
           // types 11 to 15; a name, inline or never registered, is a name all the same
           W(U{4} << 0 | U{10} << 4 | U{2} << 16 | U{5} << 20 | U{1} << 24, 1),
           W(U{11} << 0 | U{1} << 4),
           W(U{12} << 0 | U{2} << 4 | U{0x8001} << 16),
           S("n\0\0\0\0\0\0\0"),
           W(U{13} << 0 | U{1} << 4 | U{9} << 16),
           W(U{14} << 0 | U{3} << 4 | U{~0U} << 32, 1, 2),
           W(U{15} << 0 | U{1} << 4),
           // 15 times null
           W(U{4} << 0 | U{17} << 4 | U{2} << 16 | U{15} << 20 | U{1} << 24, 2),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
           W(U{1} << 4),
       },
       R"({"offset":0,"record":"magic"}
{"offset":8,"record":"thread","index":1,"process":10,"thread":11}
{"offset":32,"record":"event","event":"duration_begin","timestamp":1,"process":10,"thread":11,"category":"","name":"","args":[{"name":"","type":11},{"name":"n","type":12},{"name":null,"name_ref":9,"type":13},{"name":"","type":14},{"name":"","type":15}]}
{"offset":112,"record":"event","event":"duration_begin","timestamp":2,"process":10,"thread":11,"category":"","name":"","args":[{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"},{"name":"","type":"null"}]}
)"},
  };
}

}  // namespace barefxt::test
