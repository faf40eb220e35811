"""Package data of the demonstration: the example suite, its known corpus, and the template of its policy."""
