# apply.pl FAULT FILE: makes the changes of a fault (see run.sh) in a file. Each place must be there
# exactly once.
use strict;
use warnings;

my ($fault, $file) = @ARGV;
local $/;
open my $in, '<', $fault or die "$fault: $!";
my $changes = <$in>;
open $in, '<', $file or die "$file: $!";
my $text = <$in>;

my $made = 0;
while ($changes =~ /^<<<<\n(.*?)^====\n(.*?)^>>>>\n/gms) {
  my ($from, $to) = ($1, $2);
  my $at = index $text, $from;
  if ($at < 0 || index($text, $from, $at + 1) >= 0) {
    print STDERR "$fault: not there exactly once:\n$from";
    exit 1;
  }
  substr($text, $at, length $from) = $to;
  ++$made;
}
die "$fault: no change" if $made == 0;
open my $out, '>', $file or die "$file: $!";
print $out $text;
