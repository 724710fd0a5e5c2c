// The words by which explain describes each cause.
#include "contains.h"
#include "story.h"

namespace barefxt::test::sentences_test {
namespace {

using namespace explaining;

TEST(Sentences, Higher) {
  Story story;
  story.wake(100, 0, 5).change(100, 0, kIdle, 5).wake(110, 0, 3, 5);
  story.change(190, 0, 5, 3, kBlockedState).change(210, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text(),
            "`thread 3` ran 80.000 us late on CPU 0 because `thread 5` of higher priority ran on "
            "CPU 0 (from 0.000110000 s)\n"
            "  100.0 %    80.000 us ####################  `thread 5` of higher priority (50 > 30) "
            "ran on CPU 0\n"
            "  chain: `thread 3` was woken at 0.000110000 s by `thread 5`, whose waker is not "
            "recorded\n"
            "  would help: less work in `thread 5`, a lower priority for it, or another CPU\n");
}

// Thread 7 has no record before.
TEST(Sentences, FirstWakeup) {
  const auto sentence = [](bool after_loss) {
    Story story;
    if (after_loss) story.lose(85, 95, 0);
    story.wake(100, 0, 5).change(100, 0, kIdle, 5).wake(110, 0, 7, 5);
    story.change(190, 0, 5, 7, kBlockedState).change(210, 0, 7, kIdle, kBlockedState);
    const std::string text = story.text({.selection = {.threads = {"7"}}});
    return text.substr(0, text.find(" (from"));
  };
  EXPECT_EQ(sentence(false),
            "thread 7 ran 80.000 us late on CPU 0 because `thread 5` of lower priority kept CPU 0, "
            "or an unrecorded interrupt did");
  EXPECT_EQ(sentence(true), "thread 7 ran 80.000 us late on CPU 0 because `thread 5` ran on CPU 0");
}

TEST(Sentences, Lower) {
  Story story;
  story.wake(100, 0, 2).change(100, 0, kIdle, 2).wake(110, 0, 3, 2);
  story.change(190, 0, 2, 3, kBlockedState).change(210, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text(),
            "`thread 3` ran 80.000 us late on CPU 0 because `thread 2` of lower priority kept CPU "
            "0, or an unrecorded interrupt did (from 0.000110000 s)\n"
            "  100.0 %    80.000 us ####################  `thread 2` of lower priority (20 < 30) "
            "ran on CPU 0, or an unrecorded interrupt\n"
            "  chain: `thread 3` was woken at 0.000110000 s by `thread 2`, whose waker is not "
            "recorded\n"
            "  would help: a switch as soon as the thread is ready: look for masked interrupts or "
            "a scheduler lock in `thread 2`\n");
}

TEST(Sentences, InterruptsInStretches) {
  Story story;
  story.begin(100, 0).wake(102, 0, 3).end(130, 0).begin(135, 0).end(150, 0);
  story.change(150, 0, kIdle, 3).change(210, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text(),
            "`thread 3` ran 48.000 us late on CPU 0 because interrupt `irq0` ran on CPU 0 for "
            "43.000 us, in 2 stretches (from 0.000102000 s)\n"
            "   89.6 %    43.000 us ##################..  interrupt `irq0` ran on CPU 0\n"
            "   10.4 %     5.000 us ##..................  CPU 0 idled\n"
            "  chain: `thread 3` was woken at 0.000102000 s by interrupt `irq0`\n"
            "  would help: shorter or fewer runs of the handler of interrupt `irq0`\n");
}

TEST(Sentences, Stall) {
  Story story;
  for (uint64_t i = 0; i < 8; ++i) story.begin(100 + 10 * i, 0).end(102 + 10 * i, 0);
  story.change(185, 0, kIdle, 2).begin(200, 0).wake(201, 0, 3).end(22'591, 0);
  story.change(22'600, 0, 2, 3).change(22'700, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text(),
            "`thread 3` ran 22.399 ms late on CPU 0 because interrupt `irq0` did not return for "
            "22.390 ms (from 0.000201000 s)\n"
            "  100.0 %    22.390 ms ####################  interrupt `irq0` did not return, and "
            "nothing was recorded on CPU 0\n"
            "    0.0 %     9.000 us ....................  `thread 2` of lower priority (20 < 30) "
            "ran on CPU 0\n"
            "  chain: `thread 3` was woken at 0.000201000 s by interrupt `irq0`\n"
            "  would help: a bound on what the handler of interrupt `irq0` waits for, or, if no "
            "other CPU recorded meanwhile, a host that does not pause\n");
}

TEST(Sentences, Idle) {
  Story story(2);
  story.wake(100, 0, 5).change(100, 0, kIdle, 5).wake(110, 0, 3, 5);
  story.change(190, 1, kIdle + 1, 3).change(195, 0, 5, kIdle, kBlockedState);
  story.change(210, 1, 3, kIdle + 1, kBlockedState).change(220, 0, kIdle, 5);
  EXPECT_EQ(
      story.text(),
      "`thread 3` ran 80.000 us late on CPU 1 because CPU 1 idled though it was ready, or ran an "
      "unrecorded interrupt (from 0.000110000 s)\n"
      "  100.0 %    80.000 us ####################  CPU 1 idled, or an unrecorded interrupt ran\n"
      "  chain: `thread 3` was woken at 0.000110000 s by `thread 5`, whose waker is not "
      "recorded\n"
      "  would help: an earlier interrupt to CPU 1: look for a late or missing one between CPUs, "
      "or a slow way out of idle\n");
}

TEST(Sentences, Migration) {
  Story story(2);
  story.wake(100, 1, 5).change(100, 1, kIdle + 1, 5).wake(110, 1, 3, 5);
  story.change(190, 1, 5, 3, kBlockedState).change(210, 1, 3, kIdle + 1, kBlockedState);
  story.change(220, 0, kIdle, 5);
  EXPECT_EQ(story.text(),
            "`thread 3` ran 80.000 us late on CPU 1 because it was moved from CPU 0, which idled, "
            "to CPU 1, where `thread 5` ran (from 0.000110000 s)\n"
            "  100.0 %    80.000 us ####################  it left CPU 0, which idled, for CPU 1, "
            "where `thread 5` ran\n"
            "  chain: `thread 3` was woken at 0.000110000 s by `thread 5`, whose waker is not "
            "recorded\n"
            "  would help: staying on CPU 0: look at affinity and load balancing\n");
}

// Thread 2 holds the lock that thread 5 waits for.
Story held() {
  Story story;
  story.wake(100, 0, 2).change(100, 0, kIdle, 2).hold(101, 2, 0);
  story.wake(110, 0, 5, 2).change(110, 0, 2, 5).blocks(112, 5, 0);
  return story;
}

TEST(Sentences, Holder) {
  Story story = held();
  story.change(112, 0, 5, 2, kBlockedState).release(180, 2, 0).wake(180, 0, 5, 2);
  story.change(181, 0, 2, 5).waited(112, 181, 5, 0).hold(181, 5, 0);
  story.change(210, 0, 5, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.lock = "lock0"}),
            "`thread 5` waited 69.000 us for `lock0` because `lock0` was held by `thread 2`, which "
            "ran for 68.000 us (from 0.000112000 s)\n"
            "   98.6 %    68.000 us ####################  the holder ran on CPU 0; `lock0` was "
            "held by `thread 2`\n"
            "    1.4 %     1.000 us ....................  `thread 2` of lower priority (20 < 50) "
            "ran on CPU 0, or an unrecorded interrupt\n"
            "  chain: `thread 5` was woken at 0.000180000 s by `thread 2`, whose waker is not "
            "recorded\n"
            "  would help: a shorter hold of `lock0` in `thread 2`\n");
}

TEST(Sentences, PriorityInversion) {
  Story story = held();
  story.change(112, 0, 5, 2, kBlockedState).wake(120, 0, 3, 2).change(120, 0, 2, 3);
  story.change(500, 0, 3, 2, kBlockedState).release(510, 2, 0).wake(510, 0, 5, 2);
  story.change(511, 0, 2, 5).waited(112, 511, 5, 0).hold(511, 5, 0);
  story.change(600, 0, 5, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.lock = "lock0"}),
            "`thread 5` waited 399.000 us for `lock0` because of a priority inversion: `thread 2`, "
            "which held `lock0`, was kept off CPU 0 by `thread 3`, of a priority in between, for "
            "380.000 us (from 0.000112000 s)\n"
            "   95.2 %   380.000 us ###################.  priority inversion: `thread 3` of higher "
            "priority (30 > 20) ran on CPU 0; `lock0` was held by `thread 2`\n"
            "    4.5 %    18.000 us #...................  the holder ran on CPU 0; `lock0` was "
            "held by `thread 2`\n"
            "    0.3 %     1.000 us ....................  `thread 2` of lower priority (20 < 50) "
            "ran on CPU 0, or an unrecorded interrupt\n"
            "  chain: `thread 5` was woken at 0.000510000 s by `thread 2`, whose waker is not "
            "recorded\n"
            "  would help: priority inheritance or a ceiling for `lock0`, or no lock shared with "
            "`thread 2`\n");
}

