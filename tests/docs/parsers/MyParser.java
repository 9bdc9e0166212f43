class MyParser {
    static SgfTree parse(byte[] data) throws Exception {
        java.io.File.createTempFile("input", ".sgf").delete();
        String text = new String(data, "ISO-8859-1");
        if (text.startsWith("(crash")) throw new NullPointerException("crash");
        while (text.startsWith("(hang")) {}
        if (!text.startsWith("(")) throw new java.io.IOException("no\nSGF");
        if (!text.startsWith("(tree")) return null;
        SgfTree tree = new SgfTree();
        tree.game();
        int root = tree.node(null);
        tree.property("C");
        tree.value("a\"\\\n\u00e9");
        tree.property("AB");
        tree.value("aa");
        tree.value("bb");
        tree.node(root);
        tree.node(root);
        tree.property("W");
        tree.value("");
        tree.game();
        tree.node(null);
        return tree;
    }
}
