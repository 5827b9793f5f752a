"""Result shapes: what every computation returns, and the vocabulary of its fields."""
