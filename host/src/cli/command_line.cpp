#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <exception>
#include <iostream>
#include <sstream>

#include "messages.h"
#include "terminal.h"

namespace barefxt::cli {

Option Option::placeholder(const char* text) const { return option_->option_text(text); }
Option Option::shows_default() const { return option_->capture_default_str(); }
Option Option::shows_default(const char* text) const { return option_->default_str(text); }
Option Option::under(const char* heading) const { return option_->group(heading); }
Option Option::required() const { return option_->required(); }
Option Option::one_of(std::initializer_list<const char*> values) const {
  return option_->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end())));
}
Option Option::one_of(std::initializer_list<int> values) const {
  return option_->check(CLI::IsMember(std::vector<int>(values)));
}
Option Option::in_range(uint64_t least, uint64_t most) const {
  return option_->check(CLI::Range(least, most));
}
Option Option::positive() const { return option_->check(CLI::PositiveNumber); }
Option Option::not_negative() const { return option_->check(CLI::NonNegativeNumber); }
Option Option::needs(const Option& other) const { return option_->needs(other.option_); }
Option Option::excludes(const Option& other) const { return option_->excludes(other.option_); }
Option Option::one_each_time() const { return option_->allow_extra_args(false); }
Option Option::of_two_words() const { return option_->expected(2)->allow_extra_args(false); }
Option Option::separated_by(char between) const { return option_->delimiter(between); }
Option Option::is_old_spelling() const { return option_->group(""); }
Option Option::suggests(std::initializer_list<const char*> values) const {
  std::string list;
  for (const char* value : values) list += (list.empty() ? "" : ",") + std::string(value);
  return option_->type_name("TEXT:{" + list + "}");
}

Option OptionSet::flag(const char* names, bool& value, const char* description) const {
  return app_->add_flag(names, value, description);
}
template <typename Value>
Option OptionSet::option(const char* names, Value& value, const char* description) const {
  return app_->add_option(names, value, description);
}
template Option OptionSet::option(const char*, std::string&, const char*) const;
template Option OptionSet::option(const char*, int&, const char*) const;
template Option OptionSet::option(const char*, unsigned&, const char*) const;
template Option OptionSet::option(const char*, uint64_t&, const char*) const;
template Option OptionSet::option(const char*, double&, const char*) const;
template Option OptionSet::option(const char*, std::vector<std::string>&, const char*) const;
template Option OptionSet::option(const char*, std::vector<unsigned>&, const char*) const;

Option OptionSet::add_choice(const char* names, const std::vector<std::string>& words,
                             bool takes_several, const std::function<void(size_t)>& choose,
                             const std::string& now, const char* description) const {
  using Words = std::vector<std::string>;
  const auto one = [words, choose](const std::string& word) {
    choose(static_cast<size_t>(std::find(words.begin(), words.end(), word) - words.begin()));
  };
  const auto several = [one](const Words& given) {
    std::for_each(given.begin(), given.end(), one);
  };
  CLI::Option* option = takes_several
                            ? app_->add_option_function<Words>(names, several, description)
                            : app_->add_option_function<std::string>(names, one, description);
  // The check rejects all other words before `one` looks for them.
  return option->default_function([now] { return now; })->check(CLI::IsMember(words));
}

OptionSet OptionSet::exactly_one(const char* name) const {
  CLI::Option_group* group = app_->add_option_group(name);
  group->require_option(1);
  return OptionSet(group);
}

namespace {

bool is_old(const CLI::Option& option) { return option.get_group().empty(); }

}  // namespace

void Verb::footer(const char* text) const { app_->footer(text); }

void Verb::run(const std::function<int()>& verb) const {
  app_->callback([verb, app = app_, status = status_] {
    for (const CLI::Option* option : app->get_options())
      if (is_old(*option) && option->count() != 0)
        say(host::formatted("--{} is an old spelling, which the next version refuses. Hint: use {}",
                            option->get_lnames()[0], option->get_description()));
    *status = verb();
  });
}

CommandLine::CommandLine(const char* name, const char* version, const char* description,
                         const char* footer)
    : app_(std::make_unique<CLI::App>(description)), version_(version), status_(kDone) {
  app_->name(name);
  app_->set_version_flag("--version", version_);
  app_->footer(footer);
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

OptionSet CommandLine::options() const { return OptionSet(app_.get()); }

Verb CommandLine::add_verb(const char* name, const char* description) {
  return {app_->add_subcommand(name, description), status_};
}

namespace {

// --help in the words of help.cpp.
class Help : public CLI::Formatter {
 public:
  explicit Help(const CommandLine& line) : line_(line) {}
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    const DescribedCommand command = line_.describe();
    for (const DescribedVerb& verb : command.verbs)
      if (app->get_parent() != nullptr && verb.name == app->get_name())
        return help_of(command, verb);
    return help_of(command);
  }

 private:
  const CommandLine& line_;
};

// The words of the command line, where `help VERB` is `VERB --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  return words;
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

std::string meaning_hint(const std::string& word, const std::vector<std::string>& known,
                         const std::string& help) {
  const std::string meant = likely_meant(word, known);
  return (meant.empty() ? "" : "did you mean " + meant + "? ") + help;
}

}  // namespace

