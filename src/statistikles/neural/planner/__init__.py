"""The built-in planner: a question and a table to tool calls and an explanation, without a language model."""
