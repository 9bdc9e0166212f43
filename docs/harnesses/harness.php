<?php
// A harness for sgf-lark fuzz: --target 'persistent: php harness.php'
require __DIR__ . '/my_parser.php';

// parse() takes bytes. It returns the list of games, or null for the verdict alone, and rejects by
// throwing InvalidArgumentException. Any other error ends the process, which is a crash. Values are
// strings in UTF-8 without escapes; the parent of a root is null:
// [[['parent' => null, 'properties' => [['C', ['a comment']]]]]]

ini_set('display_errors', 'stderr');
ob_start(fn ($printed) => '', 1); // What the parser prints must not be mistaken for a reply.

fwrite(STDOUT, "ready\n");
while (($line = fgets(STDIN)) !== false) {
    $size = (int) $line;
    $data = $size > 0 ? stream_get_contents(STDIN, $size) : '';
    try {
        $games = parse($data);
        $reply = 'accept';
        if ($games !== null) {
            $reply .= ' ' . json_encode($games, JSON_THROW_ON_ERROR);
        }
    } catch (InvalidArgumentException $error) {
        $reply = 'reject ' . preg_replace('/\s+/', ' ', $error->getMessage());
    }
    fwrite(STDOUT, "$reply\n");
}
