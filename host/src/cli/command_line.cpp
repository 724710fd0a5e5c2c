#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <sstream>

#include "messages.h"

namespace barefxt::cli {

Option Option::placeholder(const char* text) const { return option_->option_text(text); }
Option Option::shows_default() const { return option_->capture_default_str(); }
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
Option Option::separated_by(char between) const { return option_->delimiter(between); }

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

void Verb::footer(const char* text) const { app_->footer(text); }

void Verb::run(const std::function<int()>& verb) const {
  app_->callback([verb, status = status_] {
    try {
      *status = verb();
    } catch (const std::exception& trouble) {  // memory exhausted, in practice
      say(trouble.what());
      *status = kUsage;
    }
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

std::optional<int> CommandLine::parse(int argc, char** argv) {
  // Added last, because --help lists options in the order in which they were added.
  for (CLI::App* verb : app_->get_subcommands([](CLI::App*) { return true; }))
    verb->set_version_flag("--version", version_);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    const int code = app_->exit(asked, text, text);
    return print_text(text.str(), code == 0 ? int{kDone} : int{kUsage});
  } catch (const CLI::ParseError& error) {
    std::stringstream text;
    app_->exit(error, text, text);
    for (std::string line; std::getline(text, line);) std::cerr << host::safe_text(line) << '\n';
    return kUsage;
  }
  return {};
}

bool CommandLine::has_run_verb() const { return !app_->get_subcommands().empty(); }

std::string CommandLine::help() const { return app_->help(); }

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
  described.type = option.get_type_name();
  described.values = values_in(described.type);
  described.description = option.get_description();
  return described;
}

DescribedVerb describe_verb(const CLI::App& verb) {
  DescribedVerb described{verb.get_name(), verb.get_description(), {}};
  for (const CLI::Option* option : verb.get_options())
    described.options.push_back(describe_option(*option));
  // CLI11 keeps a group of options as a verb without a name.
  for (const CLI::App* group :
       verb.get_subcommands([](const CLI::App* each) { return each->get_name().empty(); }))
    for (const CLI::Option* option : group->get_options())
      described.options.push_back(describe_option(*option));
  return described;
}

}  // namespace

DescribedCommand CommandLine::describe() const {
  DescribedCommand command{describe_verb(*app_), version_, app_->get_footer(), {}};
  const CLI::App& app = *app_;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    command.verbs.push_back(describe_verb(*verb));
  return command;
}

}  // namespace barefxt::cli
