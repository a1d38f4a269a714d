package dev.artel.gateway.mindbus;

import dev.artel.kernel.attempt.LeaseToken;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// The commands of which an agent has shown that it has them, and of which its channel has not heard. Each one more costs the same, however
/// many there are, since senders on the bus choose that. For one thread at a time.
final class NamedCommands {
    /// Of how many commands one agent may show that it has them.
    static final int MOST = 10_000;

    private final PassportRoom room;
    private SequencedSet<LeaseToken> tokens = new LinkedHashSet<>();
    private long weight;

    NamedCommands(PassportRoom room) {
        this.room = room;
    }

    /// One more, as long as there is room.
    void add(LeaseToken token) {
        var more = PassportRoom.weight(token);
        if (tokens.size() < MOST && room.has(more) && tokens.add(token)) {
            weight += more;
            room.add(more);
        }
    }

    /// What there is, which is forgotten here.
    List<LeaseToken> take() {
        var taken = List.copyOf(tokens);
        clear();
        return taken;
    }

    void clear() {
        room.add(-weight);
        weight = 0;
        if (!tokens.isEmpty()) {
            // A set that is cleared keeps the memory that it has grown to.
            tokens = new LinkedHashSet<>();
        }
    }

    int size() {
        return tokens.size();
    }
}
