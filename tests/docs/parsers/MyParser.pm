package MyParser;
use strict;
sub parse {
    my ($data) = @_;
    die "crash" if $data =~ /^\(crash/;
    while ($data =~ /^\(hang/) {}
    die { reject => "no\nSGF" } unless $data =~ /^\(/;
    return undef unless $data =~ /^\(tree/;
    print "noise\n";
    return [[
        { parent => undef, properties => [["C", ["a\"\\\n\x{e9}"]], ["AB", ["aa", "bb"]]] },
        { parent => 0, properties => [] },
        { parent => 0, properties => [["W", [""]]] },
    ], [{ parent => undef, properties => [] }]];
}
1;
