// The grammar of docs/reference/rules.md, by recursive descent: one function a form.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <barefxt/host/rules.h>
#include <barefxt/host/safe_text.h>

#include "../figures/nearest.h"
#include "tokens.h"

namespace barefxt::host {
namespace {

constexpr auto kFirstWords =
    std::to_array<std::string_view>({"after", "never", "every", "slice", "irq", "between",
                                     "counter", "stack", "flow", "order", "let"});
using Definitions = std::map<std::string, std::vector<Token>, std::less<>>;

class RuleParser {
 public:
  RuleParser(const std::vector<Token>& tokens, const Definitions& definitions)
      : tokens_(tokens), definitions_(definitions) {}

  // Each returns false where the line is wrong; fault() says how.
  bool rule(TraceRule& rule) {
    if (accept("after")) return after(rule) && window(rule);
    if (accept("never")) return never(rule) && window(rule);
    if (accept("every")) return every(rule) && window(rule);
    if (next().is("slice") || next().is("irq")) return lasts(rule) && window(rule);
    if (accept("between")) return between(rule) && window(rule);
    if (accept("counter")) return counter(rule) && window(rule);
    if (accept("stack")) return stack(rule) && window(rule);
    if (accept("flow")) return flow(rule) && window(rule);
    if (accept("order")) return order(rule) && window(rule);
    Nearest nearest(next().text);
    for (const std::string_view word : kFirstWords) nearest.see(word);
    const std::string question =
        next().kind == Token::Kind::kWord ? nearest.question() : std::string();
    return expected(
        "after, never, every, slice, irq, between, counter, stack, flow, order, let, or a "
        "line of a budget",
        question);
  }

  bool definition(std::string& name, std::vector<Token>& value) {
    if (next().kind != Token::Kind::kWord) return expected("a name for the constant");
    name = next().text;
    ++at_;
    if (!expect("=")) return false;
    const size_t first = at_;
    if (next().kind == Token::Kind::kString) {
      ++at_;
    } else if (next().kind == Token::Kind::kNumber) {
      ++at_;
      if (next().kind == Token::Kind::kWord || next().is("%")) ++at_;
    } else {
      return expected("a time, a number or a name in quotes");
    }
    value.assign(tokens_.begin() + static_cast<ptrdiff_t>(first),
                 tokens_.begin() + static_cast<ptrdiff_t>(at_));
    return end();
  }

  const LineFault& fault() const { return fault_; }

 private:
  const Token& next() const { return tokens_[at_]; }
  bool accept(std::string_view word) {
    if (!next().is(word)) return false;
    ++at_;
    return true;
  }
  bool fail(std::string what, std::string hint = {}) {
    fault_ = {next().column, std::move(what), std::move(hint)};
    return false;
  }
  bool expected(std::string_view what, std::string_view more = {}) {
    return fail(formatted("expected {}, but {}{}", what, next().shown(), more));
  }
  bool expect(std::string_view word) {
    return accept(word) || expected("'" + std::string(word) + "'");
  }
  bool end() { return next().kind == Token::Kind::kEnd || expected("the end of the line"); }

  // The tokens that a constant stands for, or the next ones.
  const Token* constant() const {
    if (next().kind != Token::Kind::kWord) return nullptr;
    const auto found = definitions_.find(next().text);
    return found == definitions_.end() ? nullptr : found->second.data();
  }
  size_t constant_size() const { return definitions_.find(next().text)->second.size(); }

  bool name(std::string& name, std::string_view what) {
    const Token* token = constant() == nullptr ? &next() : constant();
    if (token->kind != Token::Kind::kString) return expected(formatted("{} in quotes", what));
    name = token->text;
    ++at_;
    return true;
  }

  bool time(TimeBound& time) {
    const Token* tokens = constant();
    const size_t size = tokens == nullptr ? 0 : constant_size();
    if (tokens == nullptr) tokens = &next();
    const auto found = tokens->kind != Token::Kind::kNumber || (size == 1)
                           ? std::nullopt
                           : time_limit_in(tokens[0].text + tokens[1].text);
    if (!found) return expected("a time such as 50us (ns, us, ms, s or ticks), or a constant");
    time = *found;
    at_ += size == 0 ? 2 : 1;
    return true;
  }

  bool positive_time(TimeBound& length) {
    const size_t at = at_;
    if (!time(length)) return false;
    if (length.value > 0) return true;
    at_ = at;
    return fail("this time is 0", "it must be longer");
  }

