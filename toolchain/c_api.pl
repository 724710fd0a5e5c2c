#!/usr/bin/env perl
# Makes docs/reference/c-api.md from the comments of the public headers, or with --list the declarations that it describes.
#
#   toolchain/c_api.pl [--list] SOURCE
#
# A comment `---- TITLE ----` begins a section: text, samples, and an @macro line for each macro. A comment directly above a function,
# a macro or a type describes it: summary, @param, @return, @error, @context, notes. A function whose comment lacks one of these is refused.
use strict;
use warnings;

my $lists = @ARGV && $ARGV[0] eq '--list' && shift;
my $source = shift // die "usage: c_api.pl [--list] SOURCE\n";
my @headers = qw(barefxt whole_frames types category text event_c argument_c records lock sample heap stack kernel_hooks);
my @titles = (
  'Session', 'Dump and drain', 'Requests of the host', 'Functions and their calls', 'Resets and caches', 'Clock', 'Processes and threads',
  'Scheduling', 'Locks', 'Samples', 'Heaps', 'Stacks', 'Kernels that are not yours', 'Categories', 'Texts', 'Events', 'Arguments', 'Records beyond events', 'Types',
);
my %sections = map { $_ => {text => [], entries => []} } @titles;
my $failures = 0;

sub complain {
  my ($header, $text) = @_;
  print STDERR "runtime/include/barefxt/$header.h: $text\n";
  ++$failures;
}

