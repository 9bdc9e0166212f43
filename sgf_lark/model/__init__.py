"""What a file means: collection, game trees, nodes, properties and their typed values."""
