// Archives as close to each rule as possible that do not break it.
#include "lint_archives.h"

namespace barefxt::test {

std::vector<LintCase> near_misses() {
  const Piece null_argument = W(U{0} << 0 | U{1} << 4 | U{1} << 16);
  const Piece number_argument = W(U{2} << 0 | U{1} << 4 | U{1} << 16 | U{5} << 32);
  const Piece second_provider = W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 20);
  const Piece initialization = W(U{1} << 0 | U{2} << 4);
  const auto thread_object = [](U koid) {
    return Pieces{W(U{7} << 0 | U{5} << 4 | U{2} << 16 | U{1} << 24 | U{1} << 40, koid),
                  W(U{8} << 0 | U{3} << 4 | U{0x8007} << 16), S("process\0")};
  };
  const auto object_of = [&](U koid, U process) {
    Pieces pieces = thread_object(koid);
    pieces.push_back(W(process));
    return clean(pieces);
  };
  // Half of a lock's hold, which another session has the rest of.
  const auto hold = [](unsigned type) {
    return clean(
        {W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{4} << 32), S("lock\0\0\0\0"),
         W(U{4} << 0 | U{3} << 4 | U{type} << 16 | U{1} << 24 | U{3} << 32 | U{1} << 48, 1, 7)});
  };
  std::vector<LintCase> all = {
      {"async-unmatched-begin", hold(5)},
      {"async-unmatched-end", hold(7)},
      // two operations of one id, inside each other, each with its own end
      {"async-end-mismatch", clean({event(5, 3), W(1, 7), event(5, 3, 0, 2), W(2, 7), event(7, 3),
                                    W(3, 7), event(7, 3, 0, 2), W(4, 7)})},
      // the other provider begins when the first has ended
      {"async-id-shared",
       clean({event(5, 3), W(1, 7), event(7, 3), W(2, 7), second_provider, initialization, W(1000),
              W(U{4} << 0 | U{5} << 4 | U{5} << 16, 3, 10, 11, 7)})},
      // at the very ticks of begin and end
      {"async-instant-outside", clean({event(5, 3), W(1, 7), event(6, 3), W(1, 7), event(6, 3),
                                       W(2, 7), event(7, 3), W(2, 7)})},
      // ended by another thread
      {"async-unmatched-begin", clean({event(5, 3), W(1, 7), event(7, 3, 0, 1, 2), W(2, 7)})},
      // the end comes first in the file, and later in time
      {"async-unmatched-end", clean({event(7, 3, 0, 1, 2), W(2, 7), event(5, 3), W(1, 7)})},
      // ends with the complete it began in
      {"begin-outlives-complete",
       clean({event(2, 2), W(3), event(3, 2), W(5), event(4, 3, 0, 2), W(1, 5)})},
      {"big-endian", clean({})},
      // the next begins when the first ends; and two threads' do not matter to each other
      {"complete-overlaps",
       clean({event(4, 3), W(1, 5), event(4, 3), W(5, 8), event(4, 3, 0, 1, 2), W(3, 9)})},
      {"counter-not-numeric", clean({event(1, 4, 1), W(1), number_argument, W(0)})},
      {"counter-without-value", clean({event(1, 4, 1), W(1), null_argument, W(0)})},
      {"cpu-number", clean({W(U{8} << 0 | U{3} << 4 | U{4095} << 20 | U{2} << 60, 1, 11)})},
      // the inner one ends first
      {"duration-end-name", clean({event(2, 2), W(1), event(2, 2, 0, 2), W(1), event(3, 2, 0, 2),
                                   W(2), event(3, 2), W(2)})},
      {"duration-unmatched-begin", clean({event(2, 2), W(1), event(3, 2), W(1)})},
      // a complete in between takes no end
      {"duration-unmatched-end",
       clean({event(2, 2), W(1), event(4, 3), W(2, 3), event(3, 2), W(3)})},
      {"empty-string",
       clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("\0\0\0\0\0\0\0\0")})},
      {"end-before-begin", clean({event(4, 3), W(5, 5)})},
      // the one word that an instant may have
      {"extra-words", clean({event(0, 3), W(1, 0)})},
      // begun twice, by one process
      {"flow-begun-twice",
       clean({event(2, 2), W(1), event(8, 3), W(1, 7), event(8, 3), W(2, 7), event(3, 2), W(2)})},
      // at the very end of a complete duration
      {"flow-outside-slice", clean({event(8, 3), W(5, 7), event(4, 3), W(1, 5)})},
      {"flow-unmatched-begin",
       clean({event(2, 2), W(1), event(8, 3), W(1, 7), event(10, 3), W(2, 7), event(3, 2), W(2)})},
      {"flow-without-begin",
       clean({event(2, 2), W(1), event(8, 3), W(1, 7), event(9, 3), W(1, 7), event(3, 2), W(2)})},
      {"heap-block-live",
       with_heap({heap(kAlloc, 1, 64, 8), heap(kFree, 2, 64), heap(kAlloc, 3, 64, 8)})},
      {"heap-double-free",
       with_heap({heap(kFree, 1, 64), heap(kAlloc, 2, 64, 8), heap(kFree, 3, 64)})},
      // in no pool: it may be older than the recording
      {"heap-unknown-free", with_heap({heap(kPool, 1, 64, 64), heap(kFree, 2, 128)})},
      {"index-zero", clean({W(U{3} << 0 | U{3} << 4 | U{255} << 16, 10, 11)})},
      // the outer one first
      {"inner-complete-first", clean({event(4, 3), W(1, 8), event(4, 3), W(1, 5)})},
      {"instant-scope", clean({event(0, 2), W(1)})},
      {"invalid-utf8",
       clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{4} << 32), S("\xf0\x9f\x99\x82\0\0\0\0")})},
      // not a thread's
      {"kernel-object-process", clean({W(U{7} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 24, 13)})},
      // by the same provider, which may rename it
      {"kernel-object-shared", clean({W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{2} << 24, 10)})},
      // renamed at an event
      {"koid-two-names", clean({W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 24, 10), event(0, 2),
                                W(1), W(U{7} << 0 | U{2} << 4 | U{1} << 16 | U{2} << 24, 10)})},
      {"koid-width", clean({W(U{3} << 0 | U{3} << 4 | U{3} << 16, 10, 0xffffffff)})},
      // of another event of the provider
      {"loss-not-shown", clean({W(U{0} << 0 | U{1} << 4 | U{3} << 16 | U{1} << 20 | U{1} << 52)})},
      {"magic-not-first", {W(kMagic), initialization, W(9)}},
      {"malformed", clean({W(U{3} << 0 | U{3} << 4 | U{3} << 16, 1, 2)})},
      // without a time before it
      {"missing-initialization",
       {W(kMagic), W(U{3} << 0 | U{3} << 4 | U{1} << 16, 10, 11), initialization, W(9),
        W(U{4} << 0 | U{2} << 4 | U{1} << 24, 1)}},
      {"padding", clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{8} << 32), S("eightful")})},
      // process 0 is the idle threads'
      {"process-without-object", object_of(13, 0)},
      // after the first event anything goes
      {"prologue-order",
       clean({W(U{2} << 0 | U{2} << 4 | U{3} << 16 | U{1} << 32), S("e\0\0\0\0\0\0\0")})},
      // named by a section, not by another declaration
      {"provider-redeclared", clean({W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{1} << 20)})},
      // the same rate again; another one of a provider that recorded nothing
      {"rate-changed", clean({initialization, W(1000), second_provider, initialization, W(1000),
                              initialization, W(2000)})},
      // a Perfetto trace in a blob is shown
      {"record-not-shown", clean({W(U{5} << 0 | U{1} << 4 | U{1} << 16 | U{3} << 48)})},
      {"repeated-argument",
       clean({event(0, 4, 2), W(1), null_argument, W(U{0} << 0 | U{1} << 4 | U{2} << 16)})},
      // all bits of a legacy switch mean something
      {"reserved-bits", clean({W(U{8} << 0 | U{2} << 4 | U{255} << 16 | U{3} << 24 | U{1} << 28 |
                                     U{2} << 36 | U{255} << 44 | U{255} << 52,
                                 1)})},
      // preempted: written as new
      {"running-outgoing-state", clean({change(1, 2, 0), W(1)})},
      {"shared-id", object_of(13, 10)},
      // on another CPU
      {"switch-chain",
       clean({change(1, 2), W(1),
              W(U{8} << 0 | U{2} << 4 | U{1} << 16 | U{3} << 24 | U{1} << 28 | U{2} << 36, 2)})},
      // a switch to thread 0 is one to an idle thread
      {"thread-id-zero", clean({W(U{8} << 0 | U{4} << 4 | U{1} << 28, 1, 0, 0)})},
      // what has a name does something
      {"thread-unseen", clean({event(0, 2), W(1), event(0, 2, 0, 1, 2), W(1),
                               W(U{8} << 0 | U{4} << 4 | U{1} << 28, 1, 10, 99)})},
      // described after it ran
      {"thread-without-object", {}},
      // 62.5 MHz divides 10^9 * 2^32
      {"tick-precision", clean({second_provider, initialization, W(62'500'000),
                                W(U{4} << 0 | U{4} << 4), W(U{1} << 40, 10, 11)})},
      {"time-backwards-cpu", clean({change(1, 2), W(5), change(2, 1), W(5)})},
      // another thread's; and a complete duration counts by its end
      {"time-backwards-thread",
       clean({event(0, 2, 0, 1, 2), W(9), event(0, 2), W(3), event(4, 3), W(1, 5)})},
      // content that does not fit is damage, but not at the end
      {"truncated-tail", clean({W(U{3} << 0 | U{2} << 4, 1)})},
      {"uint64-range", clean({event(0, 4, 1), W(1), W(U{4} << 0 | U{2} << 4, ~U{0} >> 1)})},
      {"undeclared-provider", clean({W(U{0} << 0 | U{1} << 4 | U{2} << 16 | U{1} << 20)})},
      {"unknown-argument", clean({event(0, 3, 1), W(1), W(U{10} << 0 | U{1} << 4)})},
      {"unknown-blob-type", clean({W(U{5} << 0 | U{1} << 4 | U{1} << 16 | U{2} << 48)})},
      {"unknown-event", clean({event(10, 3), W(1, 7)})},
      {"unknown-record", clean({W(U{10} << 0 | U{2} << 4 | U{2} << 16 | U{1} << 20, 1)})},
      {"unknown-thread-state", clean({change(1, 2, 5), W(1)})},
      // replaced, not forgotten
      {"unregistered-string", clean({W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 32),
                                     S("x\0\0\0\0\0\0\0"), event(0, 2), W(1)})},
      {"unregistered-thread", clean({event(0, 2, 0, 1, 2), W(1)})},
      {"waker-type", clean({W(U{8} << 0 | U{6} << 4 | U{1} << 16 | U{2} << 60, 1, 11),
                            W(U{8} << 0 | U{3} << 4 | U{0x8005} << 16), S("waker\0\0\0"), W(12)})},
      // it waits, and then runs again
      {"wakeup-of-ready",
       clean({change(1, 2), W(1), W(U{8} << 0 | U{3} << 4 | U{2} << 60, 2, 11), change(2, 1, 0),
              W(3), change(1, 2), W(4), W(U{8} << 0 | U{3} << 4 | U{2} << 60, 5, 11)})},
      {"weight-type", clean({W(U{8} << 0 | U{5} << 4 | U{1} << 16 | U{2} << 60, 1, 11),
                             W(U{1} << 0 | U{2} << 4 | U{0x8006} << 16), S("weight\0\0")})},
      // one more than fits in 32 bits
      {"wide-integer", clean({event(0, 4, 1), W(1), W(U{4} << 0 | U{2} << 4, U{0x100000000})})},
      {"zero-size", clean({W(U{12} << 0 | U{1} << 4)})},
      {"zero-ticks", clean({W(U{1} << 0 | U{2} << 4, 1)})},
  };
  for (LintCase& one : all) {
    if (one.rule != "thread-without-object") continue;
    Pieces pieces = {W(U{8} << 0 | U{4} << 4 | U{1} << 28, 1, 10, 99)};
    const Pieces object = thread_object(99);
    pieces.insert(pieces.end(), object.begin(), object.end());
    pieces.push_back(W(10));
    one.pieces = clean(pieces);
  }
  Pieces deep;
  for (U i = 0; i < 512; ++i) deep.insert(deep.end(), {event(2, 2), W(i)});
  all.push_back({"depth", clean(deep)});
  // 4095 words, the largest number of 12 bits
  const Piece zeros = {{}, std::string(U{32736}, '\0')};
  all.push_back(
      {"large-record", clean({W(U{15} << 0 | U{4095} << 4 | U{1} << 40, 0, 32736), zeros})});
  const Piece long_name = {{}, std::string(U{32000}, 'a')};
  all.push_back({"string-length",
                 clean({W(U{2} << 0 | U{4001} << 4 | U{3} << 16 | U{32000} << 32), long_name})});
  return all;
}

}  // namespace barefxt::test