# Names of the API as code, pages as links.
sub mark {
  my ($text) = @_;
  my $name = qr/(?:(?:barefxt|BAREFXT)_\w+(?:=\d)?(?:\.\.\.)?|\bcpu-N\b)/;
  $text =~ s{(`[^`]*`)|\bdocs/reference/([\w-]+\.md)|\bdocs/([\w-]+/([\w-]+\.md))|(\b(?:port|linker|runtime)/[\w/.]*[\w/]|\b$name)}
            {defined $1 ? $1 : defined $2 ? "[$2]($2)" : defined $3 ? "[$4](../$3)" : "`$5`"}ge;
  $text =~ s/"`([^`]*)`"/`"$1"`/g;
  return $text;
}

# A comment as a summary, tags and notes. Notes are paragraphs; samples keep their lines.
sub parse_comment {
  my ($text) = @_;
  $text =~ s/\s+$//;
  my %doc = (paragraphs => [], params => [], errors => [], macros => []);
  my $to;
  for my $line (split /\n/, $text) {
    if ($line =~ /^@(\w+)(?: (.*))?$/) {
      my ($tag, $rest) = ($1, $2 // '');
      if ($tag eq 'param' && $rest =~ s/^(\w+) //) {
        push @{$doc{params}}, [$1, $rest];
        $to = \$doc{params}[-1][1];
      } elsif ($tag eq 'error' && $rest =~ s/^(\w+) //) {
        push @{$doc{errors}}, [$1, $rest];
        $to = \$doc{errors}[-1][1];
      } elsif ($tag eq 'macro' && $rest =~ s/^(\w+(?:\([^)]*\))?) //) {
        push @{$doc{macros}}, [$1, $rest];
        $to = \$doc{macros}[-1][1];
      } elsif ($tag eq 'macro') {
        push @{$doc{macros}}, [$rest, ''];
        $to = \$doc{macros}[-1][0];
      } else {
        $doc{$tag} = $rest;
        $to = \$doc{$tag};
      }
    } elsif ($line =~ /^\s*$/) {
      $to = undef;
    } elsif (!defined $to || ($line =~ /^    / && $$to !~ /^    /)) {
      push @{$doc{paragraphs}}, $line;
      $to = \$doc{paragraphs}[-1];
    } elsif ($$to =~ /^    /) {
      $$to .= "\n$line";
    } else {
      $line =~ s/^\s+//;
      $$to .= " $line";
    }
  }
  # A macro's parameters may go on in the next line.
  for my $macro (@{$doc{macros}}) {
    next if $macro->[1] ne '';
    @$macro = ($1, $2) if $macro->[0] =~ /^(\w+\([^)]*\)) (.*)$/;
  }
  return \%doc;
}

sub one_line {
  my ($declaration) = @_;
  $declaration =~ s/\b(?:static|inline)\s+//g;
  $declaration =~ s/__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*//g;
  $declaration =~ s/\s+/ /g;
  $declaration =~ s/^ | ?[;{]?$//g;
  return $declaration;
}

# Members of a struct, or values of an enum: [name, comment]. A comment on a line of its own stands ahead of its member.
sub members_of {
  my ($body) = @_;
  my (@members, $ahead);
  my $is_alone = 1;
  for my $part (split m{(/\*.*?\*/)}s, $body) {
    if ($part =~ m{^/\*(.*)\*/$}s) {
      (my $comment = $1) =~ s/\s*\n\s*(?:\* )?/ /g;
      $comment =~ s/^\s+|\s+$//g;
      if ($is_alone) {
        $ahead = $comment;
      } else {
        $members[-1][1] = $comment;
      }
      next;
    }
    $is_alone = $part =~ /\n\s*$/;
    (my $code = $part) =~ s/^[,;]|\s+/ /g;
    $code =~ s/\)\([^()]*\)/)/g;
    for my $member (split /[,;]/, $code) {
      next unless $member =~ /\(\*(\w+)\)/ || $member =~ /(\w+)\s*(?:=[^=]*)?$/;
      push @members, [$1, $ahead // ''];
      $ahead = undef;
    }
  }
  return @members;
}

sub check_function {
  my ($header, $declaration, $doc) = @_;
  my ($type, $name, $parameters) = $declaration =~ /^(.*?)(\w+)\((.*)\)$/;
  complain($header, "$name: no \@context") unless defined $doc->{context};
  return if $name =~ /^barefxt_arg_/ && !@{$doc->{params}};
  return if $doc->{paragraphs}[0] =~ /^Deprecated:/;
  my @expected = $parameters eq 'void' ? () : map { /(\w+)$/ ? $1 : $_ } split /, /, $parameters;
  my @found = map { $_->[0] } @{$doc->{params}};
  complain($header, "$name: \@param @found, and its parameters are @expected") if "@found" ne "@expected";
  my $is_void = $type =~ /^void $/;
  complain($header, "$name: no \@return") if !$is_void && !defined $doc->{return};
  complain($header, "$name: \@return of nothing") if $is_void && defined $doc->{return};
  complain($header, "$name: no \@error") if $type =~ /^barefxt_error / && !@{$doc->{errors}} && $doc->{return} !~ /an error of/;
}

my $list = '';
for my $header (@headers) {
  my $path = "$source/runtime/include/barefxt/$header.h";
  open(my $file, '<', $path) or die "$path: $!\n";
  my $text = do { local $/; <$file> };
  my $section;
  while ($text =~ m{^/\*(.*?)\*/\n((?:\#(?:if|else|endif|ifdef|ifndef)\b[^\n]*\n|extern "C" \{\n)*)}gms) {
    my $comment = $1;
    my $behind = substr($text, $+[0], 8000);
    $comment =~ s/^ \* ?//mg;
    $comment =~ s/^ //;
    if ($comment =~ s/^---- (.*?) ----\n?//) {
      $section = $sections{$1} or die "$path: a section that c_api.pl has no place for: $1\n";
      my $doc = parse_comment($comment);
      push @{$section->{text}}, @{$doc->{paragraphs}};
      push @{$section->{entries}}, {kind => 'row', name => $_->[0], summary => $_->[1], context => $doc->{context} // ''} for @{$doc->{macros}};
      next;
    }
    my $doc = parse_comment($comment);
    my $summary = $doc->{paragraphs}[0];
    # Guards of headers, and variables.
    next if $behind =~ /^(?:#define \w+_H\n|extern uint)/;
    my %entry = (doc => $doc, summary => $summary, context => $doc->{context} // '');
    if ($behind =~ /^#define (BAREFXT_\w+[^_\W](?:\([^)]*\))?)(?:\s|\\|$)/m && $-[0] == 0) {
      $section //= $sections{'Dump and drain'} if $1 eq 'BAREFXT_DRAIN_BYTES';
      $entry{name} = $1;
      $entry{kind} = @{$doc->{params}} || @{$doc->{paragraphs}} > 1 ? 'macro' : 'row';
    } elsif ($behind =~ /^(?:typedef )?(enum|struct)\b[^{;]*\{(.*?)^\}( \w+)?;/ms && $-[0] == 0) {
      my ($what, $body, $name) = ($1, $2, $3 // '');
      $name =~ s/^ //;
      next if $header eq 'event_c' && $name eq 'barefxt_event_owner';
      @entry{qw(kind what name members)} = ('type', $what, $name, [members_of($body)]);
    } elsif ($behind =~ /^extern .*\n#define (BAREFXT_\w+)/ && $-[0] == 0) {
      @entry{qw(kind name)} = ('row', $1);
    } elsif ($behind =~ /^((?:[a-z_][^;{}#]*?)\([^;{]*\))\s*[;{]/s && $-[0] == 0) {
      my $code = $1;
      my $name = one_line($code);
      next if $name =~ /barefxt_(?:write_|argument_make|text_words)/;
      $code =~ s/^static inline //;
      @entry{qw(kind name code)} = ('function', $name, $code);
      check_function($header, $name, $doc);
      # A family of one-line functions, and former names.
      $entry{kind} = 'row' if !@{$doc->{params}} && ($name =~ / barefxt_arg_/ || $summary =~ /^Deprecated:/);
    } else {
      # THIS_CPU has a definition for each kind of build.
      next unless $comment =~ /pseudo-thread cpu-N of the CPU that records/;
      @entry{qw(kind name)} = ('row', 'BAREFXT_THIS_CPU');
    }
    complain($header, "$entry{name}: it belongs to no section"), next unless $section;
    push @{$section->{entries}}, \%entry;
  }
}

for my $title (@titles) {
  $list .= "$_->{name}\n" for grep { $_->{kind} ne 'type' && $_->{name} !~ / barefxt_port_/ } @{$sections{$title}{entries}};
}
exit 1 if $failures;
if ($lists) {
  print $list;
  exit 0;
}

sub anchor {
  my ($title) = @_;
  $title = lc $title;
  $title =~ tr/ /-/;
  return $title;
}

sub name_of {
  my ($declaration) = @_;
  return $declaration =~ /(\w+)\(/ ? $1 : $declaration;
}

print <<'END';
# The C API

For people who write probes and hooks: every function, macro and type. `toolchain/c_api.pl` makes this page from the comments of the headers; change it there.

`#include <barefxt/barefxt.h>` declares all of them, for C99 (with GNU extensions) and C++17. Options of an image are in [Configuration](configuration.md).

*Context* lists the permitted callers. "Any" is thread, interrupt, nested interrupt and NMI, on any CPU, with interrupts on or off. Such a function never blocks, takes no
lock, masks nothing and calls no code of yours. Functions marked "one at a time" must not run concurrently with each other. `barefxt_drain` is the exception: it may run beside
them. Before the start and after the stop, probes and switches do nothing.

END
for my $title (@titles) {
  my @names = map { name_of($_->{name}) } grep { $_->{kind} eq 'function' } @{$sections{$title}{entries}};
  my $links = join ', ', map { "[`$_`](#$_)" } @names;
  print "- [$title](#", anchor($title), ")", $links ne '' ? ": $links" : '', "\n";
}

sub print_rows {
  my @rows = @_;
  return unless @rows;
  print "\n| declaration | effect | context |\n|---|---|---|\n";
  for my $row (@rows) {
    (my $summary = mark($row->{summary})) =~ s/\.$//;
    print "| `$row->{name}` | $summary | ", mark($row->{context}), " |\n";
  }
}

sub print_paragraphs {
  for my $paragraph (@_) {
    if ($paragraph =~ /^    /) {
      (my $sample = $paragraph) =~ s/^    //mg;
      print "\n```c\n$sample\n```\n";
    } else {
      print "\n", mark($paragraph), "\n";
    }
  }
}

sub print_entry {
  my ($entry) = @_;
  my $doc = $entry->{doc};
  my ($summary, @notes) = @{$doc->{paragraphs}};
  print "\n### ", name_of($entry->{name}), "\n";
  my $code = $entry->{kind} eq 'function' ? "$entry->{code};" : $entry->{name};
  print "\n```c\n$code\n```\n\n", mark($summary), "\n";
  print "\n" if @{$doc->{params}};
  print "- `$_->[0]`: ", mark($_->[1]), "\n" for @{$doc->{params}};
  print "\n**Returns:** ", mark($doc->{return}), "\n" if defined $doc->{return};
  if (@{$doc->{errors}}) {
    print "\n| error | returned if |\n|---|---|\n";
    print "| `$_->[0]` | ", mark($_->[1]), " |\n" for @{$doc->{errors}};
  }
  print "\n**Context:** ", mark($doc->{context}), ".\n" if defined $doc->{context};
  print_paragraphs(@notes);
}

sub print_type {
  my ($entry) = @_;
  my ($summary, @notes) = @{$entry->{doc}{paragraphs}};
  print "\n### ", $entry->{name} ne '' ? $entry->{name} : 'Checks', "\n\n", mark($summary), "\n";
  print_paragraphs(@notes);
  my @members = @{$entry->{members}};
  if (!grep { $_->[1] ne '' } @members) {
    print "\n", join(', ', map { "`$_->[0]`" } @members), ".\n";
    return;
  }
  print "\n| ", $entry->{what} eq 'enum' ? 'value' : 'member', " | meaning |\n|---|---|\n";
  print "| `$_->[0]` | ", mark($_->[1]), " |\n" for @members;
}

for my $title (@titles) {
  print "\n## $title\n";
  my $section = $sections{$title};
  print_paragraphs(@{$section->{text}});
  print_rows(grep { $_->{kind} eq 'row' } @{$section->{entries}});
  for my $entry (@{$section->{entries}}) {
    print_entry($entry) if $entry->{kind} eq 'function' || $entry->{kind} eq 'macro';
    print_type($entry) if $entry->{kind} eq 'type';
  }
}
