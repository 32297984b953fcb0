"""What viewers of a table see, and the stream that brings them changes."""
