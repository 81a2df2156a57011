"""A whole transformer block, several in a row, and what stands before and after them."""
