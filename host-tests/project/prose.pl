#!/usr/bin/env perl
# Checks Markdown pages: prose.pl [--words] PAGE... from the folder that pages are named from. --words prints the mean of each page.
#
# All pages: links and anchors lead somewhere, tables are tables. README, CONTRIBUTING, SECURITY and docs also: sentences are short, and no
# sentence opens with a relative clause. cmark-gfm parses the pages, so the rules see what a forge shows.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Spec;

use constant {
  MEAN_WORDS => 18,       # of the sentences of a page
  MOST_WORDS => 35,       # in one sentence, and in one sentence of a table's cell
  PAGE_LINES => 600,      # of a page in docs
  ALL_LINES => 4050,      # of all pages in docs but those below, without parts marked as generated
  README_LINES => 120,
};
# Pages that are generated, and tables that other tests hold against the sources, row by row.
my %is_table = map { $_ => 1 } qw(docs/reference/c-api.md docs/reference/fxt-support.md docs/reference/stack.md
                                 docs/reference/thread-states.md docs/reference/top-json.md);

my $print_means = @ARGV && $ARGV[0] eq '--words' && shift;
my $failures = 0;
sub complain {
  my ($page, $line, $text) = @_;
  print "$page:$line: $text\n";
  ++$failures;
}

sub plain {
  my ($text) = @_;
  my %characters = (lt => '<', gt => '>', quot => '"', amp => '&');
  $text =~ s/&(lt|gt|quot|amp);/$characters{$1}/g;
  return $text;
}

