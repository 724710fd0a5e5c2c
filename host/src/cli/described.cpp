#include "described.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace barefxt::cli {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_name().empty(); });
}

// Those of its groups, too, which are verbs without a name to the library.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> options = app.get_options();
  for (const CLI::App* group :
       app.get_subcommands([](const CLI::App* verb) { return verb->get_name().empty(); })) {
    const std::vector<const CLI::Option*> more = group->get_options();
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// "-o", "--output".
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// Of one of a set of values those; of others none. The library knows them as "TEXT:{one,other}",
// or, where they stand for something, "TEXT:{one->1,other->2}".
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{');
  const size_t end = type.find('}', begin);
  std::vector<std::string> values;
  if (begin == std::string::npos || end == std::string::npos) return values;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string value; std::getline(list, value, ',');)
    values.push_back(value.substr(0, value.find("->")));
  return values;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
  return all;
}

// Each of `special` behind a backslash.
std::string escaped(const std::string& text, const std::string& special) {
  std::string all;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) all += '\\';
    all += c;
  }
  return all;
}

// For troff: no line may begin with a dot or a quote, and a hyphen is a minus.
std::string as_troff(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '\\') {
      all += "\\e";
    } else if (c == '-') {
      all += "\\-";
    } else if ((c == '.' || c == '\'') && (all.empty() || all.back() == '\n')) {
      all += std::string("\\&") + c;
    } else {
      all += c;
    }
  }
  return all;
}

// Within single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

void describe_options(const CLI::App& app, std::ostream& page) {
  for (const CLI::Option* option : options_of(app)) {
    std::string head = as_troff(joined(names_of(*option), ", "));
    if (option->get_positional()) head = as_troff(option->get_name(true));
    const std::vector<std::string> values = values_of(*option);
    if (!values.empty())
      head += " " + as_troff(joined(values, "|"));
    else if (!is_flag(*option) && !option->get_positional())
      head += " " + as_troff(option->get_type_name());
    page << ".TP\n.B " << head << "\n" << as_troff(option->get_description()) << "\n";
  }
}

// The body of bash's case of a verb: what follows an option, and the options.
void bash_case(const CLI::App& app, const std::vector<std::string>& more, std::ostream& script) {
  std::vector<std::string> words = more;
  std::ostringstream values;
  for (const CLI::Option* option : options_of(app)) {
    const std::vector<std::string> names = names_of(*option);
    words.insert(words.end(), names.begin(), names.end());
    if (names.empty() || is_flag(*option)) continue;
    values << "        " << joined(names, " | ")
           << ") values=" << quoted(joined(values_of(*option), " ")) << " takes_value=1 ;;\n";
  }
  script << "      words=" << quoted(joined(words, " ")) << "\n";
  if (!values.str().empty())
    script << "      case $previous in\n" << values.str() << "      esac\n";
  script << "      ;;\n";
}

void zsh_options(const CLI::App& app, std::ostream& script) {
  for (const CLI::Option* option : options_of(app)) {
    const std::string text = escaped(option->get_description(), "[]:\\");
    for (const std::string& name : names_of(*option)) {
      std::string spec = "*";
      spec.append(name).append("[").append(text).append("]");
      if (!is_flag(*option)) {
        const std::vector<std::string> values = values_of(*option);
        spec += ":value:" + (values.empty() ? "_files" : "(" + joined(values, " ") + ")");
      }
      script << "        " << quoted(spec) << " \\\n";
    }
  }
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& version) {
  std::ostringstream page;
  const std::string& name = app.get_name();
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  page << ".TH " << title << " 1 \"\" \"" << version << "\"\n"
       << ".SH NAME\n"
       << name << " \\- " << as_troff(app.get_description()) << "\n"
       << ".SH SYNOPSIS\n";
  for (const CLI::App* verb : verbs_of(app)) {
    page << ".B " << name << " " << verb->get_name() << "\n[OPTION]...";
    for (const CLI::Option* option : options_of(*verb))
      if (option->get_positional()) page << " " << as_troff(option->get_name(true));
    page << "\n.br\n";
  }
  page << ".SH DESCRIPTION\n";
  for (const CLI::App* verb : verbs_of(app)) {
    page << ".SS " << name << " " << verb->get_name() << "\n"
         << as_troff(verb->get_description()) << "\n";
    describe_options(*verb, page);
  }
  page << ".SH OPTIONS\n";
  describe_options(app, page);
  page << ".SH NOTES\n" << as_troff(app.get_footer()) << "\n";
  return page.str();
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : verbs_of(app)) verbs.push_back(verb->get_name());
  const std::string& name = app.get_name();
  std::ostringstream script;
  script << "# Completion of " << name << " for bash, made by " << name << " --completion bash.\n"
         << "_" << name << "() {\n"
         << "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         << "  local words='' values='' takes_value='' verb='' i\n"
         << "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         << "    case ${COMP_WORDS[i]} in\n"
         << "      " << joined(verbs, " | ") << ")\n"
         << "        verb=${COMP_WORDS[i]}\n"
         << "        break\n"
         << "        ;;\n"
         << "    esac\n"
         << "  done\n"
         << "  case $verb in\n"
         << "    '')\n";
  bash_case(app, verbs, script);
  for (const CLI::App* verb : verbs_of(app)) {
    script << "    " << verb->get_name() << ")\n";
    bash_case(*verb, {}, script);
  }
  script << "  esac\n"
         << "  COMPREPLY=()\n"
         << "  if [[ -n $values ]]; then\n"
         << "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
         << "  elif [[ -z $takes_value && (-z $verb || $word == -*) ]]; then\n"
         << "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         << "  else\n"
         << "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         << "  fi\n"
         << "}\n"
         << "complete -o filenames -F _" << name << " " << name << "\n";
  return script.str();
}

std::string zsh_completion(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::ostringstream script;
  script << "#compdef " << name << "\n"
         << "# Completion of " << name << " for zsh, made by " << name << " --completion zsh.\n"
         << "_" << name << "() {\n"
         << "  local -a verbs\n"
         << "  verbs=(\n";
  for (const CLI::App* verb : verbs_of(app))
    script << "    " << quoted(verb->get_name() + ":" + escaped(verb->get_description(), ":\\"))
           << "\n";
  script << "  )\n"
         << "  if ((CURRENT == 2)); then\n"
         << "    _describe verb verbs\n"
         << "    _arguments \\\n";
  zsh_options(app, script);
  script << "        && return\n"
         << "    return\n"
         << "  fi\n"
         << "  local verb=$words[2]\n"
         << "  shift words\n"
         << "  ((CURRENT--))\n"
         << "  case $verb in\n";
  for (const CLI::App* verb : verbs_of(app)) {
    script << "    " << verb->get_name() << ")\n"
           << "      _arguments \\\n";
    zsh_options(*verb, script);
    script << "        '*:file:_files'\n"
           << "      ;;\n";
  }
  script << "  esac\n"
         << "}\n"
         << "_" << name << " \"$@\"\n";
  return script.str();
}

}  // namespace barefxt::cli
