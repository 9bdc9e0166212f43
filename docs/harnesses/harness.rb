# A harness for sgf-lark fuzz: --target 'persistent: ruby harness.rb'
require "json"
require_relative "my_parser"

# MyParser.parse takes bytes, a string in ASCII-8BIT. It returns the list of games, or nil for the
# verdict alone, and rejects by raising MyParser::Rejected. Any other error ends the process, which is
# a crash. Values are strings in UTF-8 without escapes; the parent of a root is nil:
# [[{ parent: nil, properties: [["C", ["a comment"]]] }]]

replies = $stdout.dup
replies.sync = true
$stdout.reopen($stderr) # What the parser prints must not be mistaken for a reply.
$stdin.binmode

replies.puts "ready"
while (size = $stdin.gets)
  data = $stdin.read(size.to_i)
  begin
    games = MyParser.parse(data)
    reply = games ? "accept #{JSON.generate(games)}" : "accept"
  rescue MyParser::Rejected => error
    reply = "reject #{error.message.scrub.gsub(/\s+/, " ")}"
  end
  replies.puts reply
end
