// Findings of a comparison, as sentences and as JSON.
#include <algorithm>
#include <cmath>
#include <utility>

#include <barefxt/host/baseline.h>

namespace barefxt::host {
namespace {

using Kind = Difference::Kind;

// Lines of numbers that cannot be judged; the last one counts those that are not shown.
constexpr size_t kMaxUnknown = 100;

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kWorse:
      return "worse";
    case Kind::kNew:
      return "new";
    case Kind::kVanished:
      return "vanished";
    case Kind::kUnknown:
      return "cannot judge";
    case Kind::kBetter:
      return "better";
    case Kind::kLonger:
      return "longer";
    case Kind::kShorter:
      break;
  }
  return "shorter";
}

// Up, to two digits.
double rounded_up(double number) {
  const double digit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
  return std::ceil(number / digit - 1e-9) * digit;
}

std::string samples(const Difference& one) {
  std::string text = counted(one.new_count, "sample");
  if (one.old_count != one.new_count) append(text, " ({} in the baseline)", one.old_count);
  if (one.alike > 1) {
    append(text, ", of which {:.1f} count as one, since runs differ", one.alike);
  }
  return text;
}

std::string needs(const Difference& one) { return formatted("{:.0f}", rounded_up(one.needs)); }

bool is_event(const Difference& one) { return one.statistic == "count"; }

std::string set_of(const Difference& one) {
  return one.metric + (one.subject.empty() ? "" : " " + one.subject);
}

std::string event_sentence(const Difference& one) {
  const auto times = [](uint64_t count) {
    return count == 0 ? std::string("never") : counted(count, "time");
  };
  std::string text = set_of(one);
  if (one.kind == Kind::kUnknown)
    text += one.old_count == 0 ? " is new" : one.new_count == 0 ? " vanished" : " count";
  append(text, ": {} in the baseline, now {}", times(one.old_count), times(one.new_count));
  if (one.kind == Kind::kUnknown) text += ", needs " + needs(one);
  return text;
}

std::string maximum_sentence(const Difference& one) {
  return formatted(
      "{} max: {}, now {}; {} of {} exceed that of the baseline, which needs {} samples",
      set_of(one), describe_seconds(one.old_seconds), describe_seconds(one.new_seconds), one.above,
      samples(one), needs(one));
}

std::string change_sentence(const Difference& one) {
  std::string text =
      formatted("{} {}: {}, now {}", set_of(one), one.statistic, describe_seconds(one.old_seconds),
                describe_seconds(one.new_seconds));
  if (one.old_seconds <= 0) return text;
  append(text, " ({:+.1f} %)", (one.new_seconds / one.old_seconds - 1) * 100);
  return text;
}

}  // namespace

std::vector<std::string> sentences(const Comparison& comparison) {
  std::vector<const Difference*> ordered;
  ordered.reserve(comparison.differences.size());
  for (const Difference& one : comparison.differences) ordered.push_back(&one);
  // Those of a kind in their order: they are of one vector. Not std::stable_sort: clang warns of
  // what libstdc++ 12 makes it of.
  std::ranges::sort(ordered, {}, [](const Difference* one) { return std::pair(one->kind, one); });
  std::vector<std::string> result;
  size_t unknown = 0;
  const Difference* open = nullptr;  // of the set of the last sentence, which can go on
  for (const Difference* one : ordered) {
    const bool is_quantile =
        one->kind == Kind::kUnknown && !is_event(*one) && one->statistic != "max";
    if (is_quantile && open != nullptr && set_of(*open) == set_of(*one)) {
      if (unknown <= kMaxUnknown)
        result.back() += formatted(", {} {}", one->statistic, needs(*one));
      continue;
    }
    open = is_quantile ? one : nullptr;
    if (one->kind == Kind::kUnknown && ++unknown > kMaxUnknown) continue;
    std::string text = formatted("{}: ", name_of(one->kind));
    if (is_event(*one)) {
      text += event_sentence(*one);
    } else if (is_quantile) {
      append(text, "{}: {}, {} needs {}", set_of(*one), samples(*one), one->statistic, needs(*one));
    } else {
      text += one->kind == Kind::kUnknown ? maximum_sentence(*one) : change_sentence(*one);
    }
    result.push_back(std::move(text));
  }
  if (unknown > kMaxUnknown) {
    result.push_back(formatted("{}: {} more", name_of(Kind::kUnknown), unknown - kMaxUnknown));
  }
  return result;
}

void comparison_json(Output& out, const Comparison& comparison, const Relevance& relevance) {
  JsonObject all(out);
  all.real("relevant_share", relevance.share);
  all.real("relevant_seconds", relevance.seconds);
  all.number("measures", comparison.measures);
  all.real("error_of_each", comparison.error);
  all.number("unchanged", comparison.unchanged);
  all.list("findings", comparison.differences, [&](JsonObject& object, const Difference& one) {
    object.string("kind", name_of(one.kind));
    object.string("metric", one.metric);
    object.string("subject", one.subject);
    object.string("statistic", one.statistic);
    object.number("old_count", one.old_count);
    object.number("new_count", one.new_count);
    if (!is_event(one)) {
      object.real("old_seconds", one.old_seconds);
      object.real("new_seconds", one.new_seconds);
      object.real("alike", one.alike);
    }
    if (one.statistic == "max") object.number("above", one.above);
    if (one.kind == Kind::kUnknown) object.real("needs", rounded_up(one.needs));
  });
}

}  // namespace barefxt::host
