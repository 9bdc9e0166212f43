"""From bytes to text: charsets, decoding, and positions in a file."""
