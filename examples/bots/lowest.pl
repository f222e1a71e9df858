#!/usr/bin/perl
# A Tute bot that speaks baza-bot/1, in the Perl that every Debian has, without a module.
# It plays its lowest legal card and says whatever it may declare.
# Try it: baza check-bot "perl examples/bots/lowest.pl"
use strict;
use warnings;

# --- Reading JSON: objects, arrays, texts, numbers, true, false, null ------------------------------
my %escape = (n => "\n", t => "\t", r => "\r", b => "\b", f => "\f");

sub value {
    my ($text) = @_;    # a reference: reading moves its pos()
    $$text =~ /\G\s+/gc;
    return object($text) if $$text =~ /\G\{/gc;
    return list($text)   if $$text =~ /\G\[/gc;
    return string($1)    if $$text =~ /\G"((?:[^"\\]|\\.)*)"/gcs;
    return $1            if $$text =~ /\G(-?\d[-+.\deE]*)/gc;
    return $1 eq 'true'  if $$text =~ /\G(true|false)/gc;
    return undef         if $$text =~ /\Gnull/gc;
    die "not JSON\n";
}

sub string {
    my ($raw) = @_;
    $raw =~ s{\\(?:u([0-9a-fA-F]{4})|(.))}{defined $1 ? pack('U', hex $1) : $escape{$2} // $2}ge;
    return $raw;
}

sub list {
    my ($text) = @_;
    my @items;
    until ($$text =~ /\G\s*\]/gc) {
        push @items, value($text);
        $$text =~ /\G\s*,/gc;
    }
    return \@items;
}

sub object {
    my ($text) = @_;
    my %fields;
    until ($$text =~ /\G\s*\}/gc) {
        my $name = value($text);
        $$text =~ /\G\s*:/gc or die "not JSON\n";
        $fields{$name} = value($text);
        $$text =~ /\G\s*,/gc;
    }
    return \%fields;
}

# --- Playing ----------------------------------------------------------------------------------------
my $ranks = '24567SCR31';

sub choose {
    my @legal = @_;
    my @spoken = grep { /:/ } @legal;
    my @modest = grep { !/:(?:capote|101|voy)$/ } @spoken;
    return $modest[0] if @modest;
    return ''         if grep { $_ eq '' } @legal;
    return $legal[0]  if @spoken;
    my ($lowest) = sort { index($ranks, substr $a, 0, 1) <=> index($ranks, substr $b, 0, 1) } @legal;
    return $lowest;
}

$| = 1;    # every answer goes out at once
while (my $line = <STDIN>) {
    my $message = value(\$line);
    my $type = $message->{type};
    last if $type eq 'bye';
    if ($type eq 'hello') {
        print qq({"type": "ready", "protocol": "$message->{protocol}", "name": "lowest"}\n);
    }
    elsif ($type eq 'ask') {
        my $said = choose(@{ $message->{legal} });
        print qq({"id": $message->{id}, "say": "$said"}\n);
    }
}
