package dev.artel.card;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import java.util.List;

/// A process card that can be run: a blueprint, and those of the cards that are written inside it. Immutable.
///
/// @param name under which it is submitted
/// @param version the author's word
/// @param text as it was written
/// @param digest SHA-256 of the text, in lower-case hexadecimal: the card itself, whatever its version says
/// @param blueprints what it compiles into, its own last
/// @param memory about how many bytes all of this takes
public record Card(
        String name,
        String version,
        String text,
        String digest,
        List<Blueprint> blueprints,
        long memory)
        implements BlueprintSource {
    /// Copies `blueprints`.
    public Card {
        blueprints = List.copyOf(blueprints);
    }

    /// The blueprint that runs it.
    public Blueprint blueprint() {
        return blueprints.getLast();
    }

    @Override
    public String toString() {
        return name + " version " + version;
    }
}
