// The case that each rule is for.
#include "lint_archives.h"

namespace barefxt::test {

std::vector<LintCase> firing_cases() {
  const Piece no_argument = W(U{0} << 0 | U{1} << 4 | U{1} << 16);
  std::vector<LintCase> all = {
      {"async-end-mismatch", clean({event(5, 3), W(1, 7), event(7, 3, 0, 2), W(2, 7)})},
      {"async-id-shared",
       clean({event(5, 3), W(1, 7), W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20),
              W(U{1} << 0 | U{2} << 4, 1000), W(U{4} << 0 | U{5} << 4 | U{5} << 16, 2, 10, 11, 7)}),
       {"async-unmatched-begin"}},
      {"async-instant-outside", clean({event(6, 3), W(1, 7)})},
      {"async-unmatched-begin", clean({event(5, 3), W(1, 7)})},
      {"async-unmatched-end", clean({event(7, 3), W(1, 7)})},
      {"big-endian", clean({}), {}, true},
      // begun at 3, inside 1 to 5, and ended at 6; the complete comes where it ends
      {"begin-outlives-complete",
       clean({event(2, 2), W(3), event(4, 3, 0, 2), W(1, 5), event(3, 2), W(6)})},
      {"complete-overlaps", clean({event(4, 3), W(1, 5), event(4, 3), W(3, 8)})},
      {"counter-not-numeric", clean({event(1, 4, 1), W(1), no_argument, W(0)})},
      {"counter-without-value", clean({event(1, 3), W(1, 0)})},
      {"cpu-number", clean({W(U{8} << 0 | U{3} << 4 | U{4096} << 20 | U{2} << 60, 1, 11)})},
      {"duration-end-name", clean({event(2, 2), W(1), event(3, 2, 0, 2), W(2)})},
      {"duration-unmatched-begin", clean({event(2, 2), W(1)})},
      {"duration-unmatched-end", clean({event(3, 2), W(1)})},
      {"empty-string", clean({W(U{2} << 0 | U{1} << 4 | U{3} << 16)})},
      {"end-before-begin", clean({event(4, 3), W(5, 4)})},
      {"extra-words", clean({event(2, 2), W(1), event(3, 3), W(1, 0)})},
      {"flow-begun-twice",
       clean({event(2, 2), W(1), event(8, 3), W(2, 7),
              W(U{4} << 0 | U{4} << 4 | U{2} << 16 | U{1} << 32 | U{1} << 48, 1, 20, 21),
              W(U{4} << 0 | U{5} << 4 | U{8} << 16 | U{1} << 32 | U{1} << 48, 3, 20, 21, 7)}),
       {"duration-unmatched-begin", "flow-unmatched-begin"}},
      {"flow-outside-slice", clean({event(8, 3), W(1, 7)}), {"flow-unmatched-begin"}},
      {"flow-unmatched-begin", clean({event(2, 2), W(1), event(8, 3), W(1, 7), event(3, 2), W(2)})},
      {"flow-without-begin", clean({event(2, 2), W(1), event(10, 3), W(1, 7), event(3, 2), W(2)})},
      {"index-zero", clean({W(U{3} << 0 | U{3} << 4, 10, 11)})},
      {"inner-complete-first", clean({event(4, 3), W(1, 5), event(4, 3), W(1, 8)})},
      {"instant-scope", clean({event(0, 3), W(1, 2)})},
      {"invalid-utf8",
       clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("\xff\0\0\0\0\0\0\0")})},
      {"kernel-object-process", clean({W(U{7} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 24, 13)})},
      // process 10 again, by another provider
      {"kernel-object-shared", clean({W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20),
                                      W(U{7} << 0 | U{2} << 4 | U{1} << 16, 10)})},
      // process 10 is "c", and "d"
      {"koid-two-names", clean({W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24, 10),
                                W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{2} << 24, 10)})},
      {"koid-width", clean({W(U{3} << 0 | U{3} << 4 | U{3} << 16, 10), W(U{1} << 32)})},
      {"loss-not-shown", clean({W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{1} << 20)})},
      {"magic-not-first", {W(U{1} << 0 | U{2} << 4, 9)}},
      {"malformed", clean({W(U{3} << 0 | U{2} << 4, 1)})},
      {"missing-initialization",
       {W(kMagic), W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11),
        W(U{4} << 0 | U{2} << 4 | U{1} << 24, 1)}},
      {"padding", clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("e\0\0\0\0\0\0x")})},
      {"process-without-object",
       clean({W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, 13),
              W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16), S("process\0"), W(20)})},
      {"prologue-order",
       {W(kMagic), W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11), W(U{1} << 0 | U{2} << 4, 9)}},
      {"provider-redeclared", clean({W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{1} << 20)})},
      {"rate-changed", clean({W(U{1} << 0 | U{2} << 4, 2000)})},
      {"record-not-shown", clean({W(U{9} << 0 | U{2} << 4 | U{1} << 32, 1)})},
      {"repeated-argument", clean({event(0, 4, 2), W(1), no_argument, no_argument})},
      {"reserved-bits", clean({W(U{1} << 0 | U{2} << 4 | U{1} << 63, 1000)})},
      {"running-outgoing-state", clean({change(1, 2, 1), W(1)})},
      {"shared-id", clean({W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, 10),
                           W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16), S("process\0"), W(10)})},
      {"switch-chain", clean({change(1, 2), W(1), change(1, 2), W(2)})},
      {"thread-id-zero",
       clean({W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, 0),
              W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16), S("process\0"), W(10)})},
      {"thread-unseen",
       clean({W(U{8} << 0 | U{4} << 4 | U{1} << 28, 1, 10, 99)}),
       {"thread-without-object"}},
      {"thread-without-object",
       clean({W(U{8} << 0 | U{4} << 4 | U{1} << 28, 1, 10, 99)}),
       {"thread-unseen"}},
      // 7 does not divide 10^9 * 2^32
      {"tick-precision",
       clean({W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20), W(U{1} << 0 | U{2} << 4, 7),
              W(U{4} << 0 | U{4} << 4), W(U{1} << 32, 10, 11)})},
      {"time-backwards-cpu", clean({change(1, 2), W(5), change(2, 1), W(4)})},
      {"time-backwards-thread", clean({event(0, 2), W(5), event(0, 2), W(4)})},
      {"truncated-tail", clean({W(U{1} << 0 | U{3} << 4, 1000)})},
      {"uint64-range", clean({event(0, 4, 1), W(1), W(U{4} << 0 | U{2} << 4, ~U{0})})},
      {"undeclared-provider", clean({W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{9} << 20)})},
      {"unknown-argument", clean({event(0, 3, 1), W(1), W(U{11} << 0 | U{1} << 4)})},
      {"unknown-blob-type",
       clean({W(U{5} << 0 | U{1} << 4 | U{1} << 16 | U{4} << 48)}),
       {"record-not-shown"}},
      {"unknown-event", clean({event(11, 2), W(1)})},
      {"unknown-record", clean({W(U{12} << 0 | U{1} << 4)})},
      {"unknown-thread-state", clean({change(1, 2, 6), W(1)})},
      {"unregistered-string", clean({event(0, 2, 0, 9), W(1)})},
      {"unregistered-thread", clean({event(0, 2, 0, 1, 9), W(1)})},
      {"waker-type", clean({W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{2} << 60, 1, 11),
                            W(U{1} << 0 | U{2} << 4 | U{0x8005} << 16), S("waker\0\0\0")})},
      {"wakeup-of-ready",
       clean({change(1, 2), W(1), W(U{8} << 0 | U{3} << 4 | U{2} << 60, 2, 12)})},
      {"weight-type", clean({W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{2} << 60, 1, 11),
                             W(U{2} << 0 | U{2} << 4 | U{0x8006} << 16), S("weight\0\0")})},
      {"wide-integer", clean({event(0, 4, 1), W(1), W(U{3} << 0 | U{2} << 4, ~U{0})})},
      {"zero-size", clean({W(0)})},
      {"zero-ticks", clean({W(U{1} << 0 | U{2} << 4, 0)}), {"rate-changed"}},
  };
  Pieces deep;
  for (U i = 0; i <= 512; ++i) deep.insert(deep.end(), {event(2, 2), W(i)});
  all.push_back({"depth", clean(deep), {"duration-unmatched-begin"}});
  const Piece zeros = {{}, std::string(U{32760}, '\0')};
  all.push_back({"large-record",
                 clean({W(U{15} << 0 | U{4098} << 4 | U{1} << 40, 0, 32760), zeros}),
                 {"record-not-shown"}});
  const Piece long_name = {{}, std::string(U{32008}, 'a')};
  all.push_back({"string-length",
                 clean({W(U{2} << 0 | U{4002} << 4 | U{3} << 16 | U{32008} << 32), long_name})});
  return all;
}

}  // namespace barefxt::test
