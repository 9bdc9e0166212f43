// A harness for sgf-lark fuzz: rustc -O harness.rs, or src/main.rs of a crate
// --target 'persistent: ./harness'
use std::io::{self, BufRead, Read, Write};

// parse takes &[u8] and returns Result<(), String>. A panic ends the process: a crash.
mod tested_parser;
use tested_parser::parse;

fn main() -> io::Result<()> {
    let mut requests = io::stdin().lock();
    let mut replies = io::stdout().lock();
    writeln!(replies, "ready")?;
    replies.flush()?;
    let mut line = String::new();
    while requests.read_line(&mut line)? > 0 {
        let length: usize = line.trim().parse().expect("a length");
        line.clear();
        let mut data = vec![0; length];
        requests.read_exact(&mut data)?;
        match parse(&data) {
            Ok(()) => writeln!(replies, "accept")?,
            Err(message) => writeln!(replies, "reject {}", message.replace('\n', " "))?,
        }
        replies.flush()?;
    }
    Ok(())
}
