# Changes one place of a source tree, chosen at random among all places that one of the operators below fits.
#
#   perl mutate.pl TREE PART SEED     PART: runtime or host
#
# Prints "FILE:LINE: OLD -> NEW". The same tree, part and seed give the same place. Comments, directives, assertions and
# strings are no places.
use strict;
use warnings;

my ($tree, $part, $seed) = @ARGV;
my %swaps = (
  ' == ' => ' != ', ' != ' => ' == ', ' < ' => ' <= ', ' <= ' => ' < ', ' > ' => ' >= ', ' >= ' => ' > ', ' + ' => ' - ',
  ' - ' => ' + ', ' && ' => ' || ', ' || ' => ' && ', ' << ' => ' >> ', ' >> ' => ' << ', ' & ' => ' | ', ' | ' => ' & ',
  'return true;' => 'return false;', 'return false;' => 'return true;', 'if (!' => 'if (', ' += ' => ' -= ', ' -= ' => ' += ');
my $any = join '|', map { quotemeta } sort { length $b <=> length $a } keys %swaps;

my @folders = $part eq 'runtime' ? ("$tree/runtime/src", "$tree/runtime/include") : ("$tree/host/src");
my @files = grep { /\.(cpp|h)$/ } split /\n/, `find @folders -type f | LC_ALL=C sort`;
my @places;
for my $file (@files) {
  open my $in, '<', $file or die "$file: $!";
  while (my $line = <$in>) {
    next if $line =~ m{^\s*(//|\#|\*|/\*|template|using|static_assert|friend|extern)} || $line =~ /"/;
    (my $code = $line) =~ s{//.*}{};
    while ($code =~ /($any)/g) {
      push @places, [$file, $., pos($code) - length $1, $1, $swaps{$1}];
    }
    # A statement left out: a call for its effect, or a store.
    next unless $code =~ /^(\s+)([\w.\[\]>-]+(?:\(.*\)| [|&^]?= .*);)\s*$/ && $code !~ /^\s*return\b/;
    push @places, [$file, $., length $1, $2, ';'] if ($code =~ tr/(//) == ($code =~ tr/)//);
  }
}
srand $seed;
my ($file, $number, $column, $old, $new) = @{ $places[int rand @places] };

open my $in, '<', $file or die "$file: $!";
my @lines = <$in>;
close $in;
substr($lines[$number - 1], $column, length $old) = $new;
open my $out, '>', $file or die "$file: $!";
print $out @lines;
close $out;
(my $short = $file) =~ s{^\Q$tree\E/}{};
s/^\s+|\s+$//g for $old, $new;
print "$short:$number: $old -> $new\n";
