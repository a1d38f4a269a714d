package dev.artel.kernel.blueprint;

import java.util.List;

/// A definition contradicts itself; the message has all its problems.
public final class InvalidBlueprint extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    InvalidBlueprint(String name, List<String> problems) {
        super(
                "blueprint '"
                        + name
                        + "' has "
                        + problems.size()
                        + (problems.size() == 1 ? " problem:\n  " : " problems:\n  ")
                        + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /// Each problem in a sentence.
    public List<String> problems() {
        return problems;
    }
}
