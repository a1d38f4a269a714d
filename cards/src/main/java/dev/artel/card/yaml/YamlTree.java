package dev.artel.card.yaml;

import java.util.List;
import java.util.Optional;

/// What was read of a text.
///
/// @param root empty: the text has no value, or cannot be read at all
/// @param problems what is wrong with it, in the order in which it was found
public record YamlTree(Optional<YamlNode> root, List<YamlProblem> problems) {
    /// Copies `problems`.
    public YamlTree {
        problems = List.copyOf(problems);
    }
}