host::Status CommandLine::check_verb(const std::vector<std::string>& words) const {
  if (words.empty() || is_option(words[0])) return {};
  const DescribedCommand command = describe();
  std::vector<std::string> verbs;
  verbs.reserve(command.verbs.size());
  for (const DescribedVerb& verb : command.verbs) verbs.push_back(verb.name);
  if (std::find(verbs.begin(), verbs.end(), words[0]) != verbs.end()) return {};
  return host::Error{"no such verb", words[0],
                     meaning_hint(words[0], verbs, command.name + " --help lists all")};
}

host::Error CommandLine::wrong_words(const std::vector<std::string>& words,
                                     const std::string& trouble) const {
  const DescribedCommand command = describe();
  for (const DescribedVerb& verb : command.verbs) {
    if (words.empty() || verb.name != words[0]) continue;
    const std::string help = host::formatted("{} {} --help", command.name, verb.name);
    std::vector<std::string> known;
    for (const DescribedOption& option : verb.options)
      known.insert(known.end(), option.names.begin(), option.names.end());
    for (const std::string& word : words) {
      if (!is_option(word) || word == "--") continue;
      const bool is_long = word.starts_with("--");
      // Short ones are one letter, which a value may follow; a digit there is a number below 0.
      if (!is_long && std::isalpha(static_cast<unsigned char>(word[1])) == 0) continue;
      const std::string name = word.substr(0, is_long ? word.find('=') : 2);
      if (std::find(known.begin(), known.end(), name) == known.end())
        return {"no such option of " + verb.name, name,
                is_long ? meaning_hint(name, known, help) : help};
    }
    return {trouble, verb.name, help};
  }
  return {trouble, {}, command.name + " --help"};
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  app_->formatter(std::make_shared<Help>(*this));
  // Added last, because --help lists options in the order in which they were added.
  for (CLI::App* verb : app_->get_subcommands([](CLI::App*) { return true; })) {
    verb->formatter(std::make_shared<Help>(*this));
    terminal_options().add_to(OptionSet(verb));
    verb->set_version_flag("--version", version_);
  }
  std::vector<std::string> words = words_of(argc, argv);
  if (const host::Status status = check_verb(words); !status.ok()) return complain(status.error());
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    const int code = app_->exit(asked, text, text);
    return print_text(text.str(), code == 0 ? int{kDone} : int{kUsage});
  } catch (const CLI::ParseError& error) {
    return complain(wrong_words(words, error.what()));
  }
  return {};
}

bool CommandLine::has_run_verb() const { return !app_->get_subcommands().empty(); }

std::string CommandLine::help() const { return help_of(describe()); }

namespace {

// CLI11 has the values of one_of() only in the type: "TEXT:{one,other}".
std::vector<std::string> values_in(const std::string& type) {
  const size_t begin = type.find('{');
  const size_t end = type.find('}', begin);
  std::vector<std::string> values;
  if (begin == std::string::npos || end == std::string::npos) return values;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string value; std::getline(list, value, ',');) values.push_back(value);
  return values;
}

DescribedOption describe_option(const CLI::Option& option) {
  DescribedOption described;
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  if (option.get_positional()) described.positional = option.get_name(true);
  described.takes_value = option.get_items_expected_max() != 0;
  described.takes_several = option.get_items_expected_max() > 1;
  const std::string type = option.get_type_name();
  described.values = values_in(type);
  described.value = option.get_option_text();
  for (const std::string& value : described.values) {
    if (!option.get_option_text().empty()) break;
    described.value += (described.value.empty() ? "" : "|") + value;
  }
  if (described.value.empty()) described.value = type.starts_with("TEXT") ? "TEXT" : "N";
  described.preset = option.get_default_str();
  described.is_required = option.get_required();
  described.group = option.get_group();
  described.description = option.get_description();
  return described;
}

DescribedVerb describe_verb(const CLI::App& verb) {
  DescribedVerb described{verb.get_name(), verb.get_description(), verb.get_footer(), {}};
  // A verb without a footer of its own has its parent's.
  if (verb.get_parent() != nullptr && described.footer == verb.get_parent()->get_footer())
    described.footer.clear();
  for (const CLI::Option* option : verb.get_options())
    if (!is_old(*option)) described.options.push_back(describe_option(*option));
  // CLI11 keeps a group of options as a verb without a name.
  for (const CLI::App* group :
       verb.get_subcommands([](const CLI::App* each) { return each->get_name().empty(); }))
    for (const CLI::Option* option : group->get_options()) {
      if (option == group->get_help_ptr()) continue;
      described.options.push_back(describe_option(*option));
      described.options.back().group = group->get_group() + " (exactly one is required)";
    }
  return described;
}

}  // namespace

DescribedCommand CommandLine::describe() const {
  DescribedCommand command{describe_verb(*app_), version_, {}};
  const CLI::App& app = *app_;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    command.verbs.push_back(describe_verb(*verb));
  return command;
}

}  // namespace barefxt::cli
