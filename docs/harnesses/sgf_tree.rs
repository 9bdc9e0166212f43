//! The tree of a file, for harness.rs. A parser calls these functions in the order of the file. Values
//! are texts without the escapes of the file.
#![allow(dead_code)]

#[derive(Default)]
pub struct Tree {
    json: String,
    level: usize,
    nodes: usize,
}

impl Tree {
    /// Begins a game tree.
    pub fn game(&mut self) {
        self.begin(0, "[");
        self.nodes = 0;
    }

    /// Begins a node below another one, whose number in the game this function has returned.
    pub fn node(&mut self, parent: Option<usize>) -> usize {
        let number = parent.map_or("null".to_string(), |number| number.to_string());
        self.begin(1, &format!("{{\"parent\":{number},\"properties\":["));
        self.nodes += 1;
        self.nodes - 1
    }

    /// Begins a property of the last node.
    pub fn property(&mut self, ident: &str) {
        self.begin(2, "[");
        self.string(ident);
        self.json.push_str(",[");
    }

    /// Adds a value to the last property.
    pub fn value(&mut self, text: &str) {
        self.begin(3, "");
        self.level = 3;
        self.string(text);
    }

    /// Returns the tree as JSON.
    pub fn into_json(mut self) -> String {
        self.end(0);
        format!("{{\"form\":\"text\",\"games\":[{}]}}", self.json)
    }

    /// Ends what is open up to a level: 0 games, 1 nodes, 2 properties, 3 values.
    fn end(&mut self, level: usize) {
        while self.level > level {
            self.json.push_str(["", "]", "]}", "]]"][self.level]);
            self.level -= 1;
        }
    }

    fn begin(&mut self, level: usize, start: &str) {
        self.end(level);
        if self.json.ends_with([']', '}', '"']) {
            self.json.push(',');
        }
        self.json.push_str(start);
        self.level = level + 1;
    }

    fn string(&mut self, text: &str) {
        self.json.push('"');
        for letter in text.chars() {
            if letter < ' ' || letter == '"' || letter == '\\' {
                self.json.push_str(&format!("\\u{:04x}", letter as u32));
            } else {
                self.json.push(letter);
            }
        }
        self.json.push('"');
    }
}
