// barefxt open: an archive shown by Perfetto's page, which fetches it from this machine: in the
// form that shows most.
#include <cerrno>
#include <cstdio>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barefxt/fxt/blob.h>
#include <barefxt/host/convert_perfetto.h>

#include "../archive/own_events.h"
#include "../archive/random_hex.h"
#include "archive_input.h"
#include "messages.h"
#include "serve/file_server.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

// The one port that Perfetto's page may fetch from.
constexpr unsigned kPort = 9001;
constexpr const char* kSite = "https://ui.perfetto.dev";

enum class PageForm : uint8_t { kFxt, kPerfetto };
constexpr Choice<PageForm> kPageForms[] = {{"fxt", PageForm::kFxt},
                                           {"perfetto", PageForm::kPerfetto}};

struct OpenOptions : ArchiveOptions {
  std::optional<PageForm> form;
  unsigned port = kPort;
  unsigned seconds = 0;
  bool no_browser = false;
};

// Escapes a name for a URL: bytes that a URL allows stay, others become their numbers.
std::string as_url(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    if (plain) {
      url += c;
    } else {
      url += '%';
      url += kDigits[byte >> 4];
      url += kDigits[byte & 0xf];
    }
  }
  return url;
}

// The program that starts the user's browser.
class BrowserStart {
 public:
  explicit BrowserStart(const std::string& url) {
    std::string program = "xdg-open";
    std::string argument = url;
    char* const arguments[] = {program.data(), argument.data(), nullptr};
    const int error =
        ::posix_spawnp(&process_, program.c_str(), nullptr, nullptr, arguments, environ);
    if (error == 0) return;
    process_ = -1;
    say("cannot start a browser with xdg-open (no such program?): open the address above yourself");
  }
  // Prints a message if it has failed by now.
  void look() {
    int status = 0;
    if (process_ < 0 || ::waitpid(process_, &status, WNOHANG) != process_) return;
    process_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      say("xdg-open found no browser: open the address above yourself");
  }

 private:
  pid_t process_ = -1;
};

// Packets of Perfetto's own, which its reader of archives shows and a conversion leaves out.
bool holds_packets(const host::Record& record) {
  const auto* blob = std::get_if<host::Blob>(&record.content);
  return blob != nullptr && blob->type == static_cast<unsigned>(fxt::BlobType::kPerfetto) &&
         !host::repeats_log(*blob);
}

struct Page {
  std::optional<host::Source> converted;  // nothing: the archive as it is
  host::Status status;
  int reading = kDone;  // the exit status for what cannot be read, which is reported
};

Page as_it_is(Archive& archive) {
  host::Reader reader(archive.source.bytes(), archive.form);
  for_each_record(archive.source, reader, [](const host::Record&) { return true; });
  archive.source.release_before(0);
  return {{}, {}, report_reading(archive.source, reader)};
}

// Converts the archive, unless it holds what only its own form shows.
Page convert(Archive& archive, std::optional<PageForm> form) {
  if (form == PageForm::kFxt) return as_it_is(archive);
  int reading = kDone;
  host::Source& source = archive.source;
  bool is_better_as_it_is = false;
  auto converted = host::Source::written(source.name(), [&](host::ByteSink& sink) -> host::Status {
    const auto passed = [&](uint64_t offset) { source.release_before(offset); };
    host::ArchiveWakers wakers(source.bytes(), archive.form, passed);
    host::AddedRecords added(source.bytes(), archive.form, passed, host::AddedRecords::Ends::kAll);
    host::PerfettoConverter converter(sink, wakers, added);
    host::Reader reader(source.bytes(), archive.form);
    for_each_record(source, reader, [&](const host::Record& record) {
      converter.see(record, reader.provider());
      is_better_as_it_is = !form && holds_packets(record);
      return !is_better_as_it_is && !converter.failed();
    });
    source.release_before(0);
    if (is_better_as_it_is) return {};
    reading = report_reading(source, reader);
    return converter.finish();
  });
  if (!converted.ok()) return {{}, converted.error()};
  if (is_better_as_it_is) return as_it_is(archive);
  return {std::move(converted.value()), {}, reading};
}

int open(const OpenOptions& options) {
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const host::Source& source = archive->source;
  host::Reader reader(source.bytes(), archive->form);
  const host::Record* record = reader.next();
  while (record != nullptr && record->is_malformed()) record = reader.next();
  if (record == nullptr) {
    say(source.name() + ": no record of an FXT archive in it");
    return kNothing;
  }
  const Page page = convert(*archive, options.form);
  if (!page.status.ok()) return complain(page.status.error());
  if (!page.converted && archive->form.byte_order == host::ByteOrder::kBig)
    say(source.name() +
        ": big-endian, which Perfetto does not read: make it another with convert --to fxt");

  auto server = serve::FileServer::listen(options.port);
  if (!server.ok()) return complain(server.error());
  std::string name = source.name().substr(source.name().rfind('/') + 1);
  if (page.converted) name += ".pftrace";
  const serve::FileToServe file{page.converted ? page.converted->bytes() : source.bytes(),
                                host::formatted("/{}/{}", host::random_hex(32), as_url(name)),
                                kSite};
  const std::string url =
      host::formatted("{}/#!/?url=http://127.0.0.1:{}{}", kSite, server.value().port(), file.path);
  std::printf("%s\n", url.c_str());
  if (std::fflush(stdout) != 0) {
    say("cannot write standard output");
    return kUsage;
  }
  std::optional<BrowserStart> browser;
  if (!options.no_browser) browser.emplace(url);
  const bool fetched = server.value().serve(file, options.seconds, [&] {
    if (browser) browser->look();
  });
  if (fetched) return page.reading;
  say(
      host::formatted("nobody fetched the archive within {} s, so nothing is shown. Hint: open the "
                      "address above in a browser, or give --seconds more",
                      options.seconds));
  return kNothing;
}

}  // namespace

void add_open(CommandLine& command) {
  const Verb verb = command.add_verb("open",
                                     "Show an archive in Perfetto: serve it on this machine, "
                                     "start the browser, and end when it is loaded");
  auto options = std::make_shared<OpenOptions>();
  options->add_to(verb);
  options->add_old_byte_order(verb);
  verb.choice(
          "--form", options->form, kPageForms,
          "What Perfetto gets: its own format, which shows logs, losses and interrupts, or FILE "
          "as it is, which shows packets of Perfetto's own")
      .placeholder("perfetto|fxt")
      .shows_default("perfetto, fxt if FILE holds such packets");
  constexpr unsigned kMaxPort = 65535;
  verb.option("--port", options->port,
              "Port to listen on; 0 is any free port. Perfetto accepts only 9001")
      .shows_default()
      .in_range(0U, kMaxPort)
      .placeholder("N");
  verb.option("--seconds", options->seconds, "Give up after this time; 0: never")
      .placeholder("SECONDS")
      .shows_default();
  verb.flag("--no-browser", options->no_browser, "Only print the address");
  verb.footer(
      "Examples:\n"
      "  barefxt open trace.fxt\n"
      "  barefxt open serial.raw --no-browser --seconds 60");
  verb.run([options] { return open(*options); });
}

}  // namespace barefxt::cli