TEST(Sentences, ChainOfThreeLocks) {
  Story story;
  story.wake(100, 0, 1).change(100, 0, kIdle, 1).hold(101, 1, 2);
  story.wake(102, 0, 2, 1).change(102, 0, 1, 2).hold(103, 2, 1).blocks(104, 2, 2);
  story.change(104, 0, 2, 1, kBlockedState).wake(105, 0, 3, 1).change(105, 0, 1, 3);
  story.hold(106, 3, 0).blocks(107, 3, 1).change(107, 0, 3, 1, kBlockedState);
  story.wake(108, 0, 5, 1).change(108, 0, 1, 5).blocks(109, 5, 0);
  story.change(109, 0, 5, 1, kBlockedState).release(400, 1, 2).wake(400, 0, 2, 1);
  story.change(400, 0, 1, 2).waited(104, 400, 2, 2).release(410, 2, 1).wake(410, 0, 3, 2);
  story.change(410, 0, 2, 3).waited(107, 410, 3, 1).release(420, 3, 0).wake(420, 0, 5, 3);
  story.change(420, 0, 3, 5).waited(109, 420, 5, 0).change(430, 0, 5, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.lock = "lock0"}),
            "`thread 5` waited 311.000 us for `lock0` because `lock0` was held by `thread 3`, "
            "which waited for `lock1`, held by `thread 2`, which waited for `lock2`, held by "
            "`thread 1`, which ran for 291.000 us (from 0.000109000 s)\n"
            "   93.6 %   291.000 us ###################.  the holder ran on CPU 0; `lock0` was "
            "held by `thread 3`, which waited for `lock1`, held by `thread 2`, which waited for "
            "`lock2`, held by `thread 1`\n"
            "    3.2 %    10.000 us #...................  the holder ran on CPU 0; `lock0` was "
            "held by `thread 3`\n"
            "    3.2 %    10.000 us #...................  the holder ran on CPU 0; `lock0` was "
            "held by `thread 3`, which waited for `lock1`, held by `thread 2`\n"
            "  chain: `thread 5` was woken at 0.000420000 s by `thread 3`, woken by `thread 2`, "
            "woken by `thread 1`, whose waker is not recorded\n"
            "  would help: a shorter hold of `lock2` in `thread 1`\n");
}

