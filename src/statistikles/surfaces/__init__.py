"""What a person or program touches: command line, chat and servers."""
