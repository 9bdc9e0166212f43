// A harness for sgf-lark fuzz: rustc -O harness.rs, or src/main.rs of a crate
// --target 'persistent: ./harness'
use std::io::{self, BufRead, Read, Write};

// parse takes &[u8] and returns Ok(()) or the Tree of sgf_tree.rs, or else Err with a message. A panic
// ends the process: a crash.
mod my_parser;
mod sgf_tree;

trait Answer {
    fn reply(self) -> String;
}
impl Answer for () {
    fn reply(self) -> String {
        "accept".to_string()
    }
}
impl Answer for sgf_tree::Tree {
    fn reply(self) -> String {
        format!("accept {}", self.into_json())
    }
}

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
        match my_parser::parse(&data) {
            Ok(answer) => writeln!(replies, "{}", answer.reply())?,
            Err(message) => {
                writeln!(replies, "reject {}", message.to_string().replace('\n', " "))?
            }
        }
        replies.flush()?;
    }
    Ok(())
}