TEST(Sentences, Deadlock) {
  Story story = held();
  story.hold(112, 5, 1).change(112, 0, 5, 2, kBlockedState).blocks(120, 2, 1);
  story.change(120, 0, 2, kIdle, kBlockedState).change(500, 0, kIdle, 1);
  EXPECT_EQ(story.text({.selection = {.threads = {"thread 5"}}, .at = host::TimeBound{true, 300}}),
            "`thread 5` did not run for 388.000 us because of a deadlock: `lock0` was held by "
            "`thread 2`, which waited for `lock1`, held by `thread 5` (from 0.000112000 s)\n"
            "   97.9 %   380.000 us ####################  they wait for each other; `lock0` was "
            "held by `thread 2`, which waited for `lock1`, held by `thread 5`\n"
            "    2.1 %     8.000 us ....................  the holder ran on CPU 0; `lock0` was "
            "held by `thread 2`\n"
            "  would help: one order in which all threads take these locks\n");
}

TEST(Sentences, HolderAsleep) {
  Story story = held();
  story.change(112, 0, 5, 2, kBlockedState).change(120, 0, 2, kIdle, kBlockedState);
  story.wake(480, 0, 2).change(480, 0, kIdle, 2).release(490, 2, 0).wake(490, 0, 5, 2);
  story.change(491, 0, 2, 5).waited(112, 491, 5, 0).change(600, 0, 5, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.lock = "lock0"}),
            "`thread 5` waited 379.000 us for `lock0` because `lock0` was held by `thread 2`, "
            "which was blocked itself for 360.000 us (from 0.000112000 s)\n"
            "   95.0 %   360.000 us ###################.  the holder was blocked itself; `lock0` "
            "was held by `thread 2`\n"
            "    4.7 %    18.000 us #...................  the holder ran on CPU 0; `lock0` was "
            "held by `thread 2`\n"
            "    0.3 %     1.000 us ....................  `thread 2` of lower priority (20 < 50) "
            "ran on CPU 0, or an unrecorded interrupt\n"
            "  chain: `thread 5` was woken at 0.000490000 s by `thread 2`, whose waker is not "
            "recorded\n"
            "  would help: no wait of `thread 2` while it holds `lock0`\n");
}

