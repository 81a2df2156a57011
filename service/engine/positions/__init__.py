"""Where a token stands: sinusoidal encodings, rotary embeddings, ALiBi."""
