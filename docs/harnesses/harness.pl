# A harness for sgf-lark fuzz: --target 'persistent: perl harness.pl'
use strict;
use warnings;
use FindBin;
use IO::Handle;
use JSON::PP;
use lib $FindBin::Bin;

# MyParser::parse takes bytes. It returns a reference to the list of games, or undef for the verdict
# alone, and rejects by die { reject => MESSAGE }. Any other error ends the process, which is a crash.
# Values are texts of characters, not bytes, without escapes; the parent of a root is undef.
use MyParser;

binmode STDIN;
open my $replies, '>&', \*STDOUT or die $!;
open STDOUT, '>&', \*STDERR or die $!;    # What the parser prints must not be mistaken for a reply.
$replies->autoflush;
my $json = JSON::PP->new->utf8;

print $replies "ready\n";
while (defined(my $size = <STDIN>)) {
    my $data = '';
    read STDIN, $data, $size;
    my $games = eval { MyParser::parse($data) };
    if (ref $@ eq 'HASH' && defined $@->{reject}) {
        my $message = $@->{reject} =~ s/\s+/ /gr;
        utf8::encode($message);
        print $replies "reject $message\n";
        next;
    }
    die $@ if $@;
    print $replies $games ? 'accept ' . $json->encode($games) . "\n" : "accept\n";
}
