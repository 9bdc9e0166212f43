import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/**
 * A harness for sgf-lark fuzz: javac Harness.java SgfTree.java MyParser.java
 * --target 'persistent: java -cp FOLDER Harness'
 */
final class Harness {
    // MyParser.parse takes byte[] and returns a SgfTree, or null for the verdict alone; it throws an
    // IllegalArgumentException or any checked exception to reject. Anything else is a crash.
    public static void main(String[] words) throws IOException {
        DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
        reply("ready");
        for (int length = length(requests); length >= 0; length = length(requests)) {
            byte[] data = new byte[length];
            requests.readFully(data);
            try {
                Object tree = MyParser.parse(data);
                reply(tree == null ? "accept" : "accept " + tree);
            } catch (Exception error) {
                boolean rejects = error instanceof IllegalArgumentException;
                if (error instanceof RuntimeException && !rejects) throw (RuntimeException) error;
                reply("reject " + error.getMessage());
            }
        }
    }

    private static int length(DataInputStream requests) throws IOException {
        int length = -1;
        for (int digit = requests.read(); digit >= '0'; digit = requests.read())
            length = Math.max(length, 0) * 10 + digit - '0';
        return length;
    }

    private static void reply(String line) {
        System.out.print(line.replaceAll("[\r\n]+", " ") + "\n");
        System.out.flush();
    }
}