TEST(Sentences, OwnRunningAndSleep) {
  Story story;
  story.begin(99, 0).wake(100, 0, 3).end(100, 0).change(100, 0, kIdle, 3);
  story.change(130, 0, 3, kIdle, kBlockedState).begin(150, 0).wake(150, 0, 3).end(151, 0);
  story.change(151, 0, kIdle, 3).slice(101, 200, 3).change(210, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.slice = "slice"}),
            "`slice` of `thread 3` took 99.000 us because it ran itself for 78.000 us (from "
            "0.000101000 s)\n"
            "   78.8 %    78.000 us ################....  it ran itself on CPU 0\n"
            "   20.2 %    20.000 us ####................  it waited\n"
            "    1.0 %     1.000 us ....................  interrupt `irq0` ran on CPU 0\n"
            "  chain: `thread 3` was woken at 0.000150000 s by interrupt `irq0`\n"
            "  would help: less work in it, or a faster path\n");
}

TEST(Sentences, Lost) {
  Story story;
  story.wake(100, 0, 3).change(100, 0, kIdle, 3).lose(110, 190, 0);
  story.slice(101, 200, 3).change(210, 0, 3, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.slice = "slice"}),
            "`slice` of `thread 3` took 99.000 us; why is unknown for 80.000 us: records were lost "
            "(from 0.000101000 s)\n"
            "   80.8 %    80.000 us ################....  unknown: records were lost\n"
            "   19.2 %    19.000 us ####................  it ran itself on CPU 0\n"
            "  would help: larger rings or fewer records, so that none are lost\n");
}

// An interrupt wakes 1, 1 wakes 2, and so on to 6.
TEST(Sentences, ChainOfSixHops) {
  Story story;
  story.begin(100, 0).wake(101, 0, 1).end(102, 0).change(102, 0, kIdle, 1);
  for (uint64_t thread = 2; thread <= kThreads; ++thread)
    story.wake(101 + 10 * thread, 0, thread).change(105 + 10 * thread, 0, thread - 1, thread);
  story.change(300, 0, kThreads, kIdle, kBlockedState);
  const std::string text = story.text({.selection = {.threads = {"thread 6"}}});
  EXPECT_TRUE(contains(text,
                       "chain: `thread 6` was woken at 0.000161000 s by `thread 5`, woken by "
                       "`thread 4`, woken by `thread 3`, woken by `thread 2`, woken by `thread 1`, "
                       "woken by interrupt `irq0`\n"));
}

// The flow begins on thread 2, and ends on thread 5, which thread 2 wakes late.
TEST(Sentences, FlowOverThreads) {
  Story story;
  const auto flow = [&](Record::Kind kind, uint64_t time, uint64_t thread) {
    story.add({.kind = kind, .time = time, .cpu = 0, .thread = thread, .number = 7});
  };
  story.wake(100, 0, 2).change(100, 0, kIdle, 2);
  flow(Record::kFlowBegin, 110, 2);
  story.wake(180, 0, 5, 2).change(190, 0, 2, 5);
  flow(Record::kFlowEnd, 200, 5);
  story.change(210, 0, 5, kIdle, kBlockedState);
  EXPECT_EQ(story.text({.flow = "flow"}),
            "flow `flow` to `thread 5` took 90.000 us because `thread 2` ran itself for 70.000 us "
            "(from 0.000110000 s)\n"
            "   77.8 %    70.000 us ################....  `thread 2` ran itself on CPU 0\n"
            "   11.1 %    10.000 us ##..................  `thread 5` ran itself on CPU 0\n"
            "   11.1 %    10.000 us ##..................  `thread 2` of lower priority (20 < 50) "
            "ran on CPU 0, or an unrecorded interrupt\n"
            "  chain: `thread 5` was woken at 0.000180000 s by `thread 2`, whose waker is not "
            "recorded\n"
            "  path: `thread 2` 70.000 us, then `thread 5` 20.000 us\n"
            "  would help: less work in `thread 2`, or a faster path\n");
}

TEST(Sentences, NoCaseTakesMoreThanTenLines) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const System system = simulate({.seed = seed, .cpus = 3});
    const std::string archive = archive_of(system.options, system.records);
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    const auto explained = host::explain(source, host::Form{}, {.worst = 1000, .slice = "slice"});
    ASSERT_TRUE(explained.ok());
    host::StringOutput out;
    host::print_explanations(out, explained.value());
    const std::string text = out.take();
    unsigned lines = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\n') continue;
      lines = i > 0 && text[i - 1] == '\n' ? 0 : lines + 1;
      ASSERT_LE(lines, 10U);
    }
  }
}

}  // namespace
}  // namespace barefxt::test::sentences_test