  bool comparison(BudgetLine::Bound& bound) {
    static constexpr std::pair<std::string_view, BudgetLine::Bound> kBounds[] = {
        {"<=", BudgetLine::Bound::kAtMost},
        {"<", BudgetLine::Bound::kLess},
        {">=", BudgetLine::Bound::kAtLeast},
        {">", BudgetLine::Bound::kMore},
        {"=", BudgetLine::Bound::kEqual}};
    for (const auto& [symbol, one] : kBounds) {
      if (!accept(symbol)) continue;
      bound = one;
      return true;
    }
    return expected("<, <=, >, >= or =");
  }

  bool event(RuleEvent& event, std::string_view what) {
    if (accept("irq")) return edge_of(event, RuleEventKind::kIrqBegins, "an interrupt's name");
    if (accept("slice")) return edge_of(event, RuleEventKind::kSliceBegins, "a duration's name");
    if (accept("flow")) {
      if (!name(event.name, "a flow's name")) return false;
      event.kind = RuleEventKind::kFlowEnds;
      if (accept("ends")) return true;
      event.kind = RuleEventKind::kFlowBegins;
      return accept("begins") || expected("begins or ends");
    }
    if (accept("thread")) {
      if (!name(event.name, "a thread's name")) return false;
      event.kind = RuleEventKind::kRuns;
      if (accept("runs")) return true;
      event.kind = RuleEventKind::kStops;
      if (accept("stops")) return true;
      event.kind = RuleEventKind::kWakes;
      return accept("wakes") || expected("runs, stops or wakes");
    }
    if (accept("lock")) {
      if (!name(event.name, "a lock's name")) return false;
      event.kind = RuleEventKind::kTaken;
      if (accept("taken")) return holder(event.by);
      event.kind = RuleEventKind::kReleased;
      return accept("released") ? holder(event.by) : expected("taken or released");
    }
    event.kind = RuleEventKind::kNamed;
    const bool is_name = next().kind == Token::Kind::kString || constant() != nullptr;
    if (!is_name)
      return expected(formatted("{}: a name in quotes, irq, slice, thread, lock or flow", what));
    return name(event.name, "a name");
  }
  bool edge_of(RuleEvent& event, RuleEventKind begins, std::string_view what) {
    if (!name(event.name, what)) return false;
    event.kind = begins;
    if (accept("begins")) return true;
    if (!accept("ends")) return true;
    event.kind =
        begins == RuleEventKind::kIrqBegins ? RuleEventKind::kIrqEnds : RuleEventKind::kSliceEnds;
    return true;
  }
  bool holder(std::string& by) { return !accept("by") || name(by, "a thread's name"); }

  bool state(RuleState& state) {
    if (accept("thread")) {
      state.kind = RuleStateKind::kRuns;
      return name(state.name, "a thread's name") && expect("runs");
    }
    if (accept("lock")) {
      state.kind = RuleStateKind::kHeld;
      return name(state.name, "a lock's name") && expect("held") && holder(state.by);
    }
    if (accept("irq")) {
      state.kind = RuleStateKind::kIrq;
      return name(state.name, "an interrupt's name");
    }
    if (accept("slice")) {
      state.kind = RuleStateKind::kSlice;
      return name(state.name, "a duration's name");
    }
    return expected("what lasts: thread \"...\" runs, lock \"...\" held, irq or slice");
  }

  bool add_event(TraceRule& rule, std::string_view what) {
    if (rule.events.size() == kMaxRuleEvents)
      return fail(formatted("more than {} events in one rule", kMaxRuleEvents));
    return event(rule.events.emplace_back(), what);
  }

  bool after(TraceRule& rule) {
    rule.form = RuleForm::kAfter;
    if (!add_event(rule, "the event that asks for a response")) return false;
    do {
      if (!expect("within") || !positive_time(rule.within.emplace_back()) ||
          !add_event(rule, "the response"))
        return false;
    } while (accept("then"));
    return true;
  }

  // True if a state stands here that is no event as well.
  bool is_state() const {
    if (next().is("thread") && at_ + 2 < tokens_.size()) return tokens_[at_ + 2].is("runs");
    return next().is("lock") && at_ + 2 < tokens_.size() && tokens_[at_ + 2].is("held");
  }

  bool never(TraceRule& rule) {
    rule.form = RuleForm::kNever;
    if (is_state()) {
      if (!state(rule.state.emplace())) return false;
    } else if (!add_event(rule, "what must not happen")) {
      return false;
    }
    return !accept("while") || state(rule.during.emplace());
  }

