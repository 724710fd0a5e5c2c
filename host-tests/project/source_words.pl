#!/usr/bin/env perl
# Counts words in sources: source_words.pl [--show] FILE... from the folder that the files are named from.
#
# An opener is a comment's sentence that begins with a relative clause instead of its subject. The words are forms of 'tell', in
# comments, texts and names. Each folder has a limit of both. --show prints each place.
use strict;
use warnings;

use constant {
  OPENER_PERCENT => 1,  # of the sentences of all comments
  WORDS => 50,          # in all files
};
# Openers and words of each folder, at most. `other` are files at the top.
my %most = (
  'examples' => [0, 0],
  'host' => [15, 8],
  'host-tests' => [15, 10],
  'linker' => [0, 0],
  'other' => [0, 0],
  'port' => [3, 2],
  'qemu-tests' => [10, 5],
  'runtime' => [10, 3],
  'toolchain' => [0, 0],
  'zephyr' => [0, 0],
);
my $opener = qr/^(?:What|Of|Where|Whether|Who|Whoever|Whatever)\b/;
my $word = qr/(?<![A-Za-z])[Tt](?:ell[s]|ol[d])(?![a-z])|(?<=[a-z])T(?:ell[s]|ol[d])(?![a-z])/;

my $name = join "' or '", 'tell' . 's', 'tol' . 'd';
my $show = @ARGV && $ARGV[0] eq '--show' && shift;

# Comments of a text as [line, text]; lines of // or # that follow each other are one comment.
sub slashed_comments {
  my ($text) = @_;
  my (@comments, $end);
  while ($text =~ m{"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|/\*(.*?)\*/|//([^\n]*)}gs) {
    my ($block, $rest, $begin) = ($1, $2, $-[0]);
    next unless defined $block || defined $rest;
    my $line = 1 + (substr($text, 0, $begin) =~ tr/\n//);
    if (defined $block) {
      $block =~ s/^[ \t]*\*+(?=\s|$)//mg;
      push @comments, [$line, $block];
      $end = undef;
    } else {
      my $alone = substr($text, 0, $begin) =~ /(?:^|\n)[ \t]*$/;
      if ($alone && defined $end && $end == $line - 1) {
        $comments[-1][1] .= "\n$rest";
      } else {
        push @comments, [$line, $rest];
      }
      $end = $alone ? $line : undef;
    }
  }
  return @comments;
}

sub hashed_comments {
  my ($text) = @_;
  my (@comments, $end);
  my $line = 0;
  for (split /\n/, $text) {
    ++$line;
    next unless /^((?:[^"'#]|"[^"]*"|'[^']*')*?)(?<!\S)#(?:\s+(.*))?$/;
    my ($code, $rest) = ($1, $2 // '');
    if ($code !~ /\S/ && defined $end && $end == $line - 1) {
      $comments[-1][1] .= "\n$rest";
    } else {
      push @comments, [$line, $rest];
    }
    $end = $code !~ /\S/ ? $line : undef;
  }
  return @comments;
}

sub comments_of {
  my ($file, $text) = @_;
  return hashed_comments($text) if $file =~ m{\.(?:sh|cmake|pl|awk|py|mk|yml|yaml|toml|txt|build|options|defs|in)$|(?:^|/)(?:Makefile|Kconfig|run)$|meson_options};
  return slashed_comments($text) if $file =~ /\.(?:c|h|cpp|S|inc|ld|js|mjs|css|dict|pml)$/;
  return ();
}

# Sentences, each with its line. An empty line and an item of a list end one, too.
sub sentences_of {
  my ($line, $text) = @_;
  my @sentences;
  my $begin = 0;
  my $add = sub {
    my ($from, $part) = @_;
    (my $plain = $part) =~ s/^[\s"'(\[*-]+|\s+$//g;
    $plain =~ s/\s+/ /g;
    return if $plain !~ /[A-Za-z]/;
    my ($space) = $part =~ /^(\s*)/;
    push @sentences, [$line + (substr($text, 0, $from + length $space) =~ tr/\n//), $plain];
  };
  while ($text =~ /(?:(?<=[.!?])|(?<=[.!?]["')]))\s+(?=["'(]*[A-Z])|\n[ \t]*\n|\n[ \t]*-[ ]/g) {
    $add->($begin, substr($text, $begin, $-[0] - $begin));
    $begin = $+[0];
  }
  $add->($begin, substr($text, $begin));
  return @sentences;
}

my %count = map { $_ => {sentences => 0, openers => 0, words => 0} } keys %most;
for my $file (@ARGV) {
  open(my $handle, '<:raw', $file) or die "$file: $!";
  my $text = do { local $/; <$handle> };
  my ($folder) = $file =~ m{^([^/]+)/};
  $folder = 'other' unless defined $folder && $most{$folder};
  my $count = $count{$folder};
  my @comments = comments_of($file, $text);
  for my $comment (@comments) {
    for my $sentence (sentences_of(@$comment)) {
      ++$count->{sentences};
      next unless $sentence->[1] =~ $opener && $sentence->[1] !~ /\?/;
      ++$count->{openers};
      print "$file:$sentence->[0]: opener: ", substr($sentence->[1], 0, 100), "\n" if $show;
    }
  }
  my $line = 0;
  for (split /\n/, $text) {
    ++$line;
    my $found = () = /$word/g;
    $count->{words} += $found;
    print "$file:$line: word: $_\n" if $show && $found;
  }
}

my $failures = 0;
my %all = (sentences => 0, openers => 0, words => 0);
printf "%-12s %9s %7s %5s\n", 'folder', 'sentences', 'openers', 'words';
for my $folder (sort keys %most) {
  my $count = $count{$folder};
  printf "%-12s %9d %7d %5d\n", $folder, @$count{qw(sentences openers words)};
  $all{$_} += $count->{$_} for keys %all;
  my ($openers, $found) = @{$most{$folder}};
  if ($count->{openers} > $openers) {
    print "$folder: $count->{openers} sentences of comments open with a relative clause, more than $openers\n";
    ++$failures;
  }
  if ($count->{words} > $found) {
    print "$folder: '$name' $count->{words} times, more than $found\n";
    ++$failures;
  }
}
printf "%-12s %9d %7d %5d\n", 'all', @all{qw(sentences openers words)};
if ($all{openers} * 100 > OPENER_PERCENT * $all{sentences}) {
  print "all: more than @{[OPENER_PERCENT]} % of the sentences open with a relative clause\n";
  ++$failures;
}
if ($all{words} > WORDS) {
  print "all: '$name' more than @{[WORDS]} times\n";
  ++$failures;
}
print "Hint: source_words.pl --show prints the places\n" if $failures && !$show;
exit($failures > 0);
