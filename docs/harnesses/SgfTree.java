/** The tree of a file, for Harness.java. A parser calls these methods in the order of the file. */
final class SgfTree {
    private static final String[] ENDS = {"", "]", "]}", "]]"};
    private final StringBuilder json = new StringBuilder();
    private int level;
    private int nodes;

    /** Begins a game tree. */
    void game() {
        begin(0, "[");
        nodes = 0;
    }

    /** Begins a node and returns its number in the game; parent is that of another one, or null. */
    int node(Integer parent) {
        begin(1, "{\"parent\":" + parent + ",\"properties\":[");
        return nodes++;
    }

    /** Begins a property of the last node. */
    void property(String ident) {
        begin(2, "[");
        string(ident);
        json.append(",[");
    }

    /** Adds a value, a text without the escapes of the file, to the last property. */
    void value(String text) {
        begin(3, "");
        level = 3;
        string(text);
    }

    /** Returns the tree as JSON. */
    @Override
    public String toString() {
        StringBuilder ends = new StringBuilder();
        for (int open = level; open > 0; open--) ends.append(ENDS[open]);
        return "{\"form\":\"text\",\"games\":[" + json + ends + "]}";
    }

    /** Ends what is open up to a level: 0 games, 1 nodes, 2 properties, 3 values. */
    private void begin(int to, String start) {
        for (; level > to; level--) json.append(ENDS[level]);
        int size = json.length();
        if (size > 0 && "]}\"".indexOf(json.charAt(size - 1)) >= 0) json.append(',');
        json.append(start);
        level = to + 1;
    }

    private void string(String text) {
        json.append('"');
        for (char letter : text.toCharArray()) {
            boolean plain = letter >= ' ' && letter < 0x7F && letter != '"' && letter != '\\';
            json.append(plain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        json.append('"');
    }
}