  bool every(TraceRule& rule) {
    rule.form = RuleForm::kEvery;
    if (!positive_time(rule.period)) return false;
    const size_t jitter = at_;
    if (accept("+-") && !time(rule.jitter)) return false;
    if (accept("offset") && !time(rule.offset.emplace())) return false;
    if (rule.jitter.in_ticks == rule.period.in_ticks && rule.jitter.value > 0 &&
        rule.jitter.value * 2 >= rule.period.value) {
      at_ = jitter;
      return fail("the jitter is half of the period or more", "no time would be wrong");
    }
    if (!add_event(rule, "what recurs")) return false;
    if (!accept("done")) return true;
    const RuleEventKind kind = rule.events[0].kind;
    if (kind != RuleEventKind::kIrqBegins && kind != RuleEventKind::kSliceBegins) {
      --at_;
      return fail("only a slice or an irq can be done");
    }
    return expect("within") && positive_time(rule.done_within.emplace());
  }

  bool lasts(TraceRule& rule) {
    rule.form = RuleForm::kLasts;
    const bool is_irq = next().is("irq");
    ++at_;
    RuleEvent& event = rule.events.emplace_back();
    event.kind = is_irq ? RuleEventKind::kIrqBegins : RuleEventKind::kSliceBegins;
    return name(event.name, is_irq ? "an interrupt's name" : "a duration's name") &&
           expect("lasts") && comparison(rule.bound) && time(rule.length);
  }

  bool between(TraceRule& rule) {
    rule.form = RuleForm::kBetween;
    if (!add_event(rule, "where it begins") || !expect("and") || !add_event(rule, "where it ends"))
      return false;
    if (accept("exactly")) {
      rule.bound = BudgetLine::Bound::kEqual;
    } else if (accept("at")) {
      rule.bound = next().is("least") ? BudgetLine::Bound::kAtLeast : BudgetLine::Bound::kAtMost;
      if (!accept("least") && !accept("most")) return expected("least or most");
    } else {
      return expected("exactly, at least or at most");
    }
    const Token* number = constant() == nullptr ? &next() : constant();
    constexpr double kMaxCount = 1e15;
    if (number->kind != Token::Kind::kNumber || number->number > kMaxCount ||
        number->text.find('.') != std::string::npos)
      return expected("a whole number");
    rule.count = static_cast<uint64_t>(number->number);
    ++at_;
    return add_event(rule, "what is counted");
  }