# Elements in order, with the line that each begins in: [name, line, attributes, text].
sub elements {
  my ($page) = @_;
  open(my $pipe, '-|', 'cmark-gfm', '-e', 'table', '-t', 'xml', '--sourcepos', $page) or die "cmark-gfm: $!";
  my $xml = do { local $/; <$pipe> };
  close $pipe or die "cmark-gfm fails on $page";
  my ($line, @elements) = (1);
  while ($xml =~ /<(\/?)(\w+)((?:\s+[\w:]+="[^"]*")*)\s*(\/?)>(?:([^<]*)<\/\2>)?/g) {
    my ($end, $name, $attributes, $text) = ($1, $2, $3, $5);
    $line = $1 if $attributes =~ /sourcepos="(\d+):/;
    push @elements, ["$end$name", $line, $attributes, defined $text && $text =~ /\S|^ +$/ ? plain($text) : defined $text ? $text : undef];
  }
  return @elements;
}

# A forge's anchor for a heading.
sub anchor {
  my ($heading) = @_;
  $heading = lc $heading;
  $heading =~ s/[^\w\- ]//g;
  $heading =~ tr/ /-/;
  return $heading;
}

my (%anchors, %links, %judged);
my @means;

sub judge_sentences {
  my ($page, $line, $text, $is_cell, $count) = @_;
  $text =~ s/\s+/ /g;
  for my $sentence (split /(?<=[.!?])["')\]]*\s+(?=["'(\[A-Z0-9])/, $text) {
    $sentence =~ s/^[\s"'(\[]+|\s+$//g;
    my $words = grep { /\w/ } split /\s+/, $sentence;
    next if $words == 0;
    complain($page, $line, "$words words in a sentence, more than @{[MOST_WORDS]}: " . substr($sentence, 0, 90)) if $words > MOST_WORDS;
    complain($page, $line, "opens with $1: " . substr($sentence, 0, 90))
      if $sentence =~ /^(What|Of|Where|Whether|Who|Whoever|Whatever)\b/ && $sentence !~ /\?$/;
    complain($page, $line, "'$1' instead of prints, reports, returns or records: " . substr($sentence, 0, 90))
      if $sentence =~ /\b(tell[s]?|tol[d]|amiss)\b/;
    next if $is_cell;
    $count->{sentences} += 1;
    $count->{words} += $words;
  }
}

sub read_page {
  my ($page) = @_;
  my $judges_words = $page =~ m{^docs/|(^|/)(README|CONTRIBUTING|SECURITY)\.md$};
  my %count = (sentences => 0, words => 0);
  my (%seen, $block, $text, $begin, $in_link);
  for my $element (elements($page)) {
    my ($name, $line, $attributes, $content) = @$element;
    if ($name =~ /^(heading|paragraph|table_cell)$/) {
      ($block, $text, $begin) = ($1, defined $content ? $content : '', $line);
    } elsif ($name eq 'text' && defined $block) {
      $text .= $content // '';
    } elsif ($name eq 'code' && defined $block) {
      $text .= $block eq 'heading' ? $content : $judges_words ? 'CODE' : $content;
    } elsif ($name =~ /^(softbreak|linebreak)$/ && defined $block) {
      $text .= "\n";
    } elsif ($name =~ /^(link|image)$/ && $attributes =~ /destination="([^"]*)"/) {
      push @{$links{$page}}, [$line, plain($1)];
    } elsif ($name =~ m{^/(heading|paragraph|table_cell)$} && defined $block) {
      if ($block eq 'heading') {
        my $anchor = anchor($text);
        my $number = $seen{$anchor}++;
        $anchors{$page}{$number ? "$anchor-$number" : $anchor} = 1;
        complain($page, $begin, "heading opens with $1: $text") if $judges_words && $text =~ /^(What|Of|Where|Whether|Who)\b/ && $text !~ /\?$/;
      } else {
        complain($page, $begin, "rows that are no table: a line of dashes with as many columns, and no empty line, make one")
          if $block eq 'paragraph' && $text =~ /^\s*\|/m;
        judge_sentences($page, $begin, $text, $block eq 'table_cell', \%count) if $judges_words;
      }
      $block = undef;
    }
  }
  if ($count{sentences}) {
    my $mean = $count{words} / $count{sentences};
    push @means, [$mean, $page];
    complain($page, 1, sprintf("%.1f words a sentence in the mean, more than %d", $mean, MEAN_WORDS)) if $mean > MEAN_WORDS;
  }
}

# Rows of one table have as many cells: a forge drops further ones without a word.
sub read_tables {
  my ($page) = @_;
  open(my $file, '<', $page) or die "$page: $!";
  my ($cells, $fenced, $generated, $by_hand) = (0, 0, 0, 0);
  while (my $line = <$file>) {
    $generated = 1 if $line =~ /^<!-- generated/;
    $by_hand += !$generated;
    $generated = 0 if $line =~ /^<!-- end of the generated part/;
    $fenced = !$fenced if $line =~ /^\s*```/;
    complain($page, $., "a placeholder for an address: $1") if $line =~ /\b([\w.-]*example\.(?:com|org|net))\b/;
    # Files that a page names are there; capitals stand for names, and * for several.
    while ($line =~ m{`((?:runtime|host|host-tests|qemu-tests|port|linker|toolchain|docs|zephyr)/[^\s`]*)`}g) {
      my $path = $1;
      (my $names = $path) =~ s/README|CMakeLists//;
      next if $names =~ /[A-Z]{2,}|\.\.\./;
      my @found = glob $path;
      complain($page, $., "a file that is not there: $path") unless @found && -e $found[0];
    }
    if ($fenced || $line !~ /^\s*\|/) {
      $cells = 0;
      next;
    }
    (my $row = $line) =~ s/\\\|//g;
    my $found = ($row =~ tr/|//) - 1;
    $cells ||= $found;
    complain($page, $., "a row of $found cells in a table of $cells") if $found != $cells;
  }
  my $lines = $.;
  complain($page, 1, "$lines lines, more than @{[README_LINES]}") if $page eq 'README.md' && $lines > README_LINES;
  complain($page, 1, "$lines lines, more than @{[PAGE_LINES]}") if $page =~ m{^docs/} && !$is_table{$page} && $lines > PAGE_LINES;
  return $page =~ m{^docs/} && !$is_table{$page} ? $by_hand : 0;
}

my $all_lines = 0;
for my $page (@ARGV) {
  read_page($page);
  $all_lines += read_tables($page);
}
complain('docs', 0, "$all_lines lines in all, more than @{[ALL_LINES]}") if $all_lines > ALL_LINES;
for my $page (@ARGV) {
  for my $link (@{$links{$page} // []}) {
    my ($line, $to) = @$link;
    if ($to =~ m{^\w+:}) {
      next;
    }
    my ($path, $anchor) = $to =~ /^([^#]*)#?(.*)$/;
    my $target = $path eq '' ? $page : File::Spec->canonpath(dirname($page) . "/$path");
    1 while $target =~ s{(^|/)(?!\.\./)[^/]+/\.\./}{$1};
    $target =~ s{^\./}{};
    if (!-e $target) {
      complain($page, $line, "a link to nothing: $to");
    } elsif ($anchor ne '' && $target =~ /\.md$/ && !$anchors{$target}{$anchor}) {
      complain($page, $line, "a link to no heading: $to");
    }
  }
}
if ($print_means) {
  printf "%5.1f %s\n", @$_ for sort { $b->[0] <=> $a->[0] } @means;
  print "$all_lines lines in docs\n";
}
exit($failures > 0);
