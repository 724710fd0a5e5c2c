// Rules in sentences, and the table of forms.
#include <array>
#include <cmath>

#include <barefxt/host/measures.h>
#include <barefxt/host/rules.h>
#include <barefxt/host/safe_text.h>

namespace barefxt::host {
namespace {

std::string quoted(const std::string& name) {
  return name == "*" ? "any" : '"' + safe_text(name) + '"';
}

std::string in_words(const TimeBound& time) {
  if (time.in_ticks) return formatted("{:g} ticks", time.value);
  static constexpr std::pair<double, std::string_view> kUnits[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (const auto& [nanoseconds, unit] : kUnits)
    if (time.value >= nanoseconds) return formatted("{:g} {}", time.value / nanoseconds, unit);
  return formatted("{:g} ns", time.value);
}

std::string_view in_words(BudgetLine::Bound bound) {
  using Bound = BudgetLine::Bound;
  switch (bound) {
    case Bound::kAtMost:
      return "at most";
    case Bound::kLess:
      return "less than";
    case Bound::kAtLeast:
      return "at least";
    case Bound::kMore:
      return "more than";
    case Bound::kEqual:
      return "exactly";
  }
  return {};
}

std::string by_in_words(const std::string& thread) {
  return thread.empty() ? std::string() : " by thread " + quoted(thread);
}

std::string after_in_words(const TraceRule& rule) {
  std::string text = "each time " + in_words(rule.events[0]);
  for (size_t i = 0; i < rule.within.size(); ++i) {
    const RuleEvent& response = rule.events[i + 1];
    text += i == 0 ? ", " : ", and then ";
    text += in_words(response) + " at most " + in_words(rule.within[i]) + " later";
    if (response.kind == RuleEventKind::kRuns) text += " (or runs already)";
  }
  return text;
}

std::string never_in_words(const TraceRule& rule) {
  const std::string what = rule.state ? in_words(*rule.state) : in_words(rule.events[0]);
  std::string text = "it never happens that " + what;
  if (rule.during) text += " while " + in_words(*rule.during);
  return text;
}

std::string every_in_words(const TraceRule& rule) {
  const std::string event = in_words(rule.events[0]);
  std::string text;
  if (rule.offset) {
    text = formatted("{} once around each of the times {} + n x {}", event, in_words(*rule.offset),
                     in_words(rule.period));
    text += rule.jitter.value > 0 ? ", at most " + in_words(rule.jitter) + " before or after it"
                                  : ", at that tick";
  } else {
    text = event + " again " + in_words(rule.period) + " after each time";
    if (rule.jitter.value > 0) text += ", give or take " + in_words(rule.jitter);
  }
  if (rule.done_within)
    text += formatted(", and it ends at most {} after {}", in_words(*rule.done_within),
                      rule.offset ? "that time" : "its begin");
  return text;
}

std::string edge_in_words(const RuleEdge& edge) {
  return edge.event ? "when " + in_words(*edge.event) : in_words(edge.time);
}

std::string form_in_words(const TraceRule& rule) {
  switch (rule.form) {
    case RuleForm::kAfter:
      return after_in_words(rule);
    case RuleForm::kNever:
      return never_in_words(rule);
    case RuleForm::kEvery:
      return every_in_words(rule);
    case RuleForm::kLasts:
      return formatted("each {} {} lasts {} {}",
                       rule.events[0].kind == RuleEventKind::kIrqBegins ? "interrupt" : "slice",
                       quoted(rule.events[0].name), in_words(rule.bound), in_words(rule.length));
    case RuleForm::kBetween:
      return formatted("from each time {} until {}, {} {} times {}", in_words(rule.events[0]),
                       in_words(rule.events[1]), in_words(rule.bound), rule.count,
                       in_words(rule.events[2]));
    case RuleForm::kCounter: {
      std::string text =
          formatted("each value of counter {}{} is {} {}", quoted(rule.counter),
                    rule.argument.empty() ? "" : ", argument " + quoted(rule.argument),
                    in_words(rule.bound), rule.value_text);
      if (rule.value_text.ends_with('%')) text += " (it records percent)";
      return text;
    }
    case RuleForm::kStack:
      return formatted("the stack of thread {} always has {} {} bytes left", quoted(rule.counter),
                       in_words(rule.bound), rule.value_text);
    case RuleForm::kFlow:
      if (rule.percentile == 100)
        return formatted("each flow {} lasts {} {} from its begin to its end", quoted(rule.flow),
                         in_words(rule.bound), in_words(rule.length));
      return formatted("{:g} % of the flows {} last {} {} from their begin to their end",
                       rule.percentile, quoted(rule.flow), in_words(rule.bound),
                       in_words(rule.length));
    case RuleForm::kOrder: {
      std::string text =
          rule.per_thread ? "on each thread, round after round, " : "round after round, ";
      for (size_t i = 0; i < rule.events.size(); ++i)
        text += (i == 0 ? "" : ", then ") + in_words(rule.events[i]);
      return text;
    }
    case RuleForm::kBudget:
      return "a line of a budget: " + rule.text;
  }
  return {};
}

}  // namespace

std::string in_words(const RuleEvent& event) {
  const std::string name = quoted(event.name);
  switch (event.kind) {
    case RuleEventKind::kNamed:
      return name + " happens or begins";
    case RuleEventKind::kIrqBegins:
      return "interrupt " + name + " begins";
    case RuleEventKind::kIrqEnds:
      return "interrupt " + name + " ends";
    case RuleEventKind::kSliceBegins:
      return "slice " + name + " begins";
    case RuleEventKind::kSliceEnds:
      return "slice " + name + " ends";
    case RuleEventKind::kRuns:
      return "thread " + name + " is switched to";
    case RuleEventKind::kStops:
      return "thread " + name + " is switched from";
    case RuleEventKind::kWakes:
      return "thread " + name + " is woken";
    case RuleEventKind::kTaken:
      return "lock " + name + " is taken" + by_in_words(event.by);
    case RuleEventKind::kReleased:
      return "lock " + name + " is released" + by_in_words(event.by);
    case RuleEventKind::kFlowBegins:
      return "flow " + name + " begins";
    case RuleEventKind::kFlowEnds:
      return "flow " + name + " ends";
  }
  return {};
}

std::string in_words(const RuleState& state) {
  const std::string name = quoted(state.name);
  switch (state.kind) {
    case RuleStateKind::kRuns:
      return "thread " + name + " runs";
    case RuleStateKind::kIrq:
      return "interrupt " + name + " is open";
    case RuleStateKind::kSlice:
      return "slice " + name + " is open";
    case RuleStateKind::kHeld:
      return "lock " + name + " is held" + by_in_words(state.by);
  }
  return {};
}

std::string in_words(const TraceRule& rule) {
  std::string text = form_in_words(rule);
  if (rule.from) text += ", from " + edge_in_words(*rule.from);
  if (rule.to) text += rule.from ? " until " : ", until ";
  if (rule.to) text += edge_in_words(*rule.to);
  return text;
}

std::string_view rule_grammar() {
  return R"(line       = [ definition | rule | budget line ] [ "#" comment ]
definition = "let" WORD "=" ( TIME | VALUE | NAME )
rule       = form [ "from" edge ] [ "to" edge ]
form       = "after" event "within" TIME event { "then" "within" TIME event }
           | "never" ( event | state ) [ "while" state ]
           | "every" TIME [ "+-" TIME ] [ "offset" TIME ] event [ "done" "within" TIME ]
           | ( "slice" | "irq" ) NAME "lasts" comparison TIME
           | "between" event "and" event count NUMBER event
           | "counter" NAME [ NAME ] comparison ( VALUE | NUMBER "%" [ "of" VALUE ] ) "always"
           | "stack" NAME "left" comparison VALUE
           | "flow" NAME "end" "to" "end" [ "p" NUMBER | "max" ] comparison TIME
           | "order" event event { event } [ "per" "thread" ]
count      = "exactly" | "at" "least" | "at" "most"
comparison = "<" | "<=" | ">" | ">=" | "="
event      = NAME
           | ( "slice" | "irq" ) NAME [ "begins" | "ends" ]
           | "thread" NAME ( "runs" | "stops" | "wakes" )
           | "lock" NAME ( "taken" | "released" ) [ "by" NAME ]
           | "flow" NAME ( "begins" | "ends" )
state      = "thread" NAME "runs" | "lock" NAME "held" [ "by" NAME ] | ( "slice" | "irq" ) NAME
edge       = event | TIME
TIME       = NUMBER ( "ns" | "us" | "ms" | "s" | "ticks" )
VALUE      = NUMBER [ "KiB" | "MiB" | "GiB" ]
)";
}

const std::vector<RuleFormHelp>& rule_forms() {
  static const std::vector<RuleFormHelp> kForms = {
      {"after EVENT within TIME EVENT { then within TIME EVENT }",
       "Each time the first event happens, the others follow, each at most TIME after the one "
       "before. A thread that runs already counts.",
       "after irq \"uart\" within 50us thread \"rx\" runs"},
      {"never (EVENT | STATE) [while STATE]", "It does not happen, or not during that state.",
       "never thread \"low\" runs while lock \"bus\" held by \"high\""},
      {"every TIME [+- TIME] [offset TIME] EVENT [done within TIME]",
       "The event recurs in that time, give or take the jitter. With an offset it happens once "
       "around each of the times offset + n x period of the trace's clock. `done within` bounds "
       "the "
       "end of a slice or irq, from its begin or, with an offset, from that time.",
       "every 10ms +-200us slice \"control\""},
      {"(slice | irq) NAME lasts COMPARISON TIME",
       "Each one's length, and that of one still open at the end if it is too long by then.",
       "slice \"isr\" lasts < 20us"},
      {"between EVENT and EVENT (exactly | at least | at most) NUMBER EVENT",
       "From the first event to the next second one, the third happens that often.",
       "between \"start\" and \"ready\" exactly 3 \"retry\""},
      {"counter NAME [NAME] COMPARISON VALUE always",
       "Each value that is recorded. The second name is an argument's. `90% of 64KiB` is 57.6 KiB; "
       "`90%` alone is the number 90, for a counter that records percent.",
       "counter \"heap\" < 90% of 64KiB always"},
      {"stack NAME left COMPARISON VALUE",
       "Bytes of the thread's stack below its mark, each time that it moves. NAME may be that of "
       "an "
       "object or of a CPU, whose interrupts have a stack.",
       "stack \"rx\" left >= 128"},
      {"flow NAME end to end [pNUMBER | max] COMPARISON TIME",
       "The time from a flow's begin to its end: of each, or of that share of them.",
       "flow \"frame\" end to end p99 < 8ms"},
      {"order EVENT EVENT { EVENT } [per thread]",
       "The first event begins a round and the last one ends it. Each comes after the one before "
       "it "
       "in the list; those between may repeat.",
       "order \"open\" \"use\" \"close\" per thread"},
      {"METRIC [SELECTOR=TEXT]... STATISTIC COMPARISON LIMIT",
       "A line of a budget, as `stats --budget` reads it.",
       "wakeup_latency thread=control p99 <= 50us"},
  };
  return kForms;
}

}  // namespace barefxt::host