  // A number, "64KiB", or "90%".
  bool plain_value(double& value, std::string& text, bool& is_share) {
    const Token* tokens = constant();
    size_t size = tokens == nullptr ? 0 : constant_size();
    const bool is_constant = size > 0;
    if (tokens == nullptr) {
      tokens = &next();
      size = next().kind == Token::Kind::kNumber ? 2 : 1;
    }
    if (tokens->kind != Token::Kind::kNumber)
      return expected("a number, such as 100, 64KiB or 90% of 64KiB");
    value = tokens->number;
    text += tokens->text;
    static constexpr std::pair<std::string_view, double> kUnits[] = {
        {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    size_t taken = 1;
    is_share = size == 2 && tokens[1].is("%");
    if (is_share) taken = 2;
    for (const auto& [unit, factor] : kUnits) {
      if (size < 2 || !tokens[1].is(unit)) continue;
      value *= factor;
      taken = 2;
    }
    if (is_constant && taken != size) return expected("a number without a unit of time");
    if (taken == 2) text += tokens[1].text;
    at_ += is_constant ? 1 : taken;
    return true;
  }

  bool counter(TraceRule& rule) {
    rule.form = RuleForm::kCounter;
    if (!name(rule.counter, "a counter's name")) return false;
    if (next().kind == Token::Kind::kString && !name(rule.argument, "an argument's name"))
      return false;
    bool is_share = false;
    if (!comparison(rule.bound) || !plain_value(rule.value, rule.value_text, is_share))
      return false;
    if (is_share && accept("of")) {
      double whole = 0;
      rule.value_text += " of ";
      if (!plain_value(whole, rule.value_text, is_share)) return false;
      constexpr double kPercent = 100;
      rule.value = rule.value * whole / kPercent;
    }
    return expect("always");
  }

  bool stack(TraceRule& rule) {
    rule.form = RuleForm::kStack;
    if (!name(rule.counter, "a thread's name") || !expect("left") || !comparison(rule.bound))
      return false;
    const size_t at = at_;
    bool is_share = false;
    if (!plain_value(rule.value, rule.value_text, is_share)) return false;
    if (!is_share) return true;
    at_ = at;
    return fail("a percentage of a stack", "write a number of bytes, such as 128 or 1KiB");
  }

  bool flow(TraceRule& rule) {
    rule.form = RuleForm::kFlow;
    if (!name(rule.flow, "a flow's name") || !expect("end") || !expect("to") || !expect("end"))
      return false;
    if (next().kind == Token::Kind::kWord && next().text.starts_with('p')) {
      const std::string digits = next().text.substr(1);
      const auto lexed = tokens_of(digits);
      const auto* const tokens = std::get_if<std::vector<Token>>(&lexed);
      constexpr double kAll = 100;
      if (tokens == nullptr || tokens->size() != 2 || (*tokens)[0].kind != Token::Kind::kNumber ||
          (*tokens)[0].number <= 0 || (*tokens)[0].number > kAll)
        return expected("a percentile such as p99");
      rule.percentile = (*tokens)[0].number;
      ++at_;
    } else {
      (void)accept("max");
    }
    if (rule.percentile < 100 && (next().is(">") || next().is(">=") || next().is("=")))
      return expected("< or <=");
    return comparison(rule.bound) && time(rule.length);
  }

  bool order(TraceRule& rule) {
    rule.form = RuleForm::kOrder;
    const auto is_over = [&] {
      return next().kind == Token::Kind::kEnd || next().is("per") || next().is("from") ||
             next().is("to");
    };
    do {
      if (!add_event(rule, "an event of the order")) return false;
    } while (!is_over() || rule.events.size() < 2);
    if (accept("per")) {
      if (!expect("thread")) return false;
      rule.per_thread = true;
    }
    return true;
  }

  bool window_edge(std::optional<RuleEdge>& edge, std::string_view what) {
    edge.emplace();
    const Token* const token = constant() == nullptr ? &next() : constant();
    if (token->kind == Token::Kind::kNumber) return time(edge->time);
    return event(edge->event.emplace(), what);
  }
  bool window(TraceRule& rule) {
    if (accept("from") && !window_edge(rule.from, "where the window begins")) return false;
    if (accept("to") && !window_edge(rule.to, "where the window ends")) return false;
    return end();
  }

  const std::vector<Token>& tokens_;
  const Definitions& definitions_;
  size_t at_ = 0;
  LineFault fault_{};
};

// True of a line of a budget: `flow name=...`, where a rule has `flow "..."`.
bool begins_with_metric(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  const size_t end = line.find_first_of(" \t?\"", begin);
  if (end == std::string_view::npos || line[end] == '"') return false;
  const size_t after = line.find_first_not_of(" \t?", end);
  if (after == std::string_view::npos || line[after] == '"') return false;
  const std::string_view word = line.substr(begin, end - begin);
  const auto& known = known_metrics();
  return std::ranges::find(known, word) != known.end();
}

Error error_at(const std::string& file, unsigned line, const LineFault& fault) {
  return {fault.what, formatted("{}:{}:{}", file, line, fault.column), fault.hint};
}

}  // namespace

Result<std::vector<TraceRule>> parse_rules(std::string_view text, const std::string& file) {
  std::vector<TraceRule> rules;
  Definitions definitions;
  for (unsigned number = 1; !text.empty(); ++number) {
    const size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    TraceRule rule;
    rule.line = number;
    if (begins_with_metric(line)) {
      auto budget = parse_budget(line, file);
      if (!budget.ok())
        return Error{budget.error().what, formatted("{}:{}", file, number), budget.error().hint};
      rule.text = safe_text(budget.value()[0].text);
      rule.budget = std::move(budget.value());
      rule.budget[0].number = number;
    } else {
      const auto lexed = tokens_of(line);
      if (const auto* const fault = std::get_if<LineFault>(&lexed))
        return error_at(file, number, *fault);
      const auto& tokens = std::get<std::vector<Token>>(lexed);
      if (tokens.front().kind == Token::Kind::kEnd) continue;
      if (tokens.front().is("let")) {
        const std::vector<Token> behind(tokens.begin() + 1, tokens.end());
        RuleParser parser(behind, definitions);
        std::string name;
        std::vector<Token> value;
        if (!parser.definition(name, value)) return error_at(file, number, parser.fault());
        if (std::ranges::find(kFirstWords, name) != kFirstWords.end())
          return error_at(file, number, {behind[0].column, "'" + name + "' begins a rule", ""});
        if (definitions.size() == kMaxDefinitions)
          return error_at(file, number,
                          {1, formatted("more than {} constants", kMaxDefinitions), ""});
        if (!definitions.emplace(name, std::move(value)).second)
          return error_at(file, number,
                          {behind[0].column, "'" + name + "' has a value already", ""});
        continue;
      }
      RuleParser parser(tokens, definitions);
      if (!parser.rule(rule)) return error_at(file, number, parser.fault());
      const std::string_view code = line.substr(0, tokens.back().begin);
      const size_t begin = tokens.front().begin;
      rule.text = safe_text(code.substr(begin, code.find_last_not_of(" \t\r") + 1 - begin));
    }
    if (rules.size() == kMaxRules)
      return Error{formatted("more than {} rules", kMaxRules), formatted("{}:{}", file, number),
                   "make several files of it"};
    rules.push_back(std::move(rule));
  }
  if (rules.empty()) return Error{"no line of it is a rule", file, ""};
  return rules;
}

}  // namespace barefxt::host
