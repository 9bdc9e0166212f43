use crate::sgf_tree::Tree;
pub fn parse(data: &[u8]) -> Result<Tree, String> {
    if data.starts_with(b"(crash") { panic!("crash"); }
    while data.starts_with(b"(hang") {}
    if !data.starts_with(b"(") { return Err("no\nSGF".to_string()) }
    let mut tree = Tree::default();
    if data.starts_with(b"(tree") {
        tree.game();
        let root = tree.node(None);
        tree.property("C");
        tree.value("a\"\\\n\u{e9}");
        tree.property("AB");
        tree.value("aa");
        tree.value("bb");
        tree.node(Some(root));
        tree.node(Some(root));
        tree.property("W");
        tree.value("");
        tree.game();
        tree.node(None);
    }
    Ok(tree)
}
